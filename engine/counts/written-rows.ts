import { giveWay } from '../contract/turn.ts'
import { type Bindings, cancelled, type RunOptions } from '../duckdb/pool.ts'
import type { Counted, NamedCounts } from './count.ts'
import { createCounter } from './counter.ts'
import type { KeyRange } from './numbering.ts'
import { LONG_PART } from './slots.ts'
import { BLOCK, type ColumnSource, partsOf } from './vectors.ts'

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

/** A block of a long column, with the parts that are added up. */
export const blockOfLong = (name: string) => {
  const values = new Float64Array(BLOCK)
  const parts = { high: new Int32Array(BLOCK), low: new Int32Array(BLOCK), has_value: new Int32Array(BLOCK) }
  const names = partsOf(name)
  return {
    columns: { [name]: values, [names.high]: parts.high, [names.low]: parts.low, [names.has_value]: parts.has_value },
    set(at: number, value: number): void {
      const high = Math.trunc(value / LONG_PART)
      values[at] = value
      parts.high[at] = high
      parts.low[at] = value - high * LONG_PART
      parts.has_value[at] = 1
    },
    setUnknown(at: number): void {
      values[at] = 0
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

const identity = Int32Array.from({ length: BLOCK }, (_, i) => i)

/** Counts the rows of one relation, by several declarations at once. */
export const countWritten = async (
  counts: NamedCounts,
  written: WrittenRows,
  bindings: Bindings,
  { signal }: RunOptions,
): Promise<Record<string, Counted>> => {
  const counters = Object.entries(counts).map(([name, declared]) => ({
    name,
    where: declared.where ?? [],
    ...createCounter(declared, written, bindings, written.rows),
  }))
  const pause = async (): Promise<void> => {
    await giveWay()
    if (signal?.aborted) throw cancelled()
  }
  for (const length of written.blocks()) {
    for (const { where, filter, add, makeRoom } of counters) {
      for (const _ of makeRoom()) await pause()
      add(filter(where, identity.subarray(0, length)))
    }
    await pause()
  }
  const counted: Record<string, Counted> = {}
  for (const { name, finish } of counters) {
    const prepared = finish()
    for (const _ of prepared.prepare()) await pause()
    counted[name] = prepared
  }
  return counted
}

/** What is being read for this query and later ones; it goes on where this one is cancelled. */
export const unlessCancelled = <T>(reading: Promise<T>, { signal }: RunOptions): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(cancelled())
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
    reading.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
