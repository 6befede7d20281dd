import { percent, ratio, share } from '../../engine/contract/round.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { money } from './money.ts'
import { priceCounts, representativeOf } from './representative.ts'
import { isCurrent, metaOf, numbers, OBSERVED, ON_PROMOTION, rowsOf } from './sql.ts'

const total = (column: unknown[] | undefined): number => numbers(column).reduce((sum, value) => sum + value, 0)

export const priceDispersion: Floor = {
  statements: priceCounts,
  figures: ([columns, times]) => {
    const { kept, figures } = representativeOf(columns!, times!)
    const { values, n } = kept
    const [low, high] = [values[0]!, values.at(-1)!]
    const sum = kept.sum()
    const deviation = Math.sqrt((n * kept.sum((price) => price ** 2) - sum * sum) / (n * (n - 1)))
    const buckets = new Array<number>(high === low ? 1 : 8).fill(0)
    for (let i = 0; i < values.length; i++) {
      const price = values[i]!
      const bucket = high === low ? 0 : Math.min(7, Math.floor((8 * (price - low)) / (high - low)))
      buckets[bucket]! += kept.countOf(i)
    }
    const amountAt = (of: number): number => money(kept.quantile(of))
    return {
      ...figures,
      product_count: n,
      avg_price: money(sum / n),
      min_price: money(low),
      max_price: money(high),
      std_dev: money(deviation),
      coeff_of_variation: ratio(deviation / (sum / n)),
      percentiles: {
        p10: amountAt(0.1),
        p25: amountAt(0.25),
        p50: amountAt(0.5),
        p75: amountAt(0.75),
        p90: amountAt(0.9),
      },
      price_histogram: buckets.map((count) => ({ count })),
    }
  },
}

type Look = {
  brand: string | null
  brand_norm: string
  retailer_id: number
  n: number
  rating_sum: number | null
  rating_count: number
  promo_count: number
  in_stock_count: number
  stock_known_count: number
}

export const categorySummary: Floor = {
  statements: priceCounts,
  // A second look at the listings that are left, within the fence that the first one found.
  second: (files, values) => [
    `WITH kept AS (
       SELECT brand_id, retailer_id, count(*)::INTEGER AS n, sum(star_rating)::DOUBLE AS rating_sum,
         count(star_rating)::INTEGER AS rating_count, count(*) FILTER (${ON_PROMOTION})::INTEGER AS promo_count,
         count(*) FILTER (in_stock)::INTEGER AS in_stock_count, count(in_stock)::INTEGER AS stock_known_count
       FROM ${files.listings}
       WHERE ${isCurrent(values)} AND condition = 'new' AND accessory_depth <= ${values.shelf_depth}
         AND price BETWEEN $low::INTEGER AND $high::INTEGER
       GROUP BY brand_id, retailer_id
     )
     SELECT brand, brand_norm, kept.* EXCLUDE (brand_id) FROM kept LEFT JOIN ${files.brands} USING (brand_id)`,
  ],
  figures: async ([columns, times], _, second) => {
    const { kept, figures } = representativeOf(columns!, times!)
    const { values, n } = kept
    const [low, high] = [values[0]!, values.at(-1)!]
    const [look] = await second({ low, high })
    const rows = rowsOf<Look>(look!)
    const brands = new Map<string, { brand: string; brand_norm: string; product_count: number }>()
    for (const { brand, brand_norm, n } of rows) {
      if (brand === null) continue
      const known = brands.get(brand_norm) ?? { brand, brand_norm, product_count: 0 }
      known.product_count += n
      brands.set(brand_norm, known)
    }
    const branded = [...brands.values()].reduce((sum, { product_count }) => sum + product_count, 0)
    const rated = total(look!.rating_count)
    return {
      ...figures,
      product_count: n,
      brand_count: brands.size,
      retailer_count: new Set(rows.map(({ retailer_id }) => retailer_id)).size,
      pricing: { avg: money(kept.sum() / n), min: money(low), max: money(high), median: money(kept.quantile(0.5)) },
      avg_rating: rated === 0 ? null : percent(total(look!.rating_sum) / rated),
      promo_rate_pct: share(total(look!.promo_count), n),
      in_stock_rate_pct: share(total(look!.in_stock_count), total(look!.stock_known_count)),
      stock_known_count: total(look!.stock_known_count),
      top_brands: [...brands.values()]
        .sort((a, b) => b.product_count - a.product_count || (a.brand_norm < b.brand_norm ? -1 : 1))
        .slice(0, 10)
        .map(({ brand, product_count }) => ({
          brand,
          product_count,
          share_pct: percent((100 * product_count) / branded),
        })),
    }
  },
}

type BrandRow = { brand: string | null; brand_norm: string; n: number }

