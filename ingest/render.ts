import type { FileReport, RefreshReport } from './report.ts'

const count = (rows: number): string => rows.toLocaleString('en')

const COLUMNS = ['feed', 'file', 'rows read', 'kept', 'duplicates', 'quarantined', 'seconds'] as const
const FIRST_NUMBER = COLUMNS.indexOf('rows read')

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, rows) => all + rows, 0)

const cellsOf = (file: FileReport): string[] => [
  file.feed,
  file.file,
  count(file.rows_read),
  count(file.kept),
  count(sum(file.duplicates)),
  count(sum(file.quarantined)),
  file.seconds.toFixed(1),
]

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)))
  return rows.map((cells) =>
    cells.map((cell, at) => (at < FIRST_NUMBER ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  )
}

const totals = (entries: readonly (readonly [string, number])[]): string[] => {
  const all = new Map<string, number>()
  for (const [name, rows] of entries) all.set(name, (all.get(name) ?? 0) + rows)
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, rows]) => `  ${name} ${count(rows)}`)
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? ['', title, ...lines] : [])

const outcome = (report: RefreshReport, lake: string): string[] => {
  const { status, snapshot_id, previous, reasons, quarantine } = report
  const served = previous ?? 'no snapshot'
  const next: Record<RefreshReport['status'], string[]> = {
    published: [
      `published ${snapshot_id}, before it ${served}`,
      `to ask it something: npm run -s shelfmark -- --lake ${lake}; to go back: npm run -s refresh -- rollback --lake ${lake}`,
    ],
    unchanged: [`nothing new: the lake serves ${served}`],
    dry_run: [`dry run: nothing published, the lake serves ${served}`],
    refused: ['refused: nothing is published', ...reasons.map((reason) => `  ${reason}`)],
  }
  return ['', ...next[status], ...(quarantine ? [`refused rows: ${quarantine}`] : [])]
}

/** A report for people: a line for each file, then refused rows and dropped values by reason, then what came of it. */
export const renderReport = (report: RefreshReport, lake: string): string => {
  const { files } = report
  const dropped = files.flatMap(({ dropped_values }) =>
    dropped_values.map(({ field, reason, count: rows }) => [`${field} ${reason}`, rows] as const),
  )
  const barcodes = Object.entries(report.dropped_barcodes).map(([reason, rows]) => [`gtin ${reason}`, rows] as const)
  return [
    ...table([COLUMNS, ...files.map(cellsOf)]),
    ...section('quarantined', totals(files.flatMap(({ quarantined }) => Object.entries(quarantined)))),
    ...section('values dropped', totals([...dropped, ...barcodes])),
    ...section('listings by the anchor of their entity', totals(Object.entries(report.entities?.anchors ?? {}))),
    ...section('barcodes not trusted', totals(Object.entries(report.entities?.suspect_barcodes ?? {}))),
    ...section('listings in another entity', totals(Object.entries(report.entities?.changes ?? {}))),
    ...section('not read', totals(report.not_read.map(({ feed }) => [`${feed}, files`, 1] as const))),
    ...outcome(report, lake),
  ].join('\n')
}
