import { shortened as listedLines, section, totals, unusedColumns } from '../../cli/render.ts'
import { alignColumns, escaped, formatCount } from '../../cli/table.ts'
import { COLUMNS_OF, FEEDS } from '../../feeds/columns.ts'
import { hintAfter } from '../../feeds/fault-hints.ts'
import type { CheckResult } from '../check.ts'
import { shortened } from '../columns/kinds.ts'
import { UNDECIDED } from '../propose/groups.ts'
import type { RefusedRows, TrialFile, TrialRow } from '../trial.ts'

const DEFAULT_WIDTH = 120
const MAX_TEXT = 60
const MAX_CELL = 32
const INDENT = '  '

/** A titled table of texts, indented. */
const table = (title: string, rows: readonly (readonly string[])[], texts: number): string[] => {
  const cells = rows.map((row) => row.map(escaped))
  return ['', escaped(title), ...alignColumns(cells, texts).map((line) => INDENT + line)]
}

const listed = (names: readonly string[]): string =>
  names.length > 3 ? [...names.slice(0, 3), `and ${names.length - 3} more`].join(', ') : names.join(', ')

const refusedOf = ({ quarantined }: TrialFile): number =>
  Object.values(quarantined).reduce((sum, rows) => sum + rows, 0)

const DELIMITERS: Readonly<Record<string, string>> = { '\t': 'tab', ' ': 'space' }

const fileLines = (files: readonly TrialFile[]): string[] => {
  const head = ['file', 'feed', 'format', 'encoding', 'delimiter', 'lines', 'rows', 'kept', 'refused']
  const cells = files.map((file) => [
    file.file,
    file.feed,
    file.format,
    file.encoding ?? '-',
    file.delimiter === null ? '-' : (DELIMITERS[file.delimiter] ?? file.delimiter),
    file.lines === null ? '-' : formatCount(file.lines),
    ...[file.rows_read, file.kept, refusedOf(file)].map(formatCount),
  ])
  return files.length > 0 ? alignColumns([head, ...cells], 5) : []
}

const groupLines = (groups: CheckResult['groups']): string[] =>
  groups.flatMap(({ feed, files, columns }) => {
    const cells = columns.map(({ column, source, reason }) => [column, shortened(source, MAX_TEXT), reason])
    return table(`${feed} of ${listed(files)}`, [['column', 'read from', 'reason'], ...cells], 3)
  })

/** Every column of each group of files, with what its values look like and why it is not read. */
const columnLines = (groups: CheckResult['columns']): string[] =>
  groups.flatMap(({ files, columns }) => {
    const head = ['column', 'values', 'read as', 'different', 'price', 'date', 'barcode', 'address']
    const cells = columns.map(({ name, values, distinct, read_as, why_not, price, date, barcode, address }) => [
      shortened(name, 30) || '(no name)',
      shortened(values.join(' | '), 50),
      read_as.join(', ') || `- ${why_not}`,
      formatCount(distinct),
      ...[price, date, barcode, address].map((share) => (share === 0 ? '-' : `${Math.round(share * 100)} %`)),
    ])
    return table(`columns of ${listed(files)}`, [head, ...cells], 3)
  })

