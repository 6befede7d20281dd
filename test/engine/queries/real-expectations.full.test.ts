import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReadBy } from '../../../engine/counts/count.ts'
import { Engine } from '../../../engine/index.ts'
import { type indexMonths, masksOf } from '../../../engine/queries/index-counts.ts'
import { pairsOf } from '../../../engine/statistics/price-index.ts'
import { newFolder, query, run } from '../../ingest/feeds.ts'
import { ask, type Given, planOf, queryNamed } from '../../support/ask.ts'
import { readFiles } from '../../support/files.ts'
import { beyondVector } from '../../support/vectors.ts'

/**
 * Figures that other code computed of real files, beside those of a refresh of these files and the queries of the product.
 * Periods that are no calendar months (snapshots of a catalogue, months after a gap) are moved to months that follow each other.
 */
const shared = new URL('../../../../shared/', import.meta.url).pathname
const isThere = existsSync(join(shared, 'data')) && existsSync(join(shared, 'vectors/beyond/expectations.json'))
if (!isThere) console.warn(`skipped: no real price data and expectations in ${shared}`)

type Figures = Record<string, number>
type Expected = Record<string, Figures & Record<string, Figures>>
const expected = isThere ? beyondVector<Expected>('expectations') : {}

const compared: { data: string; figure: string; theirs: number; ours: unknown }[] = []

/** Requires figures to agree to the decimals that answers have, or that the expectation has where these are fewer. */
const compare = (data: string, theirs: Figures, ours: Record<string, unknown>): void => {
  for (const [figure, value] of Object.entries(ours))
    compared.push({ data, figure, theirs: theirs[figure]!, ours: value })
  for (const [figure, value] of Object.entries(ours)) {
    const decimals = Math.min(2, (String(theirs[figure]).split('.')[1] ?? '').length)
    expect(value, `${data}: ${figure}`).toBeCloseTo(theirs[figure]!, decimals - 0.01)
  }
}

/** An engine over a refresh of the rows of a statement: platform, listing_id, observed_at, price and more. */
const engineOver = async (rows: string): Promise<Engine> => {
  const feeds = await newFolder()
  await mkdir(join(feeds, 'price_observations'))
  await query(`COPY (${rows}) TO '${feeds}/price_observations/rows.parquet'`)
  const { lake, status, reasons } = await run(feeds, { memory_limit: '2GiB', threads: 2 })
  if (status !== 'published') throw new Error(reasons.join('\n'))
  return Engine.open(lake)
}

const dataOf = (path: string): string => `read_parquet('${shared}data/${path}')`

type IndexAnswer = {
  change_pct: number
  drift_pp: number
  set_aside_count: number
  time_series: (Figures & { date: string })[]
}

/** The figures of an index over so many months, by both methods. */
const indexesOf = async (engine: Engine, as_of: string, scope: Given) => {
  const of = async (method: string) =>
    (await ask(engine, 'analyst/price-index', { ...scope, method }, as_of)) as unknown as IndexAnswer
  const [geks, tpd] = [await of('geks_jevons'), await of('tpd')]
  // Answers have no direct index, which is that of the first and last month by the same counts.
  const plan = await planOf(engine, 'analyst/price-index', scope, as_of)
  const months = Number(scope.months)
  const read = (await readFiles(engine, queryNamed('analyst/price-index'), plan)) as ReadBy<{
    indexMonths: typeof indexMonths
  }>
  const masks = masksOf(read.indexMonths, months)
  const { n, logs } = pairsOf(masks, months)
  const direct = logs.get(0)![0]![months - 1]! / n[0]![months - 1]!
  return {
    last_pct: {
      geks_jevons: geks.change_pct,
      tpd: tpd.change_pct,
      chained: geks.change_pct + geks.drift_pp,
      direct: 100 * Math.expm1(direct),
    },
    counts: {
      listing_months:
        geks.time_series.reduce((sum, { listing_count }) => sum + listing_count!, 0) + geks.set_aside_count,
      spikes: geks.set_aside_count,
      masks: masks.length,
    },
    last: geks.time_series.at(-1)!,
  }
}

