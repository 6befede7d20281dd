import { z } from 'zod'
import type { EntityReport } from './entities/entities.ts'
import type { Conflicts } from './facts/conflicts.ts'
import type { Quality } from './facts/quality.ts'
import type { NotRead } from './feeds/discover.ts'
import type { UnusedColumn } from './feeds/layout.ts'
import type { StagedFile } from './feeds/stage.ts'
import type { MatchReport } from './matches/matches.ts'
import type { ProductTypes } from './reference/gpc-shelves.ts'

/**
 * One file. Its rows: rows_read = kept + duplicates + quarantined. Its lines: lines = header_lines + rows_read +
 * continuation_lines + blank_lines.
 */
export type FileReport = {
  feed: string
  file: string
  /** Physical lines; null for Parquet and JSON documents, whose rows have none. */
  lines: number | null
  header_lines: number
  blank_lines: number
  /** Lines of rows after their first. */
  continuation_lines: number
  rows_read: number
  /** Cells of columns that the mapping unpivots that are empty, which make no row. */
  empty_cells: number
  kept: number
  duplicates: { same_key: number; same_day: number }
  quarantined: Record<string, number>
  /** Dropped values of kept rows. */
  dropped_values: { field: string; reason: string; count: number }[]
  /** Columns that are not read, each with the column of the feed with the nearest name. */
  unused_columns: readonly UnusedColumn[]
  seconds: number
}

/** The report of a refresh on its reference data. */
export type ReferenceReport = {
  gpc_release: string | null
  /** Browse nodes by how they are matched: `self`, `inherited`, or why not. */
  browse_nodes: Record<string, number>
  /** Listings by the source of their type; of those whose retailer gives it, whether the other sources agree. */
  product_types: ProductTypes
}

/**
 * The result of a refresh. `published`: the lake has a new snapshot; `unchanged`: the files have nothing new;
 * `refused`: a limit is exceeded, see `reasons`; `dry_run`: everything except publishing.
 */
export type RefreshReport = {
  status: 'published' | 'unchanged' | 'refused' | 'dry_run'
  reasons: string[]
  snapshot_id: string | null
  previous: string | null
  digest: string | null
  files: FileReport[]
  not_read: NotRead[]
  /** Globs of the mapping that no file matches. */
  unmatched_globs: { feed: string; glob: string }[]
  /** A row for each retailer, country and month with new rows. */
  quality: Quality[]
  /** What the data leave open, as questions: whether list prices are recommended ones. */
  questions: string[]
  /** Rows of the same listing and time with different prices. */
  conflicts: Conflicts
  /** Days to which change points were carried. */
  carried: number
  /** Observations removed from the lake: withdrawn, or replaced by the delivery of a whole month. */
  withdrawn: number
  /** Observations of the lake in whose place a newer one of the same listing and day came. */
  replaced: number
  /** Listings with invalid barcodes, by reason. */
  dropped_barcodes: Record<string, number>
  /** Null if the refresh was refused before entities were resolved. */
  entities: EntityReport | null
  /** Null if the refresh was refused before listings were matched. */
  matches: MatchReport | null
  reference: ReferenceReport | null
  counts: Record<string, number>
  /** The file of refused rows; null if no row was refused. */
  quarantine: string | null
  /** Minor failures, such as not removing a snapshot that is in use. */
  warnings: string[]
  seconds: number
}

/** Row counts of a file by outcome: duplicates, refused by code, values dropped by `field:reason`. */
export const outcomeSchema = z.object({
  file: z.int(),
  kind: z.enum(['same_key', 'same_day', 'carried', 'quarantined', 'dropped']),
  name: z.string().nullable(),
  rows: z.number(),
})
export type RowOutcome = z.output<typeof outcomeSchema>

const byName = (outcomes: readonly RowOutcome[], kind: RowOutcome['kind']): [string, number][] =>
  outcomes.filter((outcome) => outcome.kind === kind).map(({ name, rows }) => [name ?? '', rows])

export const fileReport = (file: StagedFile, all: readonly RowOutcome[]): FileReport => {
  const {
    feed,
    name,
    rows_read,
    empty_cells,
    lines,
    header_lines,
    blank_lines,
    continuation_lines,
    unused_columns,
    seconds,
  } = file
  const outcomes = all.filter((outcome) => outcome.file === file.number)
  const rowsOf = (kind: RowOutcome['kind']) => byName(outcomes, kind).reduce((sum, [, rows]) => sum + rows, 0)
  const duplicates = { same_key: rowsOf('same_key'), same_day: rowsOf('same_day') }
  return {
    feed,
    file: name,
    ...{ lines, header_lines, blank_lines, continuation_lines },
    rows_read,
    empty_cells,
    kept: rows_read - duplicates.same_key - duplicates.same_day - rowsOf('quarantined'),
    duplicates,
    quarantined: Object.fromEntries(byName(outcomes, 'quarantined')),
    dropped_values: byName(outcomes, 'dropped').map(([text, count]) => {
      const [field = '', reason = ''] = text.split(':')
      return { field, reason, count }
    }),
    unused_columns,
    seconds: Math.round(seconds * 1000) / 1000,
  }
}