/** JSON for a terminal: control characters that JSON leaves as they are become escapes. */
const jsonLines = (value: unknown): string[] => {
  const coded = (letter: string) => `\\u${letter.codePointAt(0)!.toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, coded))
}

const mappingLines = ({ mapping, skeleton }: CheckResult): string[] => {
  if (mapping === null) return []
  if (Object.keys(mapping).length > 0) {
    const title =
      'mapping, to save as mapping.json (--yes writes it with the defaults, --json prints it under "mapping")'
    return ['', title, ...jsonLines(mapping)]
  }
  if (skeleton === null) return ['', 'no mapping: no file has prices, products or posts']
  const reason = 'no mapping is proposed: nothing says which column is a price'
  return ['', `${reason}. Replace each ${UNDECIDED}, and save this as mapping.json`, ...jsonLines(skeleton)]
}

const refusalLine = ({ code, rows, example: { file, line, field, value } }: RefusedRows): string => {
  const where = `${file}${line === null ? '' : ` line ${line}`}`
  const what = value === null ? '' : `: ${field === null ? '' : `${field} `}${shortened(value, MAX_TEXT)}`
  return `${code} ${formatCount(rows)}, such as ${where}${what}${hintAfter('; ', code, file)}`
}

const cellOf = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' | ') : String(value ?? '').replace('T00:00:00.000Z', '')
  return escaped(shortened(text, MAX_CELL))
}

/** Rows as a table whose columns stand side by side as far as they fit, the rest below them. */
const rowsOfFeed = (rows: readonly TrialRow[], width: number): string[] => {
  const filled = COLUMNS_OF[rows[0]!.feed].filter((column) => rows.some(({ values }) => values[column] !== undefined))
  const bands: string[][][] = []
  let remaining = 0
  for (const column of filled) {
    const cells = [column, ...rows.map(({ values }) => cellOf(values[column]))]
    const columnWidth = Math.max(...cells.map(({ length }) => length)) + 2
    if (remaining < columnWidth) {
      bands.push(cells.map(() => []))
      remaining = width - INDENT.length
    }
    for (const [index, cell] of cells.entries()) bands.at(-1)![index]!.push(cell)
    remaining -= columnWidth
  }
  return bands.flatMap((band, index) => [
    ...(index > 0 ? [''] : []),
    ...alignColumns(band, band[0]!.length).map((line) => INDENT + line),
  ])
}

const rowLines = ({ rows, groups }: CheckResult, width: number): string[] => {
  if (rows.length === 0) return []
  const isOpen = groups.some(({ stand_ins }) => stand_ins.length > 0)
  const ofFeeds = FEEDS.map((feed) => rows.filter((row) => row.feed === feed)).filter(({ length }) => length > 0)
  const tables = ofFeeds.flatMap((ofFeed, index) => [
    ...(index > 0 ? [''] : []),
    ...(ofFeeds.length > 1 ? [`${INDENT}${ofFeed[0]!.feed}:`] : []),
    ...rowsOfFeed(ofFeed, width),
  ])
  return ['', `rows as they would be read${isOpen ? `; ${UNDECIDED} is to be decided` : ''}`, ...tables]
}

const outcomeLine = ({ files, problems }: CheckResult): string => {
  const sum = (of: (file: TrialFile) => number) => formatCount(files.reduce((total, file) => total + of(file), 0))
  const counts = `${sum(({ rows_read }) => rows_read)} rows: ${sum(({ kept }) => kept)} would be kept, before duplicates, and ${sum(refusedOf)} refused`
  return problems.length > 0 ? `${counts}; a refresh would publish nothing` : counts
}

/** The result of a check as text. */
export const renderCheck = (checked: CheckResult, width = DEFAULT_WIDTH): string => {
  const { files, unread, unmatched_globs, decisions, notes, refusals, problems, unused, questions } = checked
  const unusedByFile = unused.map(({ file, ...column }) => ({ file, unused_columns: [column] }))
  const numbered = decisions.map((decision, index) => `${index + 1}. ${decision}`)
  const dropped = files.flatMap(({ dropped_values }) => dropped_values)
  const others = [
    ...unread.map(({ file, reason }) => `${file}: ${reason.replace(`${file}: `, '')}`),
    ...unmatched_globs.map(({ feed, glob }) => `${feed}: ${glob} matches no file`),
  ]
  const questionLines = questions.map(
    ({ text, default: preset, is_guess }) =>
      `${text} [${preset}]${is_guess ? ', a guess: nothing in the files decides it' : ''}`,
  )
  return [
    ...fileLines(files),
    ...groupLines(checked.groups),
    ...columnLines(checked.columns),
    ...mappingLines(checked),
    ...section('to be decided', numbered),
    ...section('notes', notes),
    ...section('columns not used', listedLines(unusedColumns(unusedByFile))),
    ...section('files not read', listedLines(others)),
    ...rowLines(checked, width),
    ...section('rows refused', refusals.map(refusalLine)),
    ...section('values dropped', totals(dropped.map(({ field, reason, count }) => [`${field} ${reason}`, count]))),
    ...section('why a refresh would publish nothing', problems),
    ...section('questions (the default in brackets)', questionLines),
    '',
    outcomeLine(checked),
    ...(checked.next === null ? [] : [escaped(checked.next)]),
  ]
    .join('\n')
    .trimStart()
}
