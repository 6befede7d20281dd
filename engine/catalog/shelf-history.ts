import { readFileSync } from 'node:fs'
import type { Row } from '../pool.ts'
import type { Bindings } from '../query.ts'
import { COVERAGE_DAYS, type CoverageCell, type ShelfQuality } from './catalog.ts'
import { firstFrom } from './search-postings.ts'

/** A retailer's shelf in one department and country: totals after each of `days`, counted from 1970, in their order. */
export type ShelfHistory = Pick<CoverageCell, 'platform' | 'country' | 'category_root'> & {
  days: Int32Array
  /** Listings first observed. */
  started: Int32Array
  /** Listings last observed. */
  ended: Int32Array
  /** Observations, one a listing and day. */
  observed: Float64Array
}

type HistoryRow = Pick<CoverageCell, 'platform' | 'country' | 'category_root'> & {
  days: number[]
  started: number[]
  ended: number[]
  observed: number[]
}

const sql = readFileSync(new URL('shelf-history.sql', import.meta.url), 'utf8')

/** Reads the history of every shelf into memory: 20 bytes for each day on which one changed. */
export const loadShelfHistories = async (reader: {
  rows(sql: string, bindings: Bindings): Promise<Row[]>
}): Promise<ShelfHistory[]> => {
  const rows = (await reader.rows(sql, {})) as HistoryRow[]
  return rows.map(({ days, started, ended, observed, ...shelf }) => ({
    ...shelf,
    days: Int32Array.from(days),
    started: Int32Array.from(started),
    ended: Int32Array.from(ended),
    observed: Float64Array.from(observed),
  }))
}

const DAY = 86_400_000

const qualityOf = (priced: number, recent: number, thin_below: number): CoverageCell['quality_status'] => {
  if (4 * recent < priced) return 'stale'
  return recent < thin_below ? 'thin' : 'serving'
}

/**
 * The quality of each shelf as it was before a day, judged as a coverage cell is. Memory does not hold which listings
 * were observed on which days: a listing counts as recent where the days from its first observation to its last meet the
 * 90 days before `before`, and no more listings count than there are observations in these days. That is exact after the
 * newest observation and for listings without a gap of more than 90 days; else it is an upper bound, so that no shelf is refused
 * that serves. Shelves without a listing by then are left out.
 */
export const qualityBefore = (
  histories: readonly ShelfHistory[],
  before: string,
  thin_below: number,
): ShelfQuality[] => {
  const end = Date.parse(before) / DAY
  const start = end - COVERAGE_DAYS
  return histories.flatMap(({ days, started, ended, observed, ...shelf }) => {
    const [last, lastBefore] = [end, start].map((day) => firstFrom(days, day) - 1) as [number, number]
    const priced = started[last] ?? 0
    if (priced === 0) return []
    const alive = priced - (ended[lastBefore] ?? 0)
    const recent = Math.min(alive, observed[last]! - (observed[lastBefore] ?? 0))
    const quality_status = qualityOf(priced, recent, thin_below)
    return [{ ...shelf, quality_status, is_serving_eligible: quality_status === 'serving' }]
  })
}
