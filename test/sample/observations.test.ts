import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeSample } from '../../data/sample/sample.ts'
import { openDatabase, scratchFolder } from './scratch.ts'

const out = join(scratchFolder(), 'feeds')
const query = await openDatabase()
const one = async <Row>(sql: string): Promise<Row> => (await query<Row>(sql))[0]!

/** What a refresh would refuse, after the feed's rules; the rest is kept, however odd. */
const REFUSED = `
  coalesce(country NOT IN ('us', 'ca'), true) OR listing_id IS NULL OR observed IS NULL
  OR observed > scraped + INTERVAL 5 MINUTE OR amount IS NULL OR amount <= 0 OR amount >= 1000000
  OR currency <> CASE country WHEN 'us' THEN 'USD' ELSE 'CAD' END`

beforeAll(async () => {
  await writeSample({ out, listings: 1_000, until: '2026-10-14', threads: 2 })
  await query(`
    CREATE TABLE line AS
    SELECT *, TRY_CAST(observed_at AS TIMESTAMP) AS observed, TRY_CAST(scraped_at AS TIMESTAMP) AS scraped,
           TRY_CAST(price AS DECIMAL(12, 2)) AS amount, TRY_CAST(list_price AS DECIMAL(12, 2)) AS list_amount
    FROM read_csv('${out}/price_observations/*.csv', all_varchar = true, filename = true)`)
  await query(
    `CREATE TABLE seen AS SELECT DISTINCT * FROM line WHERE NOT (${REFUSED}) AND price NOT IN ('0.01', '1.00')`,
  )
  // Listings whose pack changed have a row of then, too.
  await query(`CREATE TABLE listing AS FROM '${out}/product_catalogue/*.jsonl'
    QUALIFY row_number() OVER (PARTITION BY platform, country, listing_id ORDER BY last_seen_at DESC) = 1`)
})

describe('the sample observations', () => {
  it('have the columns of the feed', async () => {
    const columns = await query<{ column_name: string }>(`DESCRIBE FROM '${out}/price_observations/2026-01-us.csv'`)
    expect(columns.map(({ column_name }) => column_name)).toEqual(
      `platform country listing_id observed_at scraped_at price currency list_price list_price_type promo_flag
       promo_text       availability condition seller_id seller_type star_rating review_count shipping_price unit_price
       unit_price_measure`.split(/\s+/),
    )
  })

  it('have valid values in every column', async () => {
    expect(
      await query(`
        SELECT * FROM seen
        WHERE NOT regexp_full_match(platform, '[a-z0-9][a-z0-9_-]{0,63}')
          OR NOT regexp_full_match(observed_at, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ') OR scraped IS NULL
          OR NOT regexp_full_match(price, '\\d+\\.\\d\\d')
          OR strftime(observed, '%Y-%m') || '-' || country <> parse_filename(filename, true)
          OR list_price_type NOT IN ('ListPrice', 'MSRP', 'StrikethroughPrice', 'RegularPrice')
          OR list_price IS NULL AND list_price_type IS NOT NULL OR promo_flag NOT IN ('true', 'false')
          OR coalesce(availability NOT IN ('in_stock', 'out_of_stock', 'backorder', 'limited'), true)
          OR condition NOT IN ('new', 'open_box', 'refurbished', 'used')
          OR seller_type NOT IN ('first_party', 'third_party')
          OR star_rating::DECIMAL(3, 1) NOT BETWEEN 0 AND 5 OR review_count::INTEGER < 0
          OR list_amount < amount AND list_price_type = 'RegularPrice'`),
    ).toEqual([])
  })

  it('belong to listings of the catalogue within their lifetime', async () => {
    const strangers = await query(`FROM seen ANTI JOIN listing USING (platform, country, listing_id)`)
    expect(strangers).toEqual([])
    const early = await query(`
      FROM seen JOIN listing USING (platform, country, listing_id)
      WHERE observed::DATE NOT BETWEEN first_seen_at::DATE AND last_seen_at::DATE`)
    expect(early).toEqual([])
  })

  it('are in the order of their crawl', async () => {
    const { backwards } = await one<{ backwards: number }>(`
      SELECT count(*) FILTER (observed < before)::INTEGER AS backwards
      FROM (SELECT observed, lag(observed) OVER (PARTITION BY filename ORDER BY place) AS before
            FROM (SELECT filename, observed, row_number() OVER () AS place FROM line) WHERE observed IS NOT NULL)`)
    expect(backwards).toBe(0)
  })

  it('cover every day from the first to the last', async () => {
    const days = await one(`
      SELECT count(DISTINCT observed::DATE)::INTEGER AS days,
             min(observed::DATE)::VARCHAR AS first, max(observed::DATE)::VARCHAR AS last
      FROM seen`)
    expect(days).toEqual({ days: 395, first: '2025-09-15', last: '2026-10-14' })
  })
})

