import { csvRecords } from '../../formats/csv.ts'
import { readableLine } from '../../readable.ts'
import { columnsOf, rowsOf, type SqlResult } from '../../standalone/result.ts'
import { ABSENT, counted } from '../../text.ts'
import { fitting, grid } from '../grid.ts'
import type { Format } from '../options.ts'
import { labelled, type Sink, styleOf, wrap } from '../terminal.ts'

/** The maximum number of rows on a terminal. */
const MAX_ROWS = 50

/** The widths of the names of columns, and of these with their types, in a description of tables. */
const NAME_WIDTH = 20
const MEANING_INDENT = 38

const namesOf = (result: SqlResult): string[] => columnsOf(result).map(({ name }) => name)

const cellText = (value: unknown): string => {
  if (value === null) return ABSENT
  return readableLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const writePage = async (result: SqlResult, stdout: Sink, signal: AbortSignal): Promise<void> => {
  const visible: unknown[][] = []
  let count = 0
  for await (const rows of rowsOf(result, signal)) {
    visible.push(...rows.slice(0, MAX_ROWS - visible.length))
    count += rows.length
  }
  const style = styleOf(stdout)
  const columns = columnsOf(result).map(({ name, kind }, at) => ({
    title: readableLine(name),
    isRight: kind === 'integer' || kind === 'number',
    cells: visible.map((row) => cellText(row[at])),
  }))
  const chosen = fitting(columns, stdout.columns, (column) => columns.indexOf(column))
  const hidden = columns.filter((column) => !chosen.includes(column)).map(({ title }) => title)
  const notes = [
    count > visible.length
      ? `${counted(count, 'row')}, the first ${visible.length} shown: --csv has all.`
      : counted(count, 'row'),
    ...(hidden.length > 0 ? [`No room for: ${hidden.join(', ')}; --csv has all.`] : []),
  ]
  const lines = [
    ...grid(chosen, stdout.columns, style),
    ...notes.flatMap((note) => wrap(note, stdout.columns)).map(style.dim),
  ]
  await stdout.write(`${lines.join('\n')}\n`)
}

/** The page of what describeSql returns: each table with its columns. */
export const writeDescription = async (result: SqlResult, stdout: Sink, signal: AbortSignal): Promise<void> => {
  const style = styleOf(stdout)
  let last: unknown
  for await (const rows of rowsOf(result, signal))
    for (const [table, table_meaning, column, type, meaning] of rows as string[][]) {
      const heading =
        table === last
          ? []
          : [...(last === undefined ? [] : ['']), style.bold(table!), ...wrap(table_meaning!, stdout.columns)]
      const lines = labelled(`  ${column!.padEnd(NAME_WIDTH)} ${type}`, meaning!, MEANING_INDENT, stdout.columns)
      await stdout.write([...heading, ...lines].map((line) => `${line}\n`).join(''))
      last = table
    }
}

const writeCsv = async (result: SqlResult, stdout: Sink, signal: AbortSignal): Promise<void> => {
  await stdout.write(csvRecords([namesOf(result)]))
  for await (const rows of rowsOf(result, signal)) await stdout.write(csvRecords(rows))
}

const writeJson = async (result: SqlResult, stdout: Sink, signal: AbortSignal): Promise<void> => {
  const names = namesOf(result)
  let separator = '['
  for await (const rows of rowsOf(result, signal)) {
    const objects = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at]]))))
    if (objects.length === 0) continue
    await stdout.write(`${separator}${objects.join(',\n')}`)
    separator = ',\n'
  }
  await stdout.write(separator === '[' ? '[]\n' : ']\n')
}

const writeArrow = async (result: SqlResult, stdout: Sink, signal: AbortSignal): Promise<void> => {
  const rows: unknown[][] = []
  for await (const chunk of rowsOf(result, signal)) rows.push(...chunk)
  const { arrowStream } = await import('../../formats/arrow.ts')
  await stdout.write(await arrowStream({ name: 'result', columns: columnsOf(result), rows }))
}

/** Writers of a result to standard output. CSV and JSON are written a chunk at a time. */
export const writers: Readonly<
  Record<Format, (result: SqlResult, stdout: Sink, signal: AbortSignal) => Promise<void>>
> = {
  page: writePage,
  csv: writeCsv,
  json: writeJson,
  arrow: writeArrow,
}
