import { sliceOf } from '../../catalog/current-prices.ts'
import type { MonthPrices } from '../../catalog/month-prices.ts'
import { addDays, dayNumber } from '../../contract/days.ts'
import type { Bindings, RunOptions } from '../../duckdb/pool.ts'
import { MAX_SALE_DAYS } from '../../statistics/price-setting.ts'
import type { Counted, NamedCounts } from '../count.ts'
import type { SnapshotStatements } from '../duckdb.ts'
import type { MemoryRelations } from '../read.ts'
import type { Relation } from '../relations.ts'
import { countWritten, unlessCancelled, type WrittenRows } from '../written-rows.ts'
import { monthNumber } from './cells.ts'
import { asFullMonths, withCutMonths } from './cut-months.ts'
import { indexPrices } from './index-prices.ts'
import { priceChanges, regularRelatives } from './price-changes.ts'
import { periodPrices, seriesPrices, seriesRelatives } from './series.ts'
import { observedSpans } from './spans.ts'
import { listingTurnover } from './turnover.ts'

/** At most so many listing-months are counted in memory: each takes about 25 bytes until it is, which a statement may spill. */
const MAX_CELLS = 2 ** 24
/** Counts of more are made one after the other. */
const MAX_CELLS_BESIDE = 2 ** 21

/** The bindings of the full months that a relation is of; null where it is of none, or of other prices than those in memory. */
type FullMonths = (bindings: Bindings, prices: MonthPrices) => Bindings | null

type MonthRelation = {
  write: (prices: MonthPrices, bindings: Bindings, regular: MonthPrices) => WrittenRows
  months: FullMonths
  /** Whether it is of the whole window, which may cut the first and the last month. */
  isOfWindow?: boolean
  /** Whether it is of prices without sales, too. */
  isRegular?: boolean
}

const fullMonths: FullMonths = (bindings) => {
  const { whole_from, whole_to } = bindings
  return typeof whole_from === 'string' && whole_from <= String(whole_to) ? bindings : null
}

const ofWindow: FullMonths = (bindings, prices) => fullMonths(bindings, prices) && asFullMonths(bindings)

const MONTH_START = /^\d{4}-\d\d-01$/

/** The months of the days [from, to); null unless whole months without sales that no later observation decides. */
const regularMonths = (bindings: Bindings, prices: MonthPrices, from: unknown, to: unknown): Bindings | null => {
  const [start, end] = [String(from), String(to)]
  if (!prices.regular || !MONTH_START.test(start) || !MONTH_START.test(end) || start >= end) return null
  const until = dayNumber(String(bindings.to))
  if (until < dayNumber(end) + MAX_SALE_DAYS && until <= prices.newest_day) return null
  return { ...bindings, whole_from: start.slice(0, 7), whole_to: addDays(end, -1).slice(0, 7) }
}

const monthsOfChanges: FullMonths = (bindings, prices) =>
  regularMonths(bindings, prices, bindings.counted_from, bindings.counted_to)

/** Those of a series whose first and last period are months. */
const monthsOfRelatives: FullMonths = (bindings, prices) => {
  const { first_from, first_to, last_from, last_to } = bindings
  const isMonth = (from: unknown, to: unknown): boolean => {
    const month = regularMonths(bindings, prices, from, to)
    return month !== null && month.whole_from === month.whole_to
  }
  if (!isMonth(first_from, first_to) || !isMonth(last_from, last_to)) return null
  return regularMonths(bindings, prices, first_from, last_to)
}

const relations: Readonly<Partial<Record<Relation, MonthRelation>>> = {
  observed_span: { write: observedSpans, months: ofWindow, isOfWindow: true },
  period_price: { write: periodPrices, months: ofWindow, isOfWindow: true },
  series_price: { write: seriesPrices, months: ofWindow, isOfWindow: true },
  series_relative: { write: seriesRelatives, months: ofWindow, isOfWindow: true },
  index_price: { write: indexPrices, months: fullMonths },
  listing_turnover: { write: listingTurnover, months: fullMonths },
  price_change: { write: priceChanges, months: monthsOfChanges, isRegular: true },
  regular_relative: { write: regularRelatives, months: monthsOfRelatives, isRegular: true },
}

/** Whether a window cuts a month. */
const isCut = ({ whole_from, whole_to, month_from, month_to }: Bindings): boolean =>
  month_from !== whole_from || month_to !== whole_to

/** How many listing-months a scope has at most in the full months of a relation. */
const cellsIn = (prices: MonthPrices, of: Bindings): number => {
  const { listings, first, months } = prices
  const [begin, end] = sliceOf(listings, of)
  const since = Math.max(monthNumber(String(of.whole_from)), first)
  const until = Math.min(monthNumber(String(of.whole_to)), first + months.length - 1)
  return (end - begin) * (until - since + 1)
}

/** Whether a relation is in memory for these bindings. */
export const isInMonths = (from: Relation, prices: MonthPrices, bindings: Bindings): boolean => {
  const of = relations[from]?.months(bindings, prices)
  if (!of) return false
  if (!prices.is_complete && monthNumber(String(of.whole_from)) < prices.first) return false
  if (cellsIn(prices, of) > MAX_CELLS) return false
  const { brand_id = null, gpc_first = null } = bindings
  return from !== 'observed_span' || (brand_id === null && gpc_first === null && !isCut(bindings))
}

/** Ends with the last large count. */
let last: Promise<unknown> = Promise.resolve()

const afterOthers = <T>(work: () => Promise<T>): Promise<T> => {
  const next = last.then(work)
  // Its result is not kept.
  last = next.then(
    () => {},
    () => {},
  )
  return next
}

const countInMonths = async (
  prices: MonthPrices,
  columns: SnapshotStatements['columns'],
  counts: NamedCounts,
  bindings: Bindings,
  options: RunOptions,
): Promise<Record<string, Counted>> => {
  const counted: Record<string, Counted> = {}
  const entries = Object.entries(counts)
  const froms = [...new Set(entries.map(([, declared]) => declared.from))]
  const some = froms.map((from) => relations[from]!)
  const hasCut = some.some(({ isOfWindow }) => isOfWindow) && isCut(bindings)
  const window = hasCut ? await withCutMonths(prices, columns, bindings, options) : prices
  const regular = some.some(({ isRegular }) => isRegular) ? await unlessCancelled(prices.regular!(), options) : prices
  for (const from of froms) {
    const { write, months, isOfWindow } = relations[from]!
    const written = write(isOfWindow ? window : prices, months(bindings, prices)!, regular)
    const same = Object.fromEntries(entries.filter(([, declared]) => declared.from === from))
    Object.assign(counted, await countWritten(same, written, bindings, options))
  }
  return counted
}

/** Relations over the listing-months of a country that are in memory. */
export const monthRelations = (prices: MonthPrices, columns: SnapshotStatements['columns']): MemoryRelations => ({
  has: (from, bindings) => isInMonths(from, prices, bindings),
  count(counts, bindings, options) {
    const work = () => countInMonths(prices, columns, counts, bindings, options)
    const isLarge = Object.values(counts).some(
      ({ from }) => cellsIn(prices, relations[from]!.months(bindings, prices)!) > MAX_CELLS_BESIDE,
    )
    return isLarge ? unlessCancelled(afterOthers(work), options) : work()
  },
})
