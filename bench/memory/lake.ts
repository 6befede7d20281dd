import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSample } from '../../data/sample/sample.ts'
import { plainUrl, productIdKey, titleKey, urlKey } from '../../engine/search/keys.ts'
import { nameWords } from '../../engine/search/words.ts'
import { refresh } from '../../ingest/refresh.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { copyLake } from '../copies/lake.ts'
import type { Steps } from '../copies/statements.ts'
import type { Connection } from '../duckdb.ts'
import { isReadable } from '../lake.ts'
import { BRANDS, scaledReadings, scaledRows, wordMacros } from './statements.ts'

/** The sample that is copied: few months, so that a lake of 20 million listings has no more prices than it needs. */
const SAMPLE = { seed: 1, months: 1, until: '2026-11-20', listings: 20_000 }
const GROWING = ['observations', 'listings', 'unique_products']

type SampleListing = [listing_id: number, name: string, product_id: string, url: string | null]

/** Reads the keys of the sample's listings as the engine normalizes them, into the table `reading`. */
const readKeys = async (connection: Connection, from: string): Promise<void> => {
  const result = await connection.runAndReadAll(
    `SELECT listing_id, product_name, product_id, url FROM '${from}/listings/*/*.parquet'`,
  )
  const rows = (result.getRowsJS() as SampleListing[]).map(([listing_id, name, product_id, url]) => ({
    listing_id,
    title_key: titleKey(nameWords(name, '').query.title),
    id_key: productIdKey(product_id),
    url_key: url === null ? null : urlKey(plainUrl(url)),
  }))
  const file = join(from, '..', '..', 'reading.json')
  writeFileSync(file, JSON.stringify(rows))
  await connection.run(`CREATE TABLE reading AS FROM read_json('${file}', columns = {listing_id: 'INTEGER',
    title_key: 'VARCHAR', id_key: 'VARCHAR', url_key: 'VARCHAR'})`)
}

const prepare = async (connection: Connection, from: string, steps: Steps): Promise<void> => {
  await connection.run(wordMacros(steps))
  await connection.run(`SET VARIABLE brands = (SELECT max(brand_id) FROM '${from}/brands.parquet')`)
  await readKeys(connection, from)
}

const ensureSample = async (cache: string): Promise<string> => {
  const folder = join(cache, 'shelfmark-bench-memory-sample')
  const lake = join(folder, 'lake')
  if (await isReadable(lake)) return lake
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const feeds = join(folder, 'feeds')
  if (!existsSync(feeds)) await writeSample({ ...SAMPLE, out: feeds })
  await refresh({ feeds, lake })
  return lake
}

/**
 * A lake of about this many listings, made once and kept: each listing of a refreshed sample many times, on the same
 * shelves, with uids, ids, addresses and prices of its own, and with two more words in its name. Its search index is what
 * a refresh would write, but for barcodes and readings, which only listings of the sample have.
 */
export const ensureListings = async (listings: number, cache: string): Promise<string> => {
  const lake = join(cache, `shelfmark-bench-memory-${listings}`)
  if (await isReadable(lake)) return lake
  const copies = Math.max(1, Math.round(listings / SAMPLE.listings))
  const sample = await ensureSample(cache)
  await rm(lake, { recursive: true, force: true })
  console.error(`Making a lake of ${listings.toLocaleString('en')} listings in ${lake}`)
  const countsOf = (counts: Readonly<Record<string, number>>) => ({
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, GROWING.includes(name) ? n * copies : n])),
    brands: (counts.brands ?? 0) * Math.min(BRANDS, copies),
  })
  await withLock(lake, () =>
    copyLake(sample, lake, {
      copies,
      name: 'scaled ',
      prepare,
      rowsOf: scaledRows,
      readingsOf: scaledReadings,
      countsOf,
    }),
  )
  return lake
}
