import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type RefreshOptions, refresh } from '../../ingest/refresh.ts'
import type { FileReport, RefreshReport } from '../../ingest/report.ts'
import { temporaryFolder as newFolder } from '../support/given.ts'
import { lakeMadeOnce } from '../support/made-once.ts'

export { newFolder }

export type Lake = RefreshReport & { lake: string }
type Files = Readonly<Record<string, string | Uint8Array>>

/** A feeds folder of these files. */
export const givenFiles = async (files: Files): Promise<string> => {
  const folder = await newFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

/**
 * Refreshes a lake, by default a new one, with limits that a small test does not exceed, and with one thread: a second one
 * would be idle.
 */
export const run = async (feeds: string, options: Partial<RefreshOptions> = {}): Promise<Lake> => {
  const lake = options.lake ?? join(await newFolder(), 'lake')
  const limits = { memory_limit: '512MiB', max_quarantine: 1, max_drop: 1, threads: 1 }
  return { ...(await refresh({ ...limits, ...options, feeds, lake })), lake }
}

/** A refresh of these files. Of a new lake each test gets a copy: the same files make it once in a test file. */
export const runFiles = async (files: Files, options: Partial<RefreshOptions> = {}): Promise<Lake> =>
  options.lake
    ? run(await givenFiles(files), options)
    : lakeMadeOnce([files, options], async (lake) => run(await givenFiles(files), { ...options, lake }))

type Described = Readonly<Record<string, readonly [file: string | Uint8Array, description: object]>>

/** A refresh of files of price observations, each under a description of its own. */
export const runDescribed = async (files: Described): Promise<Lake> => {
  const described = Object.entries(files)
  const feeds = await givenFiles(Object.fromEntries(described.map(([name, [file]]) => [name, file])))
  const mappings = await givenFiles(
    Object.fromEntries(
      described.map(([name, [, description]]) => [
        `${name}.json`,
        JSON.stringify({ price_observations: { files: [name], ...description } }),
      ]),
    ),
  )
  return run(feeds, { mappings: described.map(([name]) => `${mappings}/${name}.json`) })
}

export const HEADER = 'platform,country,listing_id,observed_at,price,currency'

/** A file of price observations: lines under the header that most tests use. */
export const csv = (...lines: readonly string[]): string => `${[HEADER, ...lines].join('\n')}\n`

/** What a report says of each file of price observations, by its name. */
export const byFile = ({ files }: RefreshReport): Map<string, FileReport> =>
  new Map(files.map((file) => [file.file.replace('price_observations/', ''), file]))

/** Rows refused, over all codes. */
export const refusedRows = ({ quarantined }: FileReport): number =>
  Object.values(quarantined).reduce((sum, rows) => sum + rows, 0)

/** One for all queries: it takes longer to open than what it reads. */
const instance = await DuckDBInstance.create(':memory:', { threads: '1' })

/** Rows as text. */
export const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[]
  } finally {
    connection.closeSync()
  }
}

/** A table of a snapshot as a FROM clause reads it. */
export const table = ({ lake, snapshot_id, previous }: RefreshReport & { lake: string }, name: string): string => {
  const path = `${lake}/snapshots/${snapshot_id ?? previous}/${name}`
  return `read_parquet(['${path}/**/*.parquet'], hive_partitioning = true, hive_types_autocast = false)`
}

/** A table of one file. */
export const single = ({ lake, snapshot_id, previous }: RefreshReport & { lake: string }, name: string): string =>
  `read_parquet('${lake}/snapshots/${snapshot_id ?? previous}/${name}.parquet')`

/**
 * Every observation as a line, sorted: listing, category, brand, day, second, price, list price, promo, stock. The same
 * for lakes that know the same.
 */
export const observationsOf = async (report: RefreshReport & { lake: string }): Promise<string[]> => {
  const rows = await query(`
    SELECT concat_ws(' ', platform, country, product_id, path, coalesce(brand_norm, '-'), day, observed_second,
      observation.price, coalesce(observation.list_price::VARCHAR, '-'),
      coalesce(observation.promo_flag::VARCHAR, '-'), coalesce(observation.in_stock::VARCHAR, '-')) AS line
    FROM ${table(report, 'observations')} AS observation
    JOIN ${table(report, 'observation_times')} AS observation_time USING (country, month, category_id, listing_id, day)
    JOIN ${table(report, 'listings')} AS listing USING (country, category_id, listing_id)
    JOIN ${single(report, 'categories')} AS category USING (category_id)
    JOIN ${single(report, 'retailers')} AS retailer ON retailer.retailer_id = observation.retailer_id
    LEFT JOIN ${single(report, 'brands')} AS brand ON brand.brand_id = observation.brand_id
    ORDER BY line`)
  return rows.map(({ line }) => String(line))
}
