import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bestPrice, Engine, EngineError, readParams } from '../engine/library.ts'
import type { Answer } from '../engine/queries/query.ts'
import { type RefreshOptions, refresh } from '../ingest/refresh.ts'
import { readFiles } from '../test/support/files.ts'
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
} as const
type CatalogueName = keyof typeof CATALOGUES

/** A year, so that one date covers feeds of several months. */
const DAYS = '365'

/** A query, with a pattern that the titles of the intended products match and one that they do not match. */
type LabelledQuery = { catalogue: CatalogueName; q: string; type: string; is: RegExp; is_not: RegExp | null }

const readQueries = (): LabelledQuery[] =>
  readFileSync(new URL('./best-price-queries.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [catalogue, q = '', type = '', is = '', is_not = ''] = line.split('\t')
      return {
        catalogue: catalogue as CatalogueName,
        q,
        type,
        is: new RegExp(is, 'i'),
        is_not: is_not === '' ? null : new RegExp(is_not, 'i'),
      }
    })

const fold = (title: string): string => title.normalize('NFKD').replace(/\p{M}/gu, '')

const isRight = ({ is, is_not }: LabelledQuery, title: string | null): boolean => {
  const text = fold(title ?? '')
  return is.test(text) && !is_not?.test(text)
}

const mappingOf = (source: string): string => fileURLToPath(new URL(`../data/mappings/${source}.json`, import.meta.url))

/** Refreshes without limits on drops and quarantine, since the sources are from different years. */
const add = (lake: string, options: Omit<RefreshOptions, 'lake'>) =>
  refresh({ ...options, lake, max_drop: 1, max_quarantine: 1 })

/** The electronics of two shops, a labelled set for matching, as feeds of one day. */
const addElectronics = async (lake: string, folder: string): Promise<void> => {
  const feeds = join(folder, 'electronics')
  await mkdir(join(feeds, 'price_observations'), { recursive: true })
  const database = await openDuckDB()
  const set = labelled.find(({ name }) => name === 'er_walmart_amazon')!
  await database.run(`COPY (
      SELECT * EXCLUDE (price), 'us' AS country, '2025-04-01' AS observed_at, printf('%.2f', price::DOUBLE) AS price
      FROM (${set.catalogue}) WHERE price::DOUBLE > 0
    ) TO '${feeds}/price_observations/offers.parquet' (FORMAT parquet)`)
  database.closeSync()
  await add(lake, { feeds })
}

type MeasuredQuery = {
  query: LabelledQuery
  top: { before: boolean; after: boolean }
  rows: { before: Share; after: Share }
}
type Share = { right: number; all: number }
type PricedListing = { listing_id: number; product_name: string | null; price: number; in_stock: boolean | null }

/** The baseline: the cheapest listing that has all words. */
const cheapest = (offers: readonly PricedListing[]): PricedListing =>
  offers.toSorted(
    (a, b) =>
      Number(b.in_stock ?? false) - Number(a.in_stock ?? false) || a.price - b.price || a.listing_id - b.listing_id,
  )[0]!

const refused = (error: unknown): null => {
  if (error instanceof EngineError) return null
  throw error
}

const measureQuery = async (engine: Engine, query: LabelledQuery): Promise<MeasuredQuery | null> => {
  const { country, as_of } = CATALOGUES[query.catalogue]
  const params = readParams(bestPrice, { q: query.q, country, days: DAYS, as_of })
  const plan = await engine.plan(bestPrice, params).catch(refused)
  const answer = plan && ((await engine.run(plan).catch(refused)) as Answer<typeof bestPrice> | null)
  if (plan === null || answer === null) return null
  const { offers: listings } = (await readFiles(engine, bestPrice, plan)) as { offers: PricedListing[] }
  const { left_out } = plan.context as { left_out: readonly { listing_id: number }[] }
  const kept = listings.filter(({ listing_id }) => !left_out.some((other) => other.listing_id === listing_id))
  const shareOf = (offers: readonly PricedListing[]): Share => ({
    right: offers.filter(({ product_name }) => isRight(query, product_name)).length,
    all: offers.length,
  })
  const wrong = kept.filter(({ product_name }) => !isRight(query, product_name))
  if (wrong.length > 0 && process.env.SHOWN)
    console.error(query.catalogue, query.q, [...new Set(wrong.map(({ product_name }) => product_name))].slice(0, 6))
  return {
    query,
    top: {
      before: isRight(query, cheapest(listings).product_name),
      after: isRight(query, answer.best_price.product_name),
    },
    rows: { before: shareOf(listings), after: shareOf(kept) },
  }
}

const percent = (some: number, all: number): number => (100 * some) / all

const summaryOf = (name: string, queries: number, measured: readonly MeasuredQuery[]) => {
  const top = (when: 'before' | 'after') => percent(measured.filter((one) => one.top[when]).length, measured.length)
  const total = (when: 'before' | 'after', of: keyof Share) =>
    measured.reduce((sum, { rows }) => sum + rows[when][of], 0)
  return {
    catalogue: name,
    queries,
    answered: measured.length,
    'top of the right type before, %': top('before'),
    'after, %': top('after'),
    'rows of the right type before, %': percent(total('before', 'right'), total('before', 'all')),
    'rows after, %': percent(total('after', 'right'), total('after', 'all')),
    'right rows kept, %': percent(total('after', 'right'), total('before', 'right')),
  }
}

/** Whether best-price returns the intended product: queries about real groceries, drinks and electronics. */
export const benchBestPrice = async () => {
  const sources = Object.values(CATALOGUES).flatMap((catalogue) => [...catalogue.sources])
  const missing = [...sources, 'er_walmart_amazon'].filter((source) => !existsSync(join(sharedData, source)))
  if (missing.length > 0) {
    console.error(`skipped: there is no ${missing.join(', ')} in ${sharedData}`)
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-bench-best-price-'))
  const lake = join(folder, 'lake')
  try {
    for (const source of sources) await add(lake, { feeds: join(sharedData, source), mappings: [mappingOf(source)] })
    await addElectronics(lake, folder)
    return await measure(lake)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const measure = async (lake: string) => {
  const engine = await Engine.open(lake)
  const queries = readQueries()
  const measured: MeasuredQuery[] = []
  for (const query of queries) {
    const one = await measureQuery(engine, query)
    if (one) measured.push(one)
  }
  engine.close()
  const named = (name: string) => (of: { catalogue: string }) => name === 'all' || of.catalogue === name
  return [...Object.keys(CATALOGUES), 'all'].map((name) =>
    summaryOf(
      name,
      queries.filter(named(name)).length,
      measured.filter(({ query }) => named(name)(query)),
    ),
  )
}
