import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProduct } from '../engine/catalog/product.ts'
import { type Catalog, Engine } from '../engine/index.ts'
import { refresh } from '../ingest/refresh.ts'
import { ensureCatalogue } from './catalogue.ts'
import { openDuckDB } from './duckdb.ts'
import { AS_OF, bytesOf } from './lake.ts'
import { median, quantile } from './quantile.ts'
import { type Change, deriveQueries, type SearchQuery, seededRandom } from './search-queries.ts'

const QUERIES = 1000
const FIRST = 3
const MAX_LISTINGS = 2_000_000
const shared = fileURLToPath(new URL('../../shared/data/', import.meta.url))
const mapped = ['us_pcpp_monthly', 'us_kroger_upc']

const namesIn = async (snapshot: string): Promise<ReadonlyMap<number, string>> => {
  const connection = await openDuckDB()
  const rows = await connection.runAndReadAll(
    `SELECT listing_id, product_name FROM read_parquet('${snapshot}/listings/country=us/*.parquet') ORDER BY listing_id`,
  )
  return new Map(rows.getRowsJS() as [number, string][])
}

type SearchTiming = { found: boolean; milliseconds: number }

/** The listings that a text finds; none where it is refused. */
const listingsOf = async (q: string, catalog: Catalog) => {
  try {
    return (await findProduct({ q, country: 'us' }, catalog)).listings
  } catch {
    return []
  }
}

const openLake = async (lake: string) => {
  const engine = await Engine.open(lake, { as_of: AS_OF })
  const names = await namesIn(join(lake, 'snapshots', engine.manifest.snapshot_id))
  const start = performance.now()
  const catalog = await engine.catalog()
  const open_seconds = (performance.now() - start) / 1000
  /** Found if a listing with exactly the name is among the first ones; several listings may have the same name. */
  const search = async ({ name, q }: SearchQuery): Promise<SearchTiming> => {
    const begin = performance.now()
    const first = (await listingsOf(q, catalog)).slice(0, FIRST)
    return {
      milliseconds: performance.now() - begin,
      found: first.some(({ listing_id }) => names.get(listing_id) === name),
    }
  }
  return { engine, names, search, open_seconds }
}

const timesOf = (results: readonly SearchTiming[]) => {
  const times = results.map(({ milliseconds }) => milliseconds)
  return { p50_ms: median(times), p99_ms: quantile(times, 0.99) }
}

const measure = async (lake: string) => {
  const { engine, names, search, open_seconds } = await openLake(lake)
  const queries = deriveQueries([...new Set(names.values())], QUERIES, seededRandom(1))
  const results: (SearchTiming & { change: Change })[] = []
  for (const query of queries) results.push({ ...(await search(query)), change: query.change })
  const share = (of: readonly SearchTiming[]): number => (100 * of.filter(({ found }) => found).length) / of.length
  const snapshot = join(lake, 'snapshots', engine.manifest.snapshot_id)
  const index_mib = ['words', 'postings', 'keys', 'places']
    .map((table) => bytesOf(join(snapshot, `search_${table}`)) / 2 ** 20)
    .reduce((sum, bytes) => sum + bytes, 0)
  engine.close()
  const of = (change: Change) => share(results.filter((answer) => answer.change === change))
  return {
    listings: engine.manifest.counts.listings,
    'first 3, %': share(results),
    'words dropped, %': of('words dropped'),
    'reordered, %': of('reordered'),
    'typing error, %': of('typing error'),
    index_mib,
    open_seconds,
    resident_mib: process.memoryUsage().rss / 2 ** 20,
    ...timesOf(results),
  }
}

/** Search on real names if ../shared/data exists, and on a generated catalogue of up to 2 million listings. */
export const benchSearch = async (observations: number) => {
  const rows: Record<string, unknown>[] = []
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-bench-search-'))
  const real = join(folder, 'real')
  const sources = mapped.filter((name) => existsSync(join(shared, name)))
  for (const name of sources) {
    const mapping = fileURLToPath(new URL(`../data/mappings/${name}.json`, import.meta.url))
    await refresh({ feeds: join(shared, name), mappings: [mapping], lake: real })
  }
  if (sources.length > 0) rows.push({ catalogue: 'real names', ...(await measure(real)) })
  const listings = Math.min(observations, MAX_LISTINGS)
  const feeds = await ensureCatalogue(listings)
  const made = join(feeds, '..', 'lake')
  await rm(made, { recursive: true, force: true })
  const start = performance.now()
  await refresh({ feeds, lake: made })
  const refresh_seconds = (performance.now() - start) / 1000
  rows.push({ catalogue: 'generated', refresh_seconds, ...(await measure(made)) })
  await rm(folder, { recursive: true, force: true })
  return rows
}
