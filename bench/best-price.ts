import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bestPrice, Engine, EngineError, readParams } from '../engine/library.ts'
import type { Answer } from '../engine/queries/query.ts'
import { type RefreshOptions, refresh } from '../ingest/refresh.ts'
import { readFiles } from '../test/support/files.ts'
import {
  type CatalogueName,
  describeListings,
  HALVES,
  isAbsent,
  isRight,
  type Labels,
  readQueries,
} from './best-price-queries.ts'
import { openDuckDB } from './duckdb.ts'
import { labelled, sharedData } from './entities-labelled.ts'

/** Catalogues with the day that their queries are answered for, since each is from another year. */
const CATALOGUES = {
  us: {
    country: 'us',
    as_of: '2025-04-15',
    sources: ['us_aldi_catalog', 'us_tj_monthly', 'us_kroger_upc', 'us_pcpp_monthly'],
  },
  ca: { country: 'ca', as_of: '2025-04-15', sources: ['ca_hammer_items', 'ca_hammer_promo'] },
  bc: { country: 'ca', as_of: '2025-12-31', sources: ['ca_bcl_pricelist'] },
  gb: { country: 'gb', as_of: '2025-04-15', sources: [] },
  at: { country: 'at', as_of: '2025-04-15', sources: [] },
  de: { country: 'de', as_of: '2025-04-15', sources: [] },
  au: { country: 'au', as_of: '2025-04-15', sources: [] },
} as const satisfies Record<CatalogueName, object>

/** A year, so that one date covers feeds of several months. */
const DAYS = '365'

const mappingOf = (source: string): string => fileURLToPath(new URL(`../data/mappings/${source}.json`, import.meta.url))

/** Refreshes without limits on drops and quarantine, since the sources are from different years. */
const add = (lake: string, options: Omit<RefreshOptions, 'lake'>) =>
  refresh({ ...options, lake, max_drop: 1, max_quarantine: 1 })

const labelledOffers = (name: string): string => `(${labelled.find((set) => set.name === name)!.catalogue})`

const pricesOf = (country: string, stores: string): string => `
    SELECT store AS platform, id AS listing_id, arg_max(name, date) AS product_name, arg_max(price, date) AS price,
      arg_max(quantity, date)::VARCHAR AS size_value, arg_max(unit, date) AS size_unit, '${country}' AS country
    FROM read_parquet('${sharedData}/eu_heissepreise/price_changes.parquet')
    WHERE store IN (${stores}) GROUP BY ALL HAVING arg_max(price, date) > 0`

/** Catalogues that no mapping describes, as a country's offers of one day: labelled sets for matching, and shops of two countries. */
const OFFERS = {
  er_walmart_amazon: `SELECT * REPLACE (price::DOUBLE AS price), 'us' AS country
    FROM ${labelledOffers('er_walmart_amazon')} WHERE price::DOUBLE > 0`,
  er_pricerunner: `SELECT * REPLACE (10 + hash(listing_id) % 50000 / 100 AS price), 'gb' AS country, category_label AS category_path
    FROM ${labelledOffers('er_pricerunner')}
    JOIN read_parquet('${sharedData}/er_pricerunner/offers.parquet') ON listing_id = offer_id::VARCHAR`,
  er_abt_buy: `SELECT * REPLACE (coalesce(try_cast(price AS DOUBLE), 10 + hash(listing_id) % 50000 / 100) AS price), 'au' AS country
    FROM ${labelledOffers('er_abt_buy')}`,
  austrian: pricesOf('at', `'billa', 'mpreis', 'unimarkt'`),
  german: pricesOf('de', `'dmDe', 'muellerDe', 'reweDe'`),
} as const

const mappedSources = Object.values(CATALOGUES).flatMap((catalogue) => [...catalogue.sources])
const offers = Object.keys(OFFERS) as (keyof typeof OFFERS)[]
const offerSources = ['er_walmart_amazon', 'er_pricerunner', 'er_abt_buy', 'eu_heissepreise']

const CURRENCIES = `CASE country WHEN 'gb' THEN 'GBP' WHEN 'au' THEN 'AUD' WHEN 'at' THEN 'EUR' WHEN 'de' THEN 'EUR' ELSE 'USD' END AS currency`

export const addOffers = async (lake: string, folder: string, name: keyof typeof OFFERS): Promise<void> => {
  const feeds = join(folder, name)
  await mkdir(join(feeds, 'price_observations'), { recursive: true })
  const database = await openDuckDB()
  await database.run(`COPY (
      SELECT * REPLACE (printf('%.2f', price) AS price), '2025-04-01' AS observed_at, ${CURRENCIES} FROM (${OFFERS[name]})
    ) TO '${feeds}/price_observations/offers.parquet' (FORMAT parquet)`)
  database.closeSync()
  await add(lake, { feeds })
}

type PricedListing = { listing_id: number; retailer_id: number; price: number }

/** How a query was answered: whether it was refused, whether best_price is right, and how many of the listings compared. */
type MeasuredQuery = Labels & { refused: boolean; top: boolean; right: number; all: number; expected: number }

const refused = (error: unknown): null => {
  if (error instanceof EngineError && error.code === 'NO_RESULTS') return null
  throw error
}

/** At most so many listings are compared, of those that the labels accept. */
const MAX_COMPARED = 200

