import { existsSync, readdirSync } from 'node:fs'
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest, snapshotIds } from '../engine/index.ts'
import { openDuckDB } from './duckdb.ts'
import { bytesOf, ensureFeeds, feedsFolder, lakeFolder, runWorker, type Worked } from './lake.ts'

const FORMATS = ['csv', 'jsonl', 'parquet'] as const
type FeedFormat = (typeof FORMATS)[number]

const TEXT = '(price / 100)::DECIMAL(9, 2)::VARCHAR AS price, (list_price / 100)::DECIMAL(9, 2)::VARCHAR AS list_price'

const READERS: Readonly<Record<FeedFormat, (files: string) => string>> = {
  csv: (files) => `read_csv('${files}', all_varchar = true)`,
  jsonl: (files) => `read_json('${files}', format = 'newline_delimited')`,
  parquet: (files) => `read_parquet('${files}')`,
}

const WRITERS: Readonly<Record<FeedFormat, string>> = {
  csv: 'FORMAT csv, HEADER',
  jsonl: 'FORMAT json',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
}

/** The price files of the sample in a format: typed in Parquet, prices as decimals in text. Generated once and kept. */
const ensureFiles = async (observations: number, format: FeedFormat): Promise<string> => {
  const sample = join(feedsFolder(observations), 'price_observations')
  const feeds = join(feedsFolder(observations), '..', `feeds-${format}`)
  if (existsSync(feeds)) return feeds
  // Written to a draft folder and renamed when it is complete.
  const draft = `${feeds}.draft`
  const folder = join(draft, 'price_observations')
  await rm(draft, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const connection = await openDuckDB()
  const names = readdirSync(sample)
  for (const name of names) {
    const [stem = '', kind] = name.split('.')
    const source =
      kind === 'csv' ? `read_csv('${join(sample, name)}', all_varchar = true)` : `read_parquet('${join(sample, name)}')`
    const to = join(folder, `${stem}.${format}`)
    if (kind === format) await copyFile(join(sample, name), to)
    else if (kind === 'csv')
      await connection.run(`COPY (SELECT * REPLACE ((TRY_CAST(price AS DECIMAL(9, 2)) * 100)::INTEGER AS price,
        (TRY_CAST(list_price AS DECIMAL(9, 2)) * 100)::INTEGER AS list_price, TRY_CAST(observed_at AS TIMESTAMP) AS observed_at,
        TRY_CAST(scraped_at AS TIMESTAMP) AS scraped_at, TRY_CAST(promo_flag AS BOOLEAN) AS promo_flag) FROM ${source})
        TO '${to}' (${WRITERS[format]})`)
    else
      await connection.run(`COPY (SELECT * REPLACE (${TEXT}, strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ') AS observed_at,
        strftime(scraped_at, '%Y-%m-%dT%H:%M:%SZ') AS scraped_at) FROM ${source}) TO '${to}' (${WRITERS[format]})`)
  }
  for (const feed of ['product_catalogue', 'category_taxonomy'])
    await cp(join(feedsFolder(observations), feed), join(draft, feed), { recursive: true })
  await rename(draft, feeds)
  return feeds
}

/** A refresh compared with its floor. */
const compared = (name: string, refreshed: Worked, floor: Worked): Record<string, unknown> => ({
  files: name,
  rows: refreshed.rows,
  seconds: refreshed.seconds,
  rows_per_second: Math.round(refreshed.rows / refreshed.seconds),
  cpu_us_per_row: (1e6 * refreshed.cpu_seconds) / refreshed.rows,
  floor_cpu_us_per_row: (1e6 * floor.cpu_seconds) / refreshed.rows,
  cpu_ratio: refreshed.cpu_seconds / floor.cpu_seconds,
  peak_mib: refreshed.peak_mib,
})

const sorted = (lake: string, format: FeedFormat, files: string): Promise<Worked> =>
  runWorker('./sort-worker.ts', [READERS[format](files), join(lake, '..', 'floor.parquet')])

const benchFormat = async (observations: number, format: FeedFormat): Promise<Record<string, unknown>> => {
  const feeds = await ensureFiles(observations, format)
  const lake = join(feeds, '..', `lake-${format}`)
  await rm(lake, { recursive: true, force: true })
  const floor = await sorted(lake, format, join(feeds, 'price_observations', `*.${format}`))
  const refreshed = await runWorker('./refresh-worker.ts', [feeds, lake])
  const [id] = await snapshotIds(lake)
  const { counts } = await readManifest(lake, id!)
  const bytes = bytesOf(join(lake, 'snapshots', id!, 'observations')) / (counts.observations ?? 1)
  return { ...compared(format, refreshed, floor), fact_bytes_per_observation: bytes }
}

/** The last month of the sample, added to a lake of all months before it. */
const benchMonth = async (observations: number): Promise<Record<string, unknown>> => {
  const feeds = await ensureFiles(observations, 'parquet')
  const [all, lake] = [join(feeds, 'price_observations'), join(feeds, '..', 'lake-months')]
  const names = readdirSync(all).sort()
  const last = names.at(-1)!.slice(0, 7)
  const [first, second] = ['before', 'last'].map((part) => join(feeds, '..', `feeds-${part}`)) as [string, string]
  for (const folder of [first, second, lake]) await rm(folder, { recursive: true, force: true })
  for (const folder of [first, second]) await mkdir(join(folder, 'price_observations'), { recursive: true })
  for (const name of names)
    await copyFile(join(all, name), join(name.startsWith(last) ? second : first, 'price_observations', name))
  await cp(join(feeds, 'product_catalogue'), join(first, 'product_catalogue'), { recursive: true })
  await runWorker('./refresh-worker.ts', [first, lake])
  const floor = await sorted(lake, 'parquet', join(second, 'price_observations', '*.parquet'))
  return compared(`month ${last} added`, await runWorker('./refresh-worker.ts', [second, lake]), floor)
}

/**
 * Refreshes of a new lake from CSV, JSON lines and Parquet, and of one that has all months but the last, each beside
 * DuckDB sorting the same files. The floor's ratio is of CPU time, which a busy machine changes least.
 */
export const benchIngest = async (observations: number) => {
  await ensureFeeds(observations)
  await rm(lakeFolder(observations), { recursive: true, force: true })
  const rows: Record<string, unknown>[] = []
  for (const format of FORMATS) rows.push(await benchFormat(observations, format))
  rows.push(await benchMonth(observations))
  return rows
}
