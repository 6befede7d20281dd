import { expect, test } from 'vitest'
import { Engine } from '../../../engine/index.ts'
import { sampleLake } from '../../support/given.ts'

const LISTINGS = `SELECT listing_id, category_id, product_uid, entity_uid, product_id, product_name, brand, retailer_id, condition, url,
    star_rating::DOUBLE AS star_rating, review_count, gpc_id, gpc_precision, gpc_source, coalesce(price, 0) AS price,
    list_price, promo_flag, in_stock, coalesce(epoch(observed_at), 0) AS observed_at,
    coalesce(epoch(scraped_at), 0) AS scraped_at, strftime(first_day, '%Y-%m-%d') AS first_day,
    strftime(last_day, '%Y-%m-%d') AS last_day, recommended_price, size_milli, size_unit, pack_count,
    coalesce(observed_days, 0) AS observed_days, coalesce(lower_days, 0) AS lower_days,
    strftime(last_lower_day, '%Y-%m-%d') AS last_lower_day, previous_price, likely_uid, likely_probability
  FROM listing WHERE country = $country::VARCHAR`

test.each(['us', 'ca'] as const)(
  'memory has every listing of %s exactly as the file has it, in the same order',
  async (country) => {
    const engine = await Engine.open((await sampleLake()).lake)
    try {
      const { listingAt } = await (await engine.catalog()).search(country)
      const rows = await engine.rows(LISTINGS, { country })
      expect(rows.length).toBeGreaterThan(100)
      expect(rows.map((_, row) => listingAt(row))).toEqual(rows)
    } finally {
      engine.close()
    }
  },
)
