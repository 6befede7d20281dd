import type { Feed } from './columns.ts'
import type { NumberedFile, UnusedColumn } from './layout.ts'
import type { Lines } from './read-text.ts'

/** One file that was read. */
export type StagedFile = NumberedFile &
  Lines & {
    rows_read: number
    /** Cells of unpivoted columns that are empty, which make no row. */
    empty_cells: number
    unused_columns: readonly UnusedColumn[]
    /** The columns of its feed that it has. */
    columns: readonly string[]
    seconds: number
  }

/** Files that are read together. */
export type Batch = {
  feed: Feed
  files: StagedFile[]
  /** The relation of their checked rows. */
  rows: string
  /** Whether any of these is invalid and must still be excluded. */
  has_faults: boolean
  /** Whether they were copied by country and month; other rows are read again when a month needs them. */
  is_copied: boolean
  /** The relation of the checked rows of some of its files, by their numbers. */
  narrow: (numbers: readonly number[]) => Promise<string>
}

/** Runs work on files. Undefined if that is refused, whose reason is recorded. */
export type UnlessRefused = <T>(work: () => Promise<T>) => Promise<T | undefined>