const settingOf = ({
  pair_count,
  increase_count,
  decrease_count,
  frequency_pct,
  median_size_pct,
  implied_duration_months,
}: Figures) => ({
  pairs: pair_count,
  changes: increase_count! + decrease_count!,
  increases: increase_count,
  frequency_pct,
  median_size_pct,
  ...(implied_duration_months === undefined ? {} : { implied_duration_months }),
})

/** A refresh of a million rows takes minutes where other tests run, too. */
const SLOW = 900_000

afterAll(() => {
  if (compared.length > 0) console.table(compared)
})

describe.skipIf(!isThere)('monthly prices of four stores', () => {
  const rows = (from: string) => `
    SELECT store AS platform, 'us' AS country, sku AS listing_id, retail_price AS price, 'USD' AS currency, 'Grocery' AS category_path,
      CASE month WHEN '2025-10' THEN '2025-07' ELSE month END || '-01' AS observed_at
    FROM ${dataOf('us_tj_monthly/monthly_prices.parquet')}
    WHERE retail_price::DOUBLE > 0.01 AND month >= '${from}'`

  // The month after the gap is moved to the end of the others, since a chained index does not cross months without listings.
  test.each([
    ['us_tj_monthly', '2024-01', 19],
    ['us_tj_monthly_from_2024_02', '2024-02', 18],
  ])('%s', async (name, from, months) => {
    const engine = await engineOver(rows(from))
    const { last_pct, counts } = await indexesOf(engine, '2025-08-15', { category: 'Grocery', months })
    compare(name, expected[name]!, counts)
    compare(name, expected[name]!.last_pct!, last_pct)
    engine.close()
  })

  test('us_tj_monthly_price_setting_to_2025_06', async () => {
    const name = 'us_tj_monthly_price_setting_to_2025_06'
    const engine = await engineOver(`SELECT * FROM (${rows('2024-01')}) WHERE observed_at < '2025-07'`)
    const answer = await ask(engine, 'analyst/price-setting', { category: 'Grocery', months: 18 }, '2025-07-15')
    compare(name, expected[name]!, settingOf(answer.posted))
    engine.close()
  })
})

test.skipIf(!isThere)('us_pcpp_monthly, a catalogue of parts in twelve snapshots', async () => {
  const name = 'us_pcpp_monthly'
  const engine = await engineOver(`
    SELECT 'pcpartpicker' AS platform, 'us' AS country, md5(concat_ws('|', category, name, attributes)) AS listing_id,
      'Computer Parts' AS category_path, price_usd::VARCHAR AS price, 'USD' AS currency,
      (DATE '2024-01-01' + INTERVAL (dense_rank() OVER (ORDER BY snapshot_date) - 1) MONTH)::DATE AS observed_at
    FROM ${dataOf('us_pcpp_monthly/listings.parquet')}
    QUALIFY price_usd::DOUBLE > 0`)
  const { last_pct, counts, last } = await indexesOf(engine, '2025-01-15', { category: 'Computer Parts', months: 12 })
  compare(name, expected[name]!, counts)
  compare(name, expected[name]!.last_pct!, last_pct)
  const { new_count, returned_count, gone_count, stayed_count } = last
  const churn = { new: new_count, returned: returned_count, gone: gone_count, stayed: stayed_count }
  compare(name, expected[name]!.last_churn!, churn)
  engine.close()
})

