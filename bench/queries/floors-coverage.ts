import type { Floor } from './floor.ts'
import { numbers, rowsOf } from './sql.ts'

type Cell = { platform: string; country: string; category_root: string; n: number; recent: number; branded: number }

/** The snapshot's limit below which a shelf is thin; the sample's is the default. */
const THIN_BELOW = 25

export const coverage: Floor = {
  statements: (files, values) => [
    `WITH counted AS (
       SELECT retailer_id, country, category_id, count(*) AS n,
         count(*) FILTER (last_day >= DATE '${values.since}') AS recent, count(brand_id) AS branded
       FROM ${files.everyListing} WHERE first_day < DATE '${values.before}' GROUP BY ALL
     ), observed AS (
       SELECT retailer_id, country, category_id, max(epoch(day) + last_second) AS last
       FROM ${files.everyShelfDay} WHERE day < DATE '${values.before}' GROUP BY ALL
     )
     SELECT platform, country, department AS category_root, sum(n)::INTEGER AS n, sum(recent)::INTEGER AS recent,
       sum(branded)::INTEGER AS branded, max(last) AS last
     FROM counted JOIN observed USING (retailer_id, country, category_id) JOIN ${files.categories} USING (category_id)
       JOIN ${files.retailers} USING (retailer_id)
     GROUP BY ALL ORDER BY platform, country, category_root`,
  ],
  figures: ([columns], values) => {
    const times = numbers(columns!.last)
    const cells = rowsOf<Cell>(columns!)
    return {
      total: cells.length,
      items: cells
        .slice(0, Number(values.limit))
        .map(({ platform, country, category_root, n, recent, branded }, i) => ({
          platform,
          country,
          category_root,
          priced_product_count: n,
          recent_priced_product_count: recent,
          known_brand_product_count: branded,
          quality_status: 4 * recent < n ? 'stale' : recent < THIN_BELOW ? 'thin' : 'serving',
          last_observed_at: new Date(times[i]! * 1000).toISOString().replace('.000Z', 'Z'),
        })),
    }
  },
}
