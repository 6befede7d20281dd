import { readFileSync } from 'node:fs'
import { DAY_MS } from '../contract/time.ts'
import type { Bindings, Columns } from '../duckdb/pool.ts'
import { lowerBound } from '../search/lower-bound.ts'
import { type Catalog, COVERAGE_DAYS, type CoverageCell, type ShelfQuality } from './catalog.ts'

/** The history of a shelf: running totals at the end of each of `days`, which are ascending, in days since 1970. */
export type ShelfHistory = Pick<CoverageCell, 'platform' | 'country' | 'category_root'> & {
  days: Int32Array
  /** Listings first observed. */
  started: Int32Array
  /** Listings last observed. */
  ended: Int32Array
  /** Observations, one a listing and day. */
  observed: Float64Array
}

type Changes = {
  /** The country as a number of two letters of 8 bits. */
  country: Int32Array
  retailer_id: Int32Array
  /** The first category of the department. */
  department_id: Int32Array
  day: Int32Array
  started: Int32Array
  ended: Int32Array
  observed: Float64Array
}

const sql = readFileSync(new URL('shelf-history.sql', import.meta.url), 'utf8')

/** Replaces the values in [begin, end) by their running totals. */
const accumulate = (values: Int32Array | Float64Array, begin: number, end: number): void => {
  for (let row = begin + 1; row < end; row += 1) values[row]! += values[row - 1]!
}

/** Reads the history of every shelf into memory: 20 bytes for each day with a change. */
export const loadShelfHistories = async (
  columns: (sql: string, bindings: Bindings) => Promise<Columns>,
  { platforms, categories }: Pick<Catalog, 'platforms' | 'categories'>,
): Promise<ShelfHistory[]> => {
  const changes = (await columns(sql, {})) as Changes
  const { country, retailer_id, department_id, day, started, ended, observed } = changes
  const isSameShelf = (row: number, other: number): boolean =>
    department_id[row] === department_id[other] &&
    retailer_id[row] === retailer_id[other] &&
    country[row] === country[other]
  const histories: ShelfHistory[] = []
  for (let begin = 0, end = 1; begin < day.length; begin = end, end += 1) {
    while (end < day.length && isSameShelf(begin, end)) end += 1
    for (const values of [started, ended, observed]) accumulate(values, begin, end)
    histories.push({
      platform: platforms.get(retailer_id[begin]!)!,
      country: String.fromCharCode(country[begin]! >> 8, country[begin]! & 255),
      category_root: categories.byId(department_id[begin]!)!.department,
      days: day.subarray(begin, end),
      started: started.subarray(begin, end),
      ended: ended.subarray(begin, end),
      observed: observed.subarray(begin, end),
    })
  }
  return histories
}

const qualityOf = (priced: number, recent: number, thin_below: number): CoverageCell['quality_status'] => {
  if (4 * recent < priced) return 'stale'
  return recent < thin_below ? 'thin' : 'serving'
}

/**
 * The quality of each shelf before a day, by the rules of a coverage cell. Memory does not have the days on which each
 * listing was observed: a listing counts as recent if the interval from its first to its last observation overlaps the
 * 90 days before `before`, and recent listings are capped at the observations in these days. That is exact after the newest
 * observation and for listings without a gap of more than 90 days; otherwise it is an upper bound, so that no serving
 * shelf is refused. Shelves without a listing by then are left out.
 */
export const qualityBefore = (
  histories: readonly ShelfHistory[],
  before: string,
  thin_below: number,
): ShelfQuality[] => {
  const end = Date.parse(before) / DAY_MS
  const start = end - COVERAGE_DAYS
  return histories.flatMap(({ days, started, ended, observed, ...shelf }) => {
    const [last, lastBefore] = [end, start].map((day) => lowerBound(days, day) - 1) as [number, number]
    const priced = started[last] ?? 0
    if (priced === 0) return []
    const alive = priced - (ended[lastBefore] ?? 0)
    const recent = Math.min(alive, observed[last]! - (observed[lastBefore] ?? 0))
    const quality_status = qualityOf(priced, recent, thin_below)
    return [{ ...shelf, quality_status, is_serving_eligible: quality_status === 'serving' }]
  })
}