describe.skipIf(!isThere)('price changes of thirteen retailers', () => {
  const changes = (priceOfDay: string) => `
    (SELECT store AS platform, 'at' AS country, id AS listing_id, 'Grocery' AS category_path, name AS product_name, date,
      ${priceOfDay} AS price
    FROM read_parquet('${shared}data/eu_heissepreise/price_changes.parquet', file_row_number = true) WHERE price > 0 GROUP BY ALL)`

  test(
    'eu_heissepreise_month_ends',
    async () => {
      const name = 'eu_heissepreise_month_ends'
      const engine = await engineOver(`
      SELECT * EXCLUDE (date, price, product_name), 'EUR' AS currency, last_day(month::DATE) AS observed_at, round(arg_max(price, date), 2)::VARCHAR AS price
      FROM ${changes('last(price ORDER BY file_row_number)')} JOIN generate_series(DATE '2023-05-01', DATE '2024-01-01', INTERVAL 1 MONTH) AS months(month)
        ON date <= last_day(month::DATE)
      GROUP BY ALL`)
      const scope = { category: 'Grocery', country: 'at', months: 9 }
      const { last_pct, counts } = await indexesOf(engine, '2024-02-15', scope)
      compare(name, expected[name]!, counts)
      compare(name, expected[name]!.last_pct!, last_pct)
      const { posted } = await ask(engine, 'analyst/price-setting', scope, '2024-02-15')
      compare(name, expected[name]!.price_setting!, settingOf(posted))
      engine.close()
    },
    SLOW,
  )

  test('dm_and_dmDe_latest', async () => {
    const name = 'dm_and_dmDe_latest'
    const engine = await engineOver(`
      SELECT * EXCLUDE (date, price), listing_id AS gtin, 'EUR' AS currency, DATE '2024-02-14' AS observed_at,
        round(arg_max(price, date), 2)::VARCHAR AS price
      FROM ${changes('first(price ORDER BY file_row_number)')} WHERE platform IN ('dm', 'dmDe') GROUP BY ALL`)
    const scope = { category: 'Grocery', country: 'at' }
    const { pairs, retailers, retailer_share_pct } = await ask(engine, 'analyst/retailer-levels', scope, '2024-02-20')
    const assortment = await ask(engine, 'marketing/assortment', scope, '2024-02-20')
    const { shared: count, equal, retailer_share_of_variance, jaccard, level } = expected[name]!
    const theirs = {
      shared: count!,
      identical_pct: (100 * equal!) / count!,
      retailer_share_pct: 100 * retailer_share_of_variance!,
      jaccard: jaccard!,
    }
    const levelOf = (retailer: string) =>
      100 * retailers.find((row: { retailer: string }) => row.retailer === retailer.toLowerCase()).level
    compare(name, theirs, {
      shared: pairs[0].shared_products,
      identical_pct: pairs[0].identical_pct,
      retailer_share_pct,
      jaccard: assortment.pairs[0].jaccard,
    })
    compare(name, level!, { dm: levelOf('dm'), dmDe: levelOf('dmDe') })
    engine.close()
  })
})

test.skipIf(!isThere)('ca_hammer_items, three products of eight grocers', async () => {
  const name = 'ca_hammer_items'
  const mapping = new URL('../../../data/mappings/ca_hammer_items.json', import.meta.url).pathname
  const { lake, status } = await run(join(shared, 'data', name), {
    mappings: [mapping],
    memory_limit: '1GiB',
    threads: 2,
  })
  expect(status).toBe('published')
  const engine = await Engine.open(lake)
  const scope = { category: 'Grocery', country: 'ca' }
  const setting = await ask(engine, 'analyst/price-setting', { ...scope, months: 10 }, '2024-12-15')
  for (const kind of ['posted', 'regular'] as const) {
    const { implied_duration_months: _, ...figures } = settingOf(setting[kind]) as Figures
    compare(`${name} ${kind}`, expected[name]![kind]!, figures)
  }
  const claims = await ask(
    engine,
    'marketing/promotion-reality',
    { ...scope, from: '2024-02-01', to: '2024-12-01' },
    '2024-12-15',
  )
  const { above_prior_low, supported, insufficient_history, start_unknown } = expected[name]!.claim_runs!
  // The expectations have 30 of the runs without enough history as of unknown start; in the file 37 begin with the first row of a listing.
  compare(
    `${name} claims`,
    {
      above_prior_low: above_prior_low!,
      supported: supported!,
      without_history: insufficient_history! + start_unknown!,
    },
    {
      above_prior_low: claims.above_prior_low_count,
      supported: claims.supported_count,
      without_history: claims.insufficient_history_count,
    },
  )
  expect(claims.start_unknown_count).toBe(37)
  const medians = { median_claimed_pct: 23.0, median_real_pct: 6.3, unreal_pct: 45 }
  compare(`${name} claims`, medians, {
    median_claimed_pct: claims.median_claimed_pct,
    median_real_pct: claims.median_real_pct,
    unreal_pct: claims.unreal_pct,
  })
  engine.close()
})
