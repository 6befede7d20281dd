import { section, shortened, totals, unusedColumns } from '../../cli/render.ts'
import { alignColumns, escaped, formatCount } from '../../cli/table.ts'
import { FAULT_HINTS } from '../../feeds/fault-hints.ts'
import type { CheckResult } from '../check.ts'
import type { FileGroup } from '../propose/groups.ts'
import { UNDECIDED } from '../propose/groups.ts'
import type { RefusedRows, TrialFile } from '../trial.ts'
import { renderRows } from './render-rows.ts'

const DEFAULT_WIDTH = 120
const MAX_TEXT = 60

const shorten = (text: string, max_length = MAX_TEXT): string =>
  text.length > max_length ? `${text.slice(0, max_length - 3)}...` : text

const FILE_COLUMNS = ['file', 'feed', 'format', 'encoding', 'delimiter', 'lines', 'rows', 'kept', 'refused']
const FILE_TEXT_COLUMNS = 5

const DELIMITERS: Readonly<Record<string, string>> = { '\t': 'tab', ' ': 'space' }

const refusedOf = ({ quarantined }: TrialFile): number =>
  Object.values(quarantined).reduce((sum, rows) => sum + rows, 0)

const cellsOf = (file: TrialFile): string[] => [
  file.file,
  file.feed,
  file.format,
  file.encoding ?? '-',
  file.delimiter === null ? '-' : (DELIMITERS[file.delimiter] ?? file.delimiter),
  file.lines === null ? '-' : formatCount(file.lines),
  formatCount(file.rows_read),
  formatCount(file.kept),
  formatCount(refusedOf(file)),
]

const groupLines = ({ feed, files, columns }: FileGroup): string[] => {
  const names = files.length > 3 ? [...files.slice(0, 3), `and ${files.length - 3} more`] : files
  const cells = columns.map(({ column, source, reason }) => [column, shorten(source), reason])
  return [
    '',
    escaped(`${feed} of ${names.join(', ')}`),
    ...alignColumns([['column', 'read from', 'reason'], ...cells], 3).map((line) => `  ${line}`),
  ]
}

/** JSON for a terminal: control characters that JSON leaves as they are become escapes. */
const jsonLines = (value: unknown): string[] =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) =>
      line.replace(
        /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
        (letter) => `\\u${letter.codePointAt(0)!.toString(16).padStart(4, '0')}`,
      ),
    )

const mappingLines = ({ mapping, skeleton }: CheckResult): string[] => {
  if (mapping === null) return []
  if (skeleton === null && Object.keys(mapping).length === 0)
    return ['', 'no mapping: no file has prices, products or posts']
  if (Object.keys(mapping).length === 0)
    return [
      '',
      `no mapping is proposed: nothing says which column is a price. Replace each ${UNDECIDED}, and save this as mapping.json`,
      ...jsonLines(skeleton),
    ]
  const title = 'mapping, to save as mapping.json (--yes writes it with the defaults, --json prints it under "mapping")'
  return ['', title, ...jsonLines(mapping)]
}

const PERCENT_COLUMNS = ['price', 'date', 'barcode', 'address'] as const

const percentOf = (share: number): string => (share === 0 ? '-' : `${Math.round(share * 100)} %`)

/** Every column of each group of files, with what its values look like and why it is not read. */
const columnLines = (groups: CheckResult['columns']): string[] =>
  groups.flatMap(({ files, columns }) => {
    const names = files.length > 3 ? [...files.slice(0, 3), `and ${files.length - 3} more`] : files
    const cells = columns.map(({ name, values, distinct, read_as, why_not, ...shares }) => [
      shorten(name, 30) || '(no name)',
      shorten(values.join(' | '), 50),
      read_as.join(', ') || `- ${why_not}`,
      formatCount(distinct),
      ...PERCENT_COLUMNS.map((share) => percentOf(shares[share])),
    ])
    const head = ['column', 'values', 'read as', 'different', ...PERCENT_COLUMNS]
    const table = alignColumns([head, ...cells.map((row) => row.map(escaped))], 3)
    return ['', escaped(`columns of ${names.join(', ')}`), ...table.map((line) => `  ${line}`)]
  })

const questionLines = ({ questions }: CheckResult): string[] =>
  section(
    'questions (the default in brackets)',
    questions.map(({ text, default: preset }) => `${text} [${preset}]`),
  )

const refusalLine = ({ code, rows, example: { file, line, field, value } }: RefusedRows): string => {
  const where = `${file}${line === null ? '' : ` line ${line}`}`
  const what = value === null ? '' : `: ${field === null ? '' : `${field} `}${shorten(value)}`
  const hint = FAULT_HINTS[code]
  return `${code} ${formatCount(rows)}, such as ${where}${what}${hint ? `; ${hint}` : ''}`
}

const droppedLines = (files: readonly TrialFile[]): string[] =>
  totals(
    files.flatMap(({ dropped_values }) =>
      dropped_values.map(({ field, reason, count }) => [`${field} ${reason}`, count] as const),
    ),
  )

const rowLines = ({ rows, groups }: CheckResult, width: number): string[] => {
  if (rows.length === 0) return []
  const isOpen = groups.some(({ stand_ins }) => stand_ins.length > 0)
  const title = `rows as they would be read${isOpen ? `; ${UNDECIDED} is to be decided` : ''}`
  return ['', title, ...renderRows(rows, width)]
}

const outcomeLine = ({ files, problems }: CheckResult): string => {
  const sum = (of: (file: TrialFile) => number) => formatCount(files.reduce((total, file) => total + of(file), 0))
  const counts = `${sum(({ rows_read }) => rows_read)} rows: ${sum(({ kept }) => kept)} would be kept, before duplicates, and ${sum(refusedOf)} refused`
  return problems.length > 0 ? `${counts}; a refresh would publish nothing` : counts
}

/** The result of a check as text. */
export const renderCheck = (checked: CheckResult, width = DEFAULT_WIDTH): string => {
  const { files, groups, unread, unmatched_globs, decisions, notes, refusals, problems, unused } = checked
  const others = [
    ...unread.map(({ file, reason }) => `${file}: ${reason.replace(`${file}: `, '')}`),
    ...unmatched_globs.map(({ feed, glob }) => `${feed}: ${glob} matches no file`),
  ]
  return [
    ...(files.length > 0 ? alignColumns([FILE_COLUMNS, ...files.map(cellsOf)], FILE_TEXT_COLUMNS) : []),
    ...groups.flatMap(groupLines),
    ...columnLines(checked.columns),
    ...mappingLines(checked),
    ...section(
      'to be decided',
      decisions.map((decision, index) => `${index + 1}. ${decision}`),
    ),
    ...section('notes', notes),
    ...section(
      'columns not used',
      shortened(unusedColumns(unused.map(({ file, ...column }) => ({ file, unused_columns: [column] })))),
    ),
    ...section('files not read', shortened(others)),
    ...rowLines(checked, width),
    ...section('rows refused', refusals.map(refusalLine)),
    ...section('values dropped', droppedLines(files)),
    ...section('why a refresh would publish nothing', problems),
    ...questionLines(checked),
    '',
    outcomeLine(checked),
    escaped(checked.next),
  ]
    .join('\n')
    .trimStart()
}
