import { observedOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import type { Bindings } from '../../pool.ts'

const DAYS = 'SELECT * FROM product_day'
const OBSERVED = `SELECT is_in_window, count() AS n, min(second) AS observed_from, max(second) AS observed_to
FROM product_observation GROUP BY is_in_window ORDER BY is_in_window`

/** The listings of a product. */
export const listingIds = ({ listing_ids }: Bindings): number[] =>
  String(listing_ids).split(',').filter(Boolean).map(Number)

/** The rows of price-history.sql and of price-drop-alert.sql, read on shards. */
export const productDaysOnShards: ShardedQuery = async (shards, bindings) => {
  const product = { ...bindings, listing_ids: listingIds(bindings) }
  const [counts, days] = await Promise.all([shards.counts(OBSERVED, product), shards.rows(DAYS, product)])
  const isInWindow = counts.keys.get('is_in_window')!
  const { observed_min } = observedOf(counts, (row) => isInWindow[row] === 1)
  const { observed_max } = observedOf(counts)
  const rows = days.map(({ date, in_window, is_recent, promo, ...row }) => ({
    ...row,
    day: String(date),
    in_window: Boolean(in_window),
    is_recent: Boolean(is_recent),
    promo: Boolean(promo),
    observed_min,
    observed_max,
  }))
  return rows.sort((a, b) =>
    a.day < b.day ? -1 : a.day > b.day ? 1 : Number(a['listing_id' as never]) - Number(b['listing_id' as never]),
  )
}
