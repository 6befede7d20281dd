import type { Columns } from '../duckdb/pool.ts'

/** A scope by the bindings of queries; a filter that is absent or null does not narrow it. */
export type ObservedScope = {
  country: string
  first?: number
  last?: number
  retailer_id?: number | null
  brand_id?: number | null
  gpc_first?: number | null
  gpc_last?: number | null
}

/** When parts of a country's catalogue were last observed before a moment, in seconds since 1970; a row per part. */
export type ObservedParts = {
  category_id: Int32Array
  retailer_id: Int32Array
  /** -1 without a brand; absent, like gpc_id, if rows are shelves. */
  brand_id?: Int32Array
  gpc_id?: Int32Array
  observed_at: Float64Array
}

type LoadColumns = (sql: string, bindings: { country: string; before: string }) => Promise<Columns>

// Whole months, and the days of the month in which the moment lies: none after the newest observation.
const SHELVES = `SELECT category_id, retailer_id, epoch(max(last_observed_at))::DOUBLE AS observed_at
  FROM (
    SELECT category_id, retailer_id, last_observed_at
    FROM shelf_month WHERE country = $country::VARCHAR AND period < date_trunc('month', $before::DATE)
    UNION ALL
    SELECT category_id, retailer_id, day + to_seconds(last_second)
    FROM shelf_day WHERE country = $country::VARCHAR AND day >= date_trunc('month', $before::DATE) AND day < $before::DATE
  ) GROUP BY category_id, retailer_id`

// Only the first and last day of a listing are stored: one observed before and after the day counts with its first.
const PARTS = `SELECT category_id, retailer_id, coalesce(brand_id, -1)::INTEGER AS brand_id,
    coalesce(gpc_id, -1)::INTEGER AS gpc_id,
    max(CASE WHEN last_day < $before::DATE THEN epoch(observed_at) ELSE epoch(first_day) END)::DOUBLE AS observed_at
  FROM listing WHERE country = $country::VARCHAR AND first_day < $before::DATE
  GROUP BY category_id, retailer_id, brand_id, gpc_id`

/** Reads when each retailer's shelves were last observed before a day. */
export const loadShelves = async (load: LoadColumns, country: string, before: string): Promise<ObservedParts> =>
  (await load(SHELVES, { country, before })) as ObservedParts

/**
 * Reads when brands and product types were last observed on each shelf. Exact after the newest observation of the lake; at
 * an earlier moment a listing that was observed later, too, counts with its first observation.
 */
export const loadParts = async (load: LoadColumns, country: string, before: string): Promise<ObservedParts> =>
  (await load(PARTS, { country, before })) as ObservedParts

/** Whether a scope is narrower than shelves: a brand or a product type. */
export const isPartOfShelves = ({ brand_id = null, gpc_first = null }: ObservedScope): boolean =>
  brand_id !== null || gpc_first !== null

/** When a scope was last observed, in seconds since 1970; null if never. */
export const newestOf = (parts: ObservedParts, scope: ObservedScope): number | null => {
  const { first = 0, last = Number.POSITIVE_INFINITY, retailer_id = null, brand_id = null } = scope
  const { gpc_first = null, gpc_last = null } = scope
  let newest = Number.NEGATIVE_INFINITY
  for (let row = 0; row < parts.observed_at.length; row += 1) {
    const category = parts.category_id[row]!
    if (category < first || category > last) continue
    if (retailer_id !== null && parts.retailer_id[row] !== retailer_id) continue
    if (brand_id !== null && parts.brand_id?.[row] !== brand_id) continue
    if (gpc_first !== null && gpc_last !== null && parts.gpc_id) {
      const type = parts.gpc_id[row]!
      if (type < gpc_first || type > gpc_last) continue
    }
    newest = Math.max(newest, parts.observed_at[row]!)
  }
  return newest === Number.NEGATIVE_INFINITY ? null : newest
}
