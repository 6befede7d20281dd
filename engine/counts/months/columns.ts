import type { KeyRange } from '../numbering.ts'
import { LONG_PART } from '../slots.ts'
import { BLOCK, type ColumnSource, partsOf } from '../vectors.ts'

/** The rows of a relation, written a block at a time into the same columns. */
export type WrittenRows = ColumnSource & {
  /** At most so many rows. */
  rows: number
  /** Writes the next rows and yields their number. */
  blocks(): Iterable<number>
}

export type IntColumns<N extends string> = Record<N, Int32Array>

/** Columns for a block. */
export const blockOf = <const N extends string>(...names: N[]): IntColumns<N> =>
  Object.fromEntries(names.map((name) => [name, new Int32Array(BLOCK)])) as IntColumns<N>

/** A block of logs of price relatives, with the parts that are added up. */
export const blockOfLogs = () => {
  const log = new Float64Array(BLOCK)
  const parts = { high: new Int32Array(BLOCK), low: new Int32Array(BLOCK), has_value: new Int32Array(BLOCK) }
  const names = partsOf('log')
  return {
    columns: { log, [names.high]: parts.high, [names.low]: parts.low, [names.has_value]: parts.has_value },
    set(at: number, value: number): void {
      const high = Math.trunc(value / LONG_PART)
      log[at] = value
      parts.high[at] = high
      parts.low[at] = value - high * LONG_PART
      parts.has_value[at] = 1
    },
    setUnknown(at: number): void {
      log[at] = 0
      parts.high[at] = 0
      parts.low[at] = 0
      parts.has_value[at] = 0
    },
  }
}

const IS_FLAG: KeyRange = { low: 0, size: 2 }

/** The ranges of columns that are keys, each computed when it is one. */
export type KeyRanges = Readonly<Record<string, () => KeyRange>>

/** Rows that are written into columns, with the ranges of those that are no flags. */
export const writtenRows = (
  columns: Readonly<Record<string, ArrayLike<number>>>,
  ranges: KeyRanges,
  rows: number,
  blocks: () => Iterable<number>,
): WrittenRows => ({
  rows,
  column: (name) => columns[name]!,
  range: (name) => ranges[name]?.() ?? IS_FLAG,
  blocks,
})
