import { money, orNull, percent, ratio, share } from '../../engine/round.ts'
import { countsOf } from './counts.ts'
import type { Floor } from './floor.ts'
import { metaOf, priceCounts, representativeOf, SUMS } from './representative.ts'
import { type Columns, isCurrent, numbers, OBSERVED, ON_PROMOTION } from './sql.ts'

/** Rows of columns. */
export const rowsOf = <T>(columns: Columns): T[] => {
  const entries = Object.entries(columns)
  return Array.from({ length: entries[0]?.[1].length ?? 0 }, (_, i) =>
    Object.fromEntries(entries.map(([name, column]) => [name, column[i]])),
  ) as T[]
}

const total = (column: unknown[] | undefined): number => numbers(column).reduce((sum, value) => sum + value, 0)

export const priceDispersion: Floor = {
  statements: (files, values) => [priceCounts(files, values)],
  figures: ([columns]) => {
    const { kept, figures } = representativeOf(columns!)
    const { values, n } = kept
    const [low, high] = [values[0]!, values.at(-1)!]
    const sum = kept.sum()
    const deviation = Math.sqrt((n * kept.sum((price) => price ** 2) - sum * sum) / (n * (n - 1)))
    const buckets = new Array<number>(high === low ? 1 : 8).fill(0)
    for (const [i, price] of values.entries()) {
      const bucket = high === low ? 0 : Math.min(7, Math.floor((8 * (price - low)) / (high - low)))
      buckets[bucket]! += kept.countOf(i)
    }
    const at = (of: number): number => money(kept.quantile(of))
    return {
      ...figures,
      product_count: n,
      avg_price: money(sum / n),
      min_price: money(low),
      max_price: money(high),
      std_dev: money(deviation),
      coeff_of_variation: ratio(deviation / (sum / n)),
      percentiles: { p10: at(0.1), p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) },
      price_histogram: buckets.map((count) => ({ count })),
    }
  },
}

