import { z } from 'zod'
import type { EntityReport } from './entities/entities.ts'
import type { Conflicts } from './facts/conflicts.ts'
import type { Quality } from './facts/quality.ts'
import type { Unused } from './feeds/discover.ts'
import type { UnusedColumn } from './feeds/layout.ts'
import type { StagedFile } from './feeds/stage.ts'
import type { ReferenceReport } from './reference/reference.ts'

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
  kept: number
  duplicates: { same_key: number; same_day: number }
  quarantined: Record<string, number>
  /** Values left out of rows that were kept. */
  dropped_values: { field: string; reason: string; count: number }[]
  /** Columns that nothing reads, each with the column of the feed that its name is nearest to. */
  unused_columns: readonly UnusedColumn[]
  seconds: number
}

/**
 * What a refresh did. `published`: the lake has a new snapshot; `unchanged`: the files hold nothing new; `refused`: a
 * limit is broken, for `reasons`; `dry_run`: all but publishing.
 */
export type RefreshReport = {
  status: 'published' | 'unchanged' | 'refused' | 'dry_run'
  reasons: string[]
  snapshot_id: string | null
  previous: string | null
  digest: string | null
  files: FileReport[]
  not_read: Unused[]
  /** Globs of the mapping that no file matches. */
  unmatched_globs: { feed: string; glob: string }[]
  /** A row for each retailer, country and month that rows arrived of. */
  quality: Quality[]
  /** Rows of one listing and instant that disagree in price. */
  conflicts: Conflicts
  /** Days that change points were carried over. */
  carried: number
  /** Observations that left the lake: withdrawn, or replaced by the delivery of a whole month. */
  withdrawn: number
  /** Barcodes that are none, by reason, a listing each. */
  dropped_barcodes: Record<string, number>
  /** Null where a refresh was refused before entities were resolved. */
  entities: EntityReport | null
  reference: ReferenceReport | null
  counts: Record<string, number>
  /** The file of refused rows; null where none was refused. */
  quarantine: string | null
  /** What could not be done beside it, such as removing a snapshot that is in use. */
  warnings: string[]
  seconds: number
}

/** Rows of a file by what became of them: duplicates, refused by code, values dropped by `field:reason`. */
export const outcomeSchema = z.object({
  file: z.int(),
  kind: z.enum(['same_key', 'same_day', 'carried', 'quarantined', 'dropped']),
  name: z.string().nullable(),
  rows: z.number(),
})
export type Outcome = z.output<typeof outcomeSchema>

const byName = (outcomes: readonly Outcome[], kind: Outcome['kind']): [string, number][] =>
  outcomes.filter((outcome) => outcome.kind === kind).map(({ name, rows }) => [name ?? '', rows])

export const fileReport = (file: StagedFile, all: readonly Outcome[]): FileReport => {
  const { feed, name, rows_read, lines, header_lines, blank_lines, continuation_lines, unused_columns, seconds } = file
  const outcomes = all.filter((outcome) => outcome.file === file.number)
  const rowsOf = (kind: Outcome['kind']) => byName(outcomes, kind).reduce((sum, [, rows]) => sum + rows, 0)
  const duplicates = { same_key: rowsOf('same_key'), same_day: rowsOf('same_day') }
  return {
    feed,
    file: name,
    ...{ lines, header_lines, blank_lines, continuation_lines },
    rows_read,
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
