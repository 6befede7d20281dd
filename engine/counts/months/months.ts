import { setImmediate } from 'node:timers/promises'
import { sliceOf } from '../../catalog/current-prices.ts'
import type { MonthPrices } from '../../catalog/month-prices.ts'
import { type Bindings, cancelled, type RunOptions } from '../../duckdb/pool.ts'
import type { AnyCount, Counted, NamedCounts } from '../count.ts'
import { createCounter } from '../counter.ts'
import type { SnapshotStatements } from '../duckdb.ts'
import type { Interpreter } from '../read.ts'
import type { Relation } from '../relations.ts'
import { BLOCK } from '../vectors.ts'
import { monthNumber } from './cells.ts'
import type { WrittenRows } from './columns.ts'
import { asFullMonths, withCutMonths } from './cut-months.ts'
import { indexPrices } from './index-prices.ts'
import { periodPrices, seriesPrices, seriesRelatives } from './series.ts'
import { observedSpans } from './spans.ts'
import { listingTurnover } from './turnover.ts'

/** At most so many listing-months are counted in memory: each takes about 50 bytes until it is, which a statement may spill. */
const MAX_CELLS = 2 ** 21

/** Milliseconds after which others get their turn. */
const TURN_MS = 10

type MonthRelation = {
  write: (prices: MonthPrices, bindings: Bindings) => WrittenRows
  /** Whether it is of the whole window, which may cut the first and the last month. */
  isOfWindow: boolean
}

const relations: Readonly<Partial<Record<Relation, MonthRelation>>> = {
  observed_span: { write: observedSpans, isOfWindow: true },
  period_price: { write: periodPrices, isOfWindow: true },
  series_price: { write: seriesPrices, isOfWindow: true },
  series_relative: { write: seriesRelatives, isOfWindow: true },
  index_price: { write: indexPrices, isOfWindow: false },
  listing_turnover: { write: listingTurnover, isOfWindow: false },
}

/** Whether a window cuts a month. */
const isCut = ({ whole_from, whole_to, month_from, month_to }: Bindings): boolean =>
  month_from !== whole_from || month_to !== whole_to

/** How many listing-months a scope has at most from a month on. */
const cellsAt = ({ listings, first, months }: MonthPrices, since: number, bindings: Bindings): number => {
  const [begin, end] = sliceOf(listings, bindings)
  const until = Math.min(monthNumber(String(bindings.month_to)), first + months.length - 1)
  return (end - begin) * (until - Math.max(since, first) + 1)
}

/** Whether a relation is in memory for these bindings. */
export const isInMonths = (from: Relation, prices: MonthPrices, bindings: Bindings): boolean => {
  const relation = relations[from]
  const { whole_from, whole_to, month_from, brand_id = null, gpc_first = null } = bindings
  if (!relation || typeof whole_from !== 'string' || whole_from > String(whole_to)) return false
  const since = monthNumber(String(relation.isOfWindow ? month_from : whole_from))
  if (!prices.is_complete && since < prices.first) return false
  if (cellsAt(prices, since, bindings) > MAX_CELLS) return false
  // Shelves do not say when a brand, a product type, or a part of a month was observed.
  return from !== 'observed_span' || (brand_id === null && gpc_first === null && !isCut(bindings))
}

const identity = Int32Array.from({ length: BLOCK }, (_, i) => i)

/** Counts the rows of one relation, by several declarations at once. */
const countRows = async (
  counts: readonly (readonly [string, AnyCount])[],
  written: WrittenRows,
  bindings: Bindings,
  { signal }: RunOptions,
): Promise<Record<string, Counted>> => {
  const counters = counts.map(([name, declared]) => ({
    name,
    where: declared.where ?? [],
    ...createCounter(declared, written, bindings, written.rows),
  }))
  let turn = performance.now()
  const giveWay = async (): Promise<void> => {
    if (performance.now() - turn < TURN_MS) return
    await setImmediate()
    if (signal?.aborted) throw cancelled()
    turn = performance.now()
  }
  for (const length of written.blocks()) {
    for (const { where, filter, add } of counters) add(filter(where, identity.subarray(0, length)))
    await giveWay()
  }
  const counted: Record<string, Counted> = {}
  for (const { name, finish } of counters) {
    const prepared = finish()
    for (const _ of prepared.prepare()) await giveWay()
    counted[name] = prepared
  }
  return counted
}

/**
 * Reads listing-months that are in memory, and all else by another interpreter. Logs may differ from those of statements by a unit
 * of LOG_UNIT, since logarithms do; no figure of an answer shows it.
 */
export const monthsInterpreter = (
  prices: MonthPrices | null | undefined,
  others: Interpreter,
  columns: SnapshotStatements['columns'],
): Interpreter => {
  if (!prices) return others
  const inMemory = async (counts: NamedCounts, bindings: Bindings, options: RunOptions) => {
    const counted: Record<string, Counted> = {}
    const entries = Object.entries(counts)
    const froms = [...new Set(entries.map(([, declared]) => declared.from))]
    const hasCut = froms.some((from) => relations[from]!.isOfWindow) && isCut(bindings)
    const window = hasCut ? await withCutMonths(prices, columns, bindings, options) : prices
    for (const from of froms) {
      const { write, isOfWindow } = relations[from]!
      const written = isOfWindow ? write(window, asFullMonths(bindings)) : write(prices, bindings)
      const same = entries.filter(([, declared]) => declared.from === from)
      Object.assign(counted, await countRows(same, written, bindings, options))
    }
    return counted
  }
  return {
    count: others.count,
    rows: others.rows,
    async all(step, bindings, options) {
      const entries = Object.entries(step.counts)
      const isInMemory = ([, { from }]: [string, AnyCount]) => isInMonths(from, prices, bindings)
      const rest = { ...step, counts: Object.fromEntries(entries.filter((entry) => !isInMemory(entry))) }
      const here = Object.fromEntries(entries.filter(isInMemory))
      const isAll = Object.keys(rest.counts).length + Object.keys(rest.rows).length === 0
      const [elsewhere, counted] = await Promise.all([
        isAll ? {} : others.all!(rest, bindings, options),
        inMemory(here, bindings, options),
      ])
      return { ...elsewhere, ...counted }
    },
  }
}