describe('the deliberate errors of the sample', () => {
  it('affect fewer rows than would refuse a file, and 0.2 to 0.4 % in total', async () => {
    const shares = await query<{ refused: number; soiled: number; lines: number }>(`
      SELECT count(*) FILTER (${REFUSED})::INTEGER AS refused, count(*)::INTEGER AS lines,
             (count(*) FILTER (${REFUSED} OR price IN ('0.01', '1.00') OR list_price = 'was' OR star_rating = '0.0')
               + count(*) - count(DISTINCT (platform, listing_id, observed_at)))::INTEGER AS soiled
      FROM line GROUP BY filename`)
    expect(shares).toHaveLength(28)
    for (const { refused, lines } of shares) expect(refused / lines).toBeLessThan(0.01)
    const total = (key: 'soiled' | 'lines') => shares.reduce((sum, share) => sum + share[key], 0)
    expect(total('soiled') / total('lines')).toBeGreaterThan(0.002)
    expect(total('soiled') / total('lines')).toBeLessThan(0.004)
  })

  it.each([
    ['a price in words', `price IN ('NA', '2 for $7', '97¢', '236.18 gbp', 'error')`],
    ['a price of zero', `amount = 0`],
    ['a negative price', `amount < 0`],
    ['a price of one cent', `price = '0.01'`],
    ['another currency', `currency = 'EUR'`],
    ['another country', `country = 'uk'`],
    ['no listing', `listing_id IS NULL`],
    ['no time', `observed IS NULL`],
    ['an observation after its collection', `observed > scraped + INTERVAL 5 MINUTE`],
    ['a list price in words', `list_price = 'was'`],
    ['a rating without votes', `star_rating = '0.0' AND review_count = '0'`],
  ])('include %s', async (_, condition) => {
    const { lines } = await one<{ lines: number }>(`SELECT count(*)::INTEGER AS lines FROM line WHERE ${condition}`)
    expect(lines).toBeGreaterThan(0)
  })

  it('include repeated rows, and single spikes between equal prices', async () => {
    const { repeated } = await one<{ repeated: number }>(
      `SELECT (count(*) - (SELECT count(*) FROM (SELECT DISTINCT * FROM line)))::INTEGER AS repeated FROM line`,
    )
    const { spikes } = await one<{ spikes: number }>(`
      SELECT count(*)::INTEGER AS spikes
      FROM (SELECT amount, lag(amount) OVER history AS before, lead(amount) OVER history AS after
            FROM line WHERE amount > 0 WINDOW history AS (PARTITION BY platform, country, listing_id ORDER BY observed))
      WHERE amount = 1 AND before = after AND before > 1`)
    expect(repeated).toBeGreaterThan(0)
    expect(spikes).toBeGreaterThan(0)
  })
})

describe('the sample prices', () => {
  it('do not change in about three of four listing-months', async () => {
    const { still } = await one<{ still: number }>(`
      SELECT avg((low = high)::INTEGER) AS still
      FROM (SELECT min(amount) AS low, max(amount) AS high FROM seen
            GROUP BY platform, country, listing_id, date_trunc('month', observed) HAVING count(*) >= 3)`)
    expect(still).toBeGreaterThan(0.68)
    expect(still).toBeLessThan(0.82)
  })

  it('fall before a listing is withdrawn', async () => {
    const { fall } = await one<{ fall: number }>(`
      SELECT median(last_price / usual_price) AS fall
      FROM (SELECT arg_max(amount, observed) AS last_price, median(amount) AS usual_price
            FROM seen JOIN listing USING (platform, country, listing_id) WHERE delisted_at IS NOT NULL
            GROUP BY platform, country, listing_id HAVING count(*) >= 8)`)
    expect(fall).toBeLessThan(0.8)
  })

  it('change in waves, as a repricing retailer changes far more prices in some weeks', async () => {
    const { peak } = await one<{ peak: number }>(`
      WITH moved AS (
        SELECT platform, country, date_trunc('week', observed) AS week,
               amount <> lag(amount) OVER (PARTITION BY platform, country, listing_id ORDER BY observed) AS has_moved
        FROM seen WHERE promo_flag = 'false' OR platform = 'glossroom'
      ),
      weekly AS (SELECT week, avg(has_moved::INTEGER) AS share FROM moved WHERE platform = 'glossroom' GROUP BY week)
      SELECT max(share) / median(share) AS peak FROM weekly`)
    expect(peak).toBeGreaterThan(2)
  })

  it('are sometimes on sale, and have inflated list prices at the marketplace', async () => {
    const { promoted, inflated } = await one<{ promoted: number; inflated: number }>(`
      SELECT avg((promo_flag = 'true')::INTEGER) AS promoted,
             avg((list_amount > amount AND promo_flag = 'false')::INTEGER) FILTER (platform = 'kettlecart') AS inflated
      FROM seen`)
    expect(promoted).toBeGreaterThan(0.03)
    expect(promoted).toBeLessThan(0.15)
    expect(inflated).toBeGreaterThan(0.2)
  })
})

describe('the sample listings', () => {
  it('appear, disappear and go out of stock', async () => {
    const { entered, left, out_of_stock } = await one<Record<'entered' | 'left' | 'out_of_stock', number>>(`
      SELECT (SELECT avg((first_seen_at > '2025-09-15T23:59:59Z')::INTEGER) FROM listing) AS entered,
             (SELECT avg((delisted_at IS NOT NULL)::INTEGER) FROM listing) AS left,
             (SELECT avg((availability IN ('out_of_stock', 'backorder'))::INTEGER) FROM seen) AS out_of_stock`)
    expect(entered).toBeCloseTo(0.2, 1)
    expect(left).toBeGreaterThan(0.06)
    expect(left).toBeLessThan(0.16)
    expect(out_of_stock).toBeCloseTo(0.05, 1)
  })

  it('are stale at the end for one retailer alone', async () => {
    const stale = await query(`
      SELECT platform, max(observed::DATE)::VARCHAR AS last FROM seen
      GROUP BY platform HAVING max(observed) < TIMESTAMP '2026-10-01'`)
    expect(stale).toEqual([{ platform: 'oldquarter', last: expect.stringMatching(/^2026-05/) }])
  })
})
