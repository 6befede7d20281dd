import { orNull, percent, share } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { isInWindow, rowsOf, type Values } from './sql.ts'

/** The claims in the rows of a source with the days before them, which SQL counts one by one only where prices changed. */
const claimsOf = (source: string, where: string, values: Values): string => `
  WITH own AS (
    SELECT listing_id, retailer_id, day, price, list_price, coalesce(list_price > price, false) AS claims,
      lead(day) OVER w AS next_day, lead(price) OVER w AS next_price, count(*) FILTER (NOT coalesce(list_price > price, false)) OVER w AS run
    FROM ${source}
    WHERE ${where} AND listing_id IN (
      SELECT listing_id FROM ${source}
      WHERE ${where} AND day >= DATE '${values.claimed_from}' AND list_price > price)
    WINDOW w AS (PARTITION BY listing_id ORDER BY day)
  ), claim AS (
    SELECT listing_id, any_value(retailer_id) AS retailer_id, run, min(day) AS start, arg_max(price, day) AS price,
      arg_max(list_price, day) AS was, bool_or(next_day IS NULL) AS newest
    FROM own WHERE claims GROUP BY listing_id, run HAVING max(day) >= DATE '${values.claimed_from}'
  ), known AS (
    SELECT listing_id, day, price, CASE WHEN next_price = price AND next_day - day <= 35 THEN next_day ELSE day + 1 END AS until FROM own
  )
  SELECT claim.listing_id, retailer_id, newest, claim.price, was, min(known.price) AS low,
    coalesce(sum(least(until, start) - greatest(day, start - 30)) FILTER (day IS NOT NULL), 0)::INTEGER AS days
  FROM claim LEFT JOIN known ON known.listing_id = claim.listing_id AND day < start AND until > start - 30
  GROUP BY claim.listing_id, retailer_id, start, newest, claim.price, was`

type ClaimFigures = {
  listing_id: number
  newest: boolean
  price: number
  was: number
  low: number | null
  days: number
}

export const promotionReality: Floor = {
  statements: (files, values) => [
    `SELECT (low < was) IS TRUE AS above, count(*)::INTEGER AS n, count(*) FILTER (low < was OR days >= 20)::INTEGER AS judged,
       count(*) FILTER (price >= low AND (low < was OR days >= 20))::INTEGER AS unreal
     FROM (${claimsOf(files.months('observations'), isInWindow(values), values)}) GROUP BY above`,
  ],
  figures: ([columns]) => {
    const rows = rowsOf<{ above: boolean; n: number; judged: number; unreal: number }>(columns!)
    const of = (name: 'n' | 'judged' | 'unreal') => rows.reduce((sum, row) => sum + row[name], 0)
    const above = rows.filter((row) => row.above).reduce((sum, { n }) => sum + n, 0)
    return {
      claim_count: of('n'),
      above_prior_low_count: above,
      supported_count: of('judged') - above,
      above_prior_low_pct: share(above, of('judged')),
      unreal_pct: share(of('unreal'), of('judged')),
    }
  },
}

const isOfListings = ({ listing_ids, from, to }: Values): string =>
  `listing_id IN (${listing_ids}) AND day >= DATE '${from}' AND day < DATE '${to}'`

type Newest = { listing_id: number; price: number; in_stock: boolean | null }
type ProductMember = { listing_id: number; product_uid: string }

export const priceReality: Floor = {
  statements: (files, values) => [
    claimsOf(files.listingDays(), isOfListings(values), values),
    `SELECT listing_id, arg_max(price, day) AS price, arg_max_null(in_stock, day) AS in_stock
     FROM ${files.listingDays()}
     WHERE ${isOfListings(values)} AND day >= DATE '${values.since}' GROUP BY listing_id`,
  ],
  figures: ([columns, newest], values) => {
    const claims = new Map(
      rowsOf<ClaimFigures>(columns!).flatMap((claim) => (claim.newest ? [[claim.listing_id, claim] as const] : [])),
    )
    const members = values.members as unknown as ProductMember[]
    const uids = new Map(members.map(({ listing_id, product_uid }) => [listing_id, product_uid]))
    return {
      offers: rowsOf<Newest>(newest!)
        .sort(
          (a, b) =>
            Number(b.in_stock !== false) - Number(a.in_stock !== false) ||
            a.price - b.price ||
            (uids.get(a.listing_id)! < uids.get(b.listing_id)! ? -1 : 1),
        )
        .map(({ listing_id, price }) => {
          const claim = claims.get(listing_id)
          const low = claim?.low ?? null
          return {
            product_uid: uids.get(listing_id),
            price: money(price),
            claimed_pct: claim ? percent((100 * (claim.was - price)) / claim.was) : null,
            real_pct: low === null ? null : percent((100 * (low - price)) / low),
            prior_low: orNull(money, low),
            prior_covered_days: claim?.days ?? null,
          }
        }),
    }
  },
}
