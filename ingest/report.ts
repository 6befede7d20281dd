import type { EntityReport } from './entities/entities.ts'
import type { StagedFile } from './feeds/stage.ts'
import type { ReferenceReport } from './reference/reference.ts'

/** One file: its rows read are those kept, those that say what is known, and those refused. */
export type FileReport = {
  feed: string
  file: string
  rows_read: number
  kept: number
  duplicates: { same_key: number; same_day: number }
  quarantined: Record<string, number>
  /** Values left out of rows that were kept. */
  dropped_values: { field: string; reason: string; count: number }[]
  /** Columns that nothing reads. */
  ignored_columns: readonly string[]
  seconds: number
}

/**
 * What a refresh did. `published`: the lake has a new snapshot; `unchanged`: the files said nothing new; `refused`: they
 * break a limit, told in `reasons`; `dry_run`: all but publishing.
 */
export type RefreshReport = {
  status: 'published' | 'unchanged' | 'refused' | 'dry_run'
  reasons: string[]
  snapshot_id: string | null
  previous: string | null
  digest: string | null
  files: FileReport[]
  not_read: { feed: string; file: string }[]
  /** Days that change points were carried over. */
  carried: number
  /** Barcodes that are none, by reason, a listing each. */
  dropped_barcodes: Record<string, number>
  /** Null where a refresh was refused before it came to them. */
  entities: EntityReport | null
  reference: ReferenceReport | null
  counts: Record<string, number>
  /** The file of refused rows; null where none was refused. */
  quarantine: string | null
  seconds: number
}

export type Duplicate = { file: number; kind: 'same_key' | 'same_day'; rows: number }

export const fileReport = (file: StagedFile, duplicates: readonly Duplicate[]): FileReport => {
  const { feed, name, rows_read, quarantined, dropped_values, ignored_columns, seconds } = file
  const count = (kind: Duplicate['kind']) =>
    duplicates.filter((row) => row.file === file.number && row.kind === kind).reduce((sum, row) => sum + row.rows, 0)
  const same_key = count('same_key')
  const same_day = count('same_day')
  const refused = Object.values(quarantined).reduce((sum, rows) => sum + rows, 0)
  return {
    feed,
    file: name,
    rows_read,
    kept: rows_read - same_key - same_day - refused,
    duplicates: { same_key, same_day },
    quarantined,
    dropped_values,
    ignored_columns,
    seconds: Math.round(seconds * 1000) / 1000,
  }
}