const measureQuery = async (
  engine: Engine,
  labels: Labels,
  texts: ReadonlyMap<number, string>,
  priced: ReadonlySet<number>,
): Promise<MeasuredQuery> => {
  const { country, as_of } = CATALOGUES[labels.catalogue]
  const isOk = (listing_id: number): boolean => isRight(labels, texts.get(listing_id) ?? '')
  const expected = isAbsent(labels) ? 0 : Math.min(MAX_COMPARED, [...priced].filter(isOk).length)
  const params = readParams(bestPrice, { q: labels.q, country, days: DAYS, as_of })
  const plan = await engine.plan(bestPrice, params).catch(refused)
  const answer = plan && ((await engine.run(plan).catch(refused)) as Answer<typeof bestPrice> | null)
  if (plan === null || answer === null) return { ...labels, refused: true, top: false, right: 0, all: 0, expected }
  const { offers } = (await readFiles(engine, bestPrice, plan)) as {
    offers: (PricedListing & { product_uid: string })[]
  }
  const { left_out } = plan.context as { left_out: readonly { listing_id: number }[] }
  const isLeftOut = new Set(left_out.map(({ listing_id }) => listing_id))
  const compared = offers.filter(({ listing_id }) => !isLeftOut.has(listing_id))
  const best = offers.find(({ product_uid }) => product_uid === answer.best_price.product_uid)
  const measured = {
    ...labels,
    refused: false,
    top: best !== undefined && isOk(best.listing_id),
    right: compared.filter(({ listing_id }) => isOk(listing_id)).length,
    all: compared.length,
    expected,
  }
  if (process.env.SHOWN) {
    const textsOf = (of: readonly PricedListing[]) => of.map(({ listing_id }) => texts.get(listing_id))
    const wrong = compared.filter(({ listing_id }) => !isOk(listing_id))
    console.error(labels.half, labels.kind, labels.catalogue, labels.q, '->', answer.best_price.product_name)
    if (!isAbsent(labels))
      console.error('   wrong', wrong.length, 'of', compared.length, [...new Set(textsOf(wrong))].slice(0, 5))
  }
  return measured
}

const percent = (some: number, all: number): number | null => (all === 0 ? null : (100 * some) / all)
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const summaryOf = (half: string, kind: string, of: readonly MeasuredQuery[]) => {
  const answered = of.filter(({ refused }) => !refused)
  const isPresent = of.every((one) => !isAbsent(one))
  const share = (value: number | null) => (isPresent && value !== null ? 100 * value : null)
  return {
    half,
    kind,
    queries: of.length,
    'refused, %': percent(of.length - answered.length, of.length),
    'best price right, %': isPresent ? percent(of.filter(({ top }) => top).length, of.length) : null,
    'rows right, %': share(mean(answered.map(({ right, all }) => right / Math.max(1, all)))),
    'right rows left out, %': share(
      mean(of.map(({ right, expected }) => 1 - Math.min(1, right / Math.max(1, expected)))),
    ),
  }
}

/** Whether best-price returns the intended product: queries about real groceries, drinks and electronics. */
export const benchBestPrice = async () => {
  const missing = [...mappedSources, ...offerSources].filter((source) => !existsSync(join(sharedData, source)))
  if (missing.length > 0) {
    console.error(`skipped: there is no ${missing.join(', ')} in ${sharedData}`)
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-bench-best-price-'))
  try {
    const lake = join(folder, 'lake')
    await makeLake(lake, folder)
    return await measure(lake, HALVES)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the lake of all catalogues. */
export const makeLake = async (lake: string, folder: string): Promise<void> => {
  for (const source of mappedSources)
    await add(lake, { feeds: join(sharedData, source), mappings: [mappingOf(source)] })
  for (const name of offers) await addOffers(lake, folder, name)
}

/** Measures the queries of some halves, by half and kind. */
export const measure = async (lake: string, halves: readonly string[]) => {
  const engine = await Engine.open(lake)
  const texts = await describeListings(join(lake, 'snapshots', engine.manifest.snapshot_id))
  const pricedIn = new Map<CatalogueName, ReadonlySet<number>>()
  for (const [name, { country, as_of }] of Object.entries(CATALOGUES)) {
    const catalog = await engine.catalog(new Date(as_of))
    const { listing, places } = await catalog.search(country)
    const since = new Date(Date.parse(as_of) - Number(DAYS) * 86_400_000).toISOString().slice(0, 10)
    const all = Array.from(places.row, (_, number) => listing(number))
    const isPriced = ({ first_day, last_day }: (typeof all)[number]) =>
      first_day !== null && last_day !== null && last_day >= since && first_day <= as_of
    pricedIn.set(name as CatalogueName, new Set(all.filter(isPriced).map(({ listing_id }) => listing_id)))
  }
  const measured: MeasuredQuery[] = []
  for (const labels of readQueries().filter(({ half }) => halves.includes(half)))
    measured.push(await measureQuery(engine, labels, texts, pricedIn.get(labels.catalogue)!))
  engine.close()
  return halves.flatMap((half) => {
    const ofHalf = measured.filter((one) => one.half === half)
    const kinds = [...new Set(ofHalf.map(({ kind }) => kind))]
    const absent = ofHalf.filter(isAbsent)
    return [
      ...kinds.map((kind) =>
        summaryOf(
          half,
          kind,
          ofHalf.filter((one) => one.kind === kind),
        ),
      ),
      summaryOf(
        half,
        'all present',
        ofHalf.filter((one) => !isAbsent(one)),
      ),
      ...(absent.length > 0 ? [summaryOf(half, 'all absent', absent)] : []),
    ]
  })
}
