import { orNull, share } from '../../engine/contract/round.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import {
  type Files,
  isCurrent,
  metaOf,
  numbers,
  OBSERVED,
  ON_PROMOTION,
  rowsOf,
  type SqlColumns,
  type Values,
} from './sql.ts'

/**
 * Listings with the texts that an answer shows of them, which cost more to read than all else: only those that may be on the
 * page, without a LIMIT, for which DuckDB would read them twice.
 */
const page = (files: Files, where: string, order: string): string => `
  SELECT product_uid, entity_uid, product_id, product_name, listing.brand, platform AS retailer, price, list_price,
    star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url, gpc_id,
    epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM ${files.listings} AS listing JOIN ${files.retailers} USING (retailer_id) WHERE ${where} ORDER BY ${order}`

type Listed = { product_uid: string; product_name: string; retailer: string; price: number; list_price: number | null }

const listed = (columns: SqlColumns, limit: number) =>
  rowsOf<Listed>(columns)
    .slice(0, limit)
    .map(({ product_uid, product_name, retailer, price, list_price }) => ({
      product_uid,
      product_name,
      retailer,
      price: money(price),
      list_price: orNull(money, list_price),
    }))

const REVIEWS = 'coalesce(review_count, 0)'

export const competitiveLandscape: Floor = {
  statements: (files, values) => [
    `SELECT price, count(*)::INTEGER AS n, count(*) FILTER (${ON_PROMOTION})::INTEGER AS promo_count
     FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY price`,
    `SELECT brand_id, retailer_id, ${OBSERVED} FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY brand_id, retailer_id`,
    `SELECT list_last(max(${REVIEWS}, ${values.limit})) AS reviews FROM ${files.listings} WHERE ${isCurrent(values)}`,
  ],
  // Only those are sorted that may be on the page.
  second: (files, values) => [
    page(files, `${isCurrent(values)} AND ${REVIEWS} >= $reviews::INTEGER`, `${REVIEWS} DESC, product_uid`),
  ],
  figures: async ([columns, names, least], values, second) => {
    const [products] = await second({ reviews: numbers(least!.reviews)[0]! })
    const counts = countsOf(numbers(columns!.price), numbers(columns!.n))
    const promoted = numbers(columns!.promo_count).reduce((sum, n) => sum + n, 0)
    return {
      total_products: counts.n,
      products: listed(products!, Number(values.limit)),
      summary: {
        brand_count: new Set(names!.brand_id!.filter((id) => id !== null)).size,
        retailer_count: new Set(names!.retailer_id).size,
        avg_price: money(counts.sum() / counts.n),
        median_price: money(counts.quantile(0.5)),
        min_price: money(counts.values[0]!),
        max_price: money(counts.values.at(-1)!),
        promo_rate_pct: share(promoted, counts.n),
      },
      meta: metaOf(names!.observed_min!, names!.observed_max!),
    }
  },
}

const DEPTH = '(list_price - price)::DOUBLE / list_price'
const SCORE = `${DEPTH} * ln(price / 100.0)`
/** The engine reads these deals more than it lists, whose scores may be almost equal. */
const READ_BEYOND = 10

const isDeal = (values: Values): string => `${isCurrent(values)} AND in_stock AND price >= 500 AND brand_id IS NOT NULL
  AND 100.0 * (list_price - price) >= ${values.min_discount_pct} * list_price
  AND 10 * (list_price - price) <= 7 * list_price`

export const dealFinder: Floor = {
  statements: (files, values) => [
    `SELECT count(*)::INTEGER AS n, list_last(max(${SCORE}, ${values.limit})) AS score, ${OBSERVED}
     FROM ${files.listings} WHERE ${isDeal(values)}`,
  ],
  second: (files, values) => [
    page(files, `${isDeal(values)} AND ${SCORE} >= $score::DOUBLE`, `${SCORE} DESC, ${DEPTH} DESC, product_uid`),
  ],
  figures: async ([columns], values, second) => {
    const [deals] = await second({ score: numbers(columns!.score)[0]! })
    return {
      total_deals_found: columns!.n![0],
      deals: listed(deals!, Number(values.limit) - READ_BEYOND),
      meta: metaOf(columns!.observed_min!, columns!.observed_max!),
    }
  },
}
