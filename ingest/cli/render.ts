import { commandLine } from '../../engine/index.ts'
import type { FileReport, RefreshReport } from '../report.ts'
import type { Removal } from '../snapshot/publish.ts'
import { renderQuality } from './render-quality.ts'
import { alignColumns, counted, escaped, formatCount } from './table.ts'

const COLUMNS = ['feed', 'file', 'lines', 'rows read', 'kept', 'duplicates', 'quarantined', 'seconds'] as const
const TEXT_COLUMNS = 2

/** Months of the quality table that a report shows; `refresh quality` has them all. */
const MAX_QUALITY_ROWS = 24
const MAX_NAMES = 10

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, rows) => all + rows, 0)

const cellsOf = (file: FileReport): string[] => [
  file.feed,
  file.file,
  file.lines === null ? '-' : formatCount(file.lines),
  formatCount(file.rows_read),
  formatCount(file.kept),
  formatCount(sum(file.duplicates)),
  formatCount(sum(file.quarantined)),
  file.seconds.toFixed(1),
]

/** Counts by name, summed up. */
export const totals = (entries: readonly (readonly [string, number])[]): string[] => {
  const all = new Map<string, number>()
  for (const [name, rows] of entries) all.set(name, (all.get(name) ?? 0) + rows)
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, rows]) => `${name} ${formatCount(rows)}`)
}

/** Lines under a title; nothing if there are none. */
export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map((line) => `  ${escaped(line)}`)] : []

/** The first of many lines, and how many more there are. */
export const shortened = (lines: readonly string[]): string[] =>
  lines.length > MAX_NAMES ? [...lines.slice(0, MAX_NAMES), `and ${lines.length - MAX_NAMES} more`] : [...lines]

/** The columns that are not read, each with its files. */
export const unusedColumns = (files: readonly Pick<FileReport, 'file' | 'unused_columns'>[]): string[] => {
  const filesOf = new Map<string, string[]>()
  for (const { file, unused_columns } of files)
    for (const { column, nearest } of unused_columns) {
      const name = nearest ? `${column} (did you mean ${nearest}?)` : column
      filesOf.set(name, [...(filesOf.get(name) ?? []), file])
    }
  return [...filesOf].map(
    ([name, names]) => `${name}: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ''}`,
  )
}

const conflicts = ({ conflicts: { rows, listings, examples } }: RefreshReport): string[] =>
  rows === 0
    ? []
    : [
        `${formatCount(rows)} rows of ${counted(listings, 'listing')} have several prices at the same time; the lowest is kept`,
        ...examples
          .slice(0, 3)
          .map(({ retailer, country, listing_id, product_name, observed_at, prices, decimals }) => {
            const list = prices.map((price) => (price / 10 ** decimals).toFixed(decimals)).join(', ')
            return `${retailer} ${country} ${listing_id}${product_name ? ` (${product_name})` : ''} at ${observed_at}: ${list}`
          }),
      ]

const changedLines = ({ status, withdrawn, replaced }: RefreshReport): string[] => {
  const isDone = status === 'published'
  const withdrawal = `${counted(withdrawn, 'observation')} ${isDone ? 'left' : 'would leave'} the lake`
  const newer = `${counted(replaced, 'observation')} of the lake ${isDone ? 'had' : 'would have'} a newer one of the same day in place`
  return [...(withdrawn > 0 ? ['', withdrawal] : []), ...(replaced > 0 ? ['', newer] : [])]
}

const qualityLines = ({ quality }: RefreshReport): string[] => {
  const lines = renderQuality(quality.slice(-MAX_QUALITY_ROWS))
  const more = quality.length - MAX_QUALITY_ROWS
  return more > 0 ? [...lines, `and ${more} more: ${commandLine('refresh', 'quality')}`] : lines
}

const outcome = (report: RefreshReport, lake: string): string[] => {
  const { status, snapshot_id, previous, reasons, quarantine } = report
  const served = previous ?? 'no snapshot'
  const next: Record<RefreshReport['status'], string[]> = {
    published: [
      `published ${snapshot_id} (previous: ${served})`,
      `query it: ${commandLine('shelfmark', `--lake ${lake}`)}; go back: ${commandLine('refresh', `rollback --lake ${lake}`)}`,
    ],
    unchanged: [`unchanged: the lake serves ${served}`],
    dry_run: [`dry run: nothing is published, the lake serves ${served}`],
    refused: ['refused: nothing is published', ...reasons.map((reason) => `  ${escaped(reason)}`)],
  }
  return ['', ...next[status], ...(quarantine ? [`refused rows: ${quarantine}`] : [])]
}

/** A report as text: a line for each file, what is not used of them, the quality table, and the outcome. */
export const renderReport = (report: RefreshReport, lake: string): string => {
  const { files, entities, matches, not_read, unmatched_globs, warnings } = report
  const dropped = files.flatMap(({ dropped_values }) =>
    dropped_values.map(({ field, reason, count: rows }) => [`${field} ${reason}`, rows] as const),
  )
  const barcodes = Object.entries(report.dropped_barcodes).map(([reason, rows]) => [`gtin ${reason}`, rows] as const)
  const cells = files.flatMap(({ file, empty_cells }) =>
    empty_cells > 0 ? `${file}: ${counted(empty_cells, 'empty cell')} of the columns that "unpivot" names` : [],
  )
  const unread = not_read.map(({ file, reason }) => `${file}: ${reason}`)
  const globs = unmatched_globs.map(({ feed, glob }) => `${feed}: ${glob} matches no file`)
  return [
    ...(files.length > 0 ? alignColumns([COLUMNS, ...files.map(cellsOf)], TEXT_COLUMNS) : []),
    ...section('quarantined', totals(files.flatMap(({ quarantined }) => Object.entries(quarantined)))),
    ...section('values dropped', totals([...dropped, ...barcodes])),
    ...section('cells that make no row', cells),
    ...section('columns not used', shortened(unusedColumns(files))),
    ...section('files not read', shortened([...unread, ...globs])),
    ...section('conflicting prices', conflicts(report)),
    ...section('quality', qualityLines(report)),
    ...section('questions', shortened(report.questions)),
    ...section(
      'listings joined across shops by tier',
      entities && matches ? matchedLines(entities.matched, matches.likely, report.counts.listings ?? 0) : [],
    ),
    ...section('barcodes not trusted', totals(Object.entries(entities?.suspect_barcodes ?? {}))),
    ...section('listings in another entity', totals(Object.entries(entities?.changes ?? {}))),
    ...section('warnings', warnings),
    ...changedLines(report),
    ...outcome(report, lake),
  ].join('\n')
}

const matchedLines = (certain: number, likely: number, listings: number): string[] => [
  `certain: ${formatCount(certain)} of ${formatCount(listings)} are of an entity that two or more retailers offer`,
  `likely: ${formatCount(likely)} more are of a likely product that two or more shops offer`,
]

/** The result of a prune. */
export const renderRemoval = ({ removed, in_use, warnings }: Removal): string =>
  [
    removed.length > 0 ? `removed ${removed.join(', ')}` : 'nothing to remove',
    ...in_use.map((id) => `${id} is in use and stays`),
    ...warnings.map(escaped),
  ].join('\n')