export const categorySummary: Floor = {
  statements: (files, values) => [priceCounts(files, values, SUMS)],
  // Brands and retailers do not follow from prices: a second look, with the fence that the first one found.
  second: (files, values) => [
    `WITH kept AS (
       SELECT brand_id, retailer_id, count(*)::INTEGER AS n FROM ${files.listings}
       WHERE ${isCurrent(values)} AND condition = 'new' AND accessory_depth <= ${values.shelf_depth}
         AND price BETWEEN $low::INTEGER AND $high::INTEGER
       GROUP BY brand_id, retailer_id
     )
     SELECT brand, brand_norm, retailer_id, n FROM kept LEFT JOIN ${files.brands} USING (brand_id)`,
  ],
  figures: async ([columns], _, second) => {
    const { kept, figures } = representativeOf(columns!)
    const { values, n } = kept
    const [low, high] = [values[0]!, values.at(-1)!]
    const [look] = await second({ low, high })
    const brands = new Map<string, { brand: string; brand_norm: string; product_count: number }>()
    const found = rowsOf<{ brand: string | null; brand_norm: string; retailer_id: number; n: number }>(look!)
    for (const { brand, brand_norm, n } of found) {
      if (brand === null) continue
      const known = brands.get(brand_norm) ?? { brand, brand_norm, product_count: 0 }
      known.product_count += n
      brands.set(brand_norm, known)
    }
    const branded = [...brands.values()].reduce((sum, { product_count }) => sum + product_count, 0)
    const prices = numbers(columns!.price)
    const reasons = numbers(columns!.reason)
    const sumOf = (name: string): number =>
      numbers(columns![name]).reduce(
        (sum, value, i) => sum + (reasons[i] === 0 && prices[i]! >= low && prices[i]! <= high ? value : 0),
        0,
      )
    const rated = sumOf('rating_count')
    return {
      ...figures,
      product_count: n,
      brand_count: brands.size,
      retailer_count: new Set(found.map(({ retailer_id }) => retailer_id)).size,
      pricing: { avg: money(kept.sum() / n), min: money(low), max: money(high), median: money(kept.quantile(0.5)) },
      avg_rating: rated === 0 ? null : percent(sumOf('rating_sum') / rated),
      promo_rate_pct: share(sumOf('promo_count'), n),
      in_stock_rate_pct: share(sumOf('in_stock_count'), sumOf('stock_known_count')),
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

type BrandCount = { brand: string | null; brand_norm: string; n: number }

export const shareOfShelf: Floor = {
  statements: (files, values) => [
    `WITH shelf AS (SELECT brand_id, count(*)::INTEGER AS n, ${OBSERVED} FROM ${files.listings}
       WHERE ${isCurrent(values)} GROUP BY brand_id)
     SELECT brand, brand_norm, n, observed_min, observed_max FROM shelf LEFT JOIN ${files.brands} USING (brand_id)
     ORDER BY n DESC, brand_norm`,
  ],
  figures: ([columns]) => {
    const all = rowsOf<BrandCount>(columns!)
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

type BrandPrices = BrandCount & { price_sum: number; median: number; own: boolean }

export const pricePositioning: Floor = {
  statements: (files, values) => [
    `SELECT price, coalesce(brand_id = ${values.brand_id}, false) AS own, count(*)::INTEGER AS n, ${OBSERVED}
     FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY price, own`,
    `WITH priced AS (SELECT brand_id, count(*)::INTEGER AS n, sum(price)::DOUBLE AS price_sum,
         quantile_cont(price, 0.5) AS median
       FROM ${files.listings} WHERE ${isCurrent(values)} AND brand_id <> ${values.brand_id} GROUP BY brand_id
     )
     SELECT brand, priced.* FROM priced JOIN ${files.brands} USING (brand_id) ORDER BY n DESC, brand_norm LIMIT 10`,
    `WITH own AS (SELECT retailer_id, count(*)::INTEGER AS n, sum(price)::DOUBLE AS price_sum
       FROM ${files.listings} WHERE ${isCurrent(values)} AND brand_id = ${values.brand_id} GROUP BY retailer_id)
     SELECT platform AS retailer, n, price_sum FROM own JOIN ${files.retailers} USING (retailer_id)
     ORDER BY n DESC, retailer`,
  ],
  figures: ([columns, competitors, retailers]) => {
    const prices = numbers(columns!.price)
    const n = numbers(columns!.n)
    const isOwn = columns!.own as boolean[]
    const own = countsOf(
      prices.filter((_, i) => isOwn[i]),
      n.filter((_, i) => isOwn[i]),
    )
    const all = countsOf(prices, n)
    const median = own.quantile(0.5)
    const average = all.sum() / all.n
    const index = (value: number): number => ratio(value / average)
    const isFrom = (at: number): boolean => median >= all.quantile(at)
    const ownTimes = (name: string): unknown[] => columns![name]!.filter((_, i) => isOwn[i])
    return {
      product_count: own.n,
      avg_price: money(own.sum() / own.n),
      median_price: money(median),
      category_avg_price: money(average),
      category_median_price: money(all.quantile(0.5)),
      price_index: index(own.sum() / own.n),
      percentile_rank: share(all.filter((price) => price < median).n, all.n),
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
      meta: metaOf(ownTimes('observed_min'), ownTimes('observed_max')),
    }
  },
}

const page = (files: Parameters<Floor['statements']>[0], where: string, order: string, limit: unknown): string => `
  WITH best AS (SELECT * FROM ${files.listings} WHERE ${where} ORDER BY ${order} LIMIT ${limit})
  SELECT product_uid, entity_uid, product_id, product_name, best.brand, platform AS retailer, price, list_price,
    star_rating::DOUBLE AS star_rating, review_count, promo_flag, in_stock, condition, url, gpc_id,
    epoch(observed_at) AS observed_at, epoch(scraped_at) AS scraped_at
  FROM best JOIN ${files.retailers} USING (retailer_id) ORDER BY ${order}`

type Listed = { product_uid: string; product_name: string; retailer: string; price: number; list_price: number | null }

const listed = (columns: Columns) =>
  rowsOf<Listed>(columns).map(({ product_uid, product_name, retailer, price, list_price }) => ({
    product_uid,
    product_name,
    retailer,
    price: money(price),
    list_price: orNull(money, list_price),
  }))

export const competitiveLandscape: Floor = {
  statements: (files, values) => [
    `SELECT price, count(*)::INTEGER AS n, count(*) FILTER (${ON_PROMOTION})::INTEGER AS promo_count, ${OBSERVED}
     FROM ${files.listings} WHERE ${isCurrent(values)} GROUP BY price`,
    `SELECT count(DISTINCT brand_id)::INTEGER AS brands, count(DISTINCT retailer_id)::INTEGER AS retailers FROM (
       SELECT DISTINCT brand_id, retailer_id FROM ${files.listings} WHERE ${isCurrent(values)})`,
    page(files, isCurrent(values), 'coalesce(review_count, 0) DESC, product_uid', values.limit),
  ],
  figures: ([columns, names, products]) => {
    const counts = countsOf(numbers(columns!.price), numbers(columns!.n))
    return {
      total_products: counts.n,
      products: listed(products!),
      summary: {
        brand_count: names!.brands![0],
        retailer_count: names!.retailers![0],
        avg_price: money(counts.sum() / counts.n),
        median_price: money(counts.quantile(0.5)),
        min_price: money(counts.values[0]!),
        max_price: money(counts.values.at(-1)!),
        promo_rate_pct: share(total(columns!.promo_count), counts.n),
      },
      meta: metaOf(columns!.observed_min!, columns!.observed_max!),
    }
  },
}

const DEPTH = '(list_price - price)::DOUBLE / list_price'

export const dealFinder: Floor = {
  statements: (files, values) => {
    const where = `${isCurrent(values)} AND in_stock AND price >= 500 AND brand_id IS NOT NULL
      AND 100.0 * (list_price - price) >= ${values.min_discount_pct} * list_price
      AND 10 * (list_price - price) <= 7 * list_price`
    return [
      `SELECT count(*)::INTEGER AS n, ${OBSERVED} FROM ${files.listings} WHERE ${where}`,
      page(files, where, `${DEPTH} * ln(price / 100.0) DESC, ${DEPTH} DESC, product_uid`, values.limit),
    ]
  },
  figures: ([columns, deals]) => ({
    total_deals_found: columns!.n![0],
    deals: listed(deals!),
    meta: metaOf(columns!.observed_min!, columns!.observed_max!),
  }),
}