export const shareOfShelf: Floor = {
  statements: (files, values) => [
    `WITH shelf AS (SELECT brand_id, count(*)::INTEGER AS n, ${OBSERVED} FROM ${files.listings}
       WHERE ${isCurrent(values)} GROUP BY brand_id)
     SELECT brand, brand_norm, n, observed_min, observed_max FROM shelf LEFT JOIN ${files.brands} USING (brand_id)
     ORDER BY n DESC, brand_norm`,
  ],
  figures: ([columns]) => {
    const all = rowsOf<BrandRow>(columns!)
    const branded = all.filter(({ brand }) => brand !== null)
    const total = branded.reduce((sum, { n }) => sum + n, 0)
    const largest = branded.slice(0, 4).reduce((sum, { n }) => sum + n, 0)
    return {
      total_products: total,
      unbranded_products: all.reduce((sum, { n }) => sum + n, 0) - total,
      hhi: ratio(branded.reduce((sum, { n }) => sum + n ** 2, 0) / total ** 2),
      cr4_pct: percent((100 * largest) / total),
      brands: branded.map(({ brand, n }) => ({ brand, product_count: n, share_pct: percent((100 * n) / total) })),
      meta: metaOf(columns!.observed_min!, columns!.observed_max!),
    }
  },
}

export const brandBreakdown: Floor = {
  statements: (files, values) => [
    `WITH shelf AS (SELECT category_id, count(*)::INTEGER AS n, min(observed_at) AS low, max(observed_at) AS high
       FROM ${files.listings}
       WHERE brand_id = ${values.brand_id} AND last_day >= DATE '${values.since}' AND last_day < DATE '${values.before}'
       GROUP BY category_id)
     SELECT department AS category_root, sum(n)::INTEGER AS product_count, epoch(min(low)) AS observed_min,
       epoch(max(high)) AS observed_max
     FROM shelf JOIN ${files.categories} USING (category_id)
     GROUP BY department ORDER BY product_count DESC, category_root`,
  ],
  figures: ([columns]) => ({
    breakdown: rowsOf<{ category_root: string; product_count: number }>(columns!).map(
      ({ category_root, product_count }) => ({ category_root, product_count }),
    ),
    coverage: { products: total(columns!.product_count) },
    meta: metaOf(columns!.observed_min!, columns!.observed_max!),
  }),
}

type BrandPrices = BrandRow & { price_sum: number; median: number; own: boolean }

export const pricePositioning: Floor = {
  statements: (files, values) => [
    `SELECT price * 2::BIGINT + coalesce(brand_id = ${values.brand_id}, false)::INTEGER AS key, count(*)::INTEGER AS n
     FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY key`,
    `WITH priced AS (SELECT brand_id, count(*)::INTEGER AS n, sum(price)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) AS median
       FROM ${files.listings} WHERE ${isCurrent(values)} AND brand_id <> ${values.brand_id} GROUP BY brand_id
     )
     SELECT brand, priced.* FROM priced JOIN ${files.brands} USING (brand_id) ORDER BY n DESC, brand_norm LIMIT 10`,
    `WITH own AS (SELECT retailer_id, count(*)::INTEGER AS n, sum(price)::DOUBLE AS price_sum, ${OBSERVED}
       FROM ${files.listings} WHERE ${isCurrent(values)} AND brand_id = ${values.brand_id} GROUP BY retailer_id)
     SELECT platform AS retailer, own.* EXCLUDE (retailer_id) FROM own JOIN ${files.retailers} USING (retailer_id)
     ORDER BY n DESC, retailer`,
  ],
  figures: ([columns, competitors, retailers]) => {
    const keys = numbers(columns!.key)
    const n = numbers(columns!.n)
    const prices = keys.map((key) => Math.floor(key / 2))
    const all = countsOf(prices, n)
    const ofBrand = countsOf(
      prices.filter((_, i) => keys[i]! % 2 === 1),
      n.filter((_, i) => keys[i]! % 2 === 1),
    )
    const median = ofBrand.quantile(0.5)
    const average = all.sum() / all.n
    const index = (value: number): number => ratio(value / average)
    const isFrom = (share: number): boolean => median >= all.quantile(share)
    return {
      product_count: ofBrand.n,
      avg_price: money(ofBrand.sum() / ofBrand.n),
      median_price: money(median),
      category_avg_price: money(average),
      category_median_price: money(all.quantile(0.5)),
      price_index: index(ofBrand.sum() / ofBrand.n),
      percentile_rank: share(all.between(0, Math.ceil(median) - 1).n, all.n),
      price_tier: isFrom(0.67) ? 'premium' : isFrom(0.33) ? 'mid' : 'value',
      competitors: rowsOf<BrandPrices>(competitors!).map(({ brand, n, price_sum, median }) => ({
        brand,
        product_count: n,
        avg_price: money(price_sum / n),
        median_price: money(median),
        price_index: index(price_sum / n),
      })),
      retailers: rowsOf<{ retailer: string; n: number; price_sum: number }>(retailers!).map(
        ({ retailer, n, price_sum }) => ({
          retailer,
          product_count: n,
          avg_price: money(price_sum / n),
          price_index: index(price_sum / n),
        }),
      ),
      meta: metaOf(retailers!.observed_min!, retailers!.observed_max!),
    }
  },
}
