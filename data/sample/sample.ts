import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { DuckDBInstance } from '../../engine/lake/duckdb.ts'
import { feedFiles, type SampleFile } from './files.ts'
import { OptionError, parseOptions, type SampleOptions } from './options.ts'
import { planSample, type SamplePlan } from './plan.ts'

export type FeedSummary = { feed: string; files: number; rows: number; bytes: number }
export type SampleSummary = { first_day: string; until: string; feeds: FeedSummary[] }

const MEMORY_LIMIT = '2GiB'
const LISTING_TABLES = ['macro', 'category', 'brand', 'product', 'cell', 'listing']
const HISTORY_TABLES = [
  'cadence',
  'spell',
  'offer',
  'crawl',
  'observation',
  'browse-node',
  'spelling',
  'resize',
  'catalogue',
  'social-post',
]

const folder = (name: string): URL => new URL(`${name}/`, import.meta.url)
const statement = (name: string): string => readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')

const create = async (connection: DuckDBConnection, names: readonly string[]): Promise<void> => {
  for (const name of names) await connection.run(statement(`model/${name}`))
}

const fillLists = async (connection: DuckDBConnection): Promise<void> => {
  await create(connection, ['table'])
  for (const lists of ['lists', 'segments', 'departments'])
    for (const file of readdirSync(folder(lists)).sort())
      await connection.run(readFileSync(new URL(file, folder(lists)), 'utf8'))
}

const setVariables = async (connection: DuckDBConnection, seed: number, plan: SamplePlan): Promise<void> => {
  const { first_day, days, listings, products, observations } = plan
  await connection.run('SET VARIABLE first_day = $first_day::DATE', { first_day })
  await connection.run('SET VARIABLE seed = $seed::BIGINT', { seed: BigInt(seed) })
  await connection.run('SET VARIABLE days = $days::INTEGER', { days })
  await connection.run('SET VARIABLE listings = $listings::BIGINT', { listings })
  await connection.run('SET VARIABLE products = $products::BIGINT', { products })
  await connection.run('SET VARIABLE observations = $observations::BIGINT', { observations })
}

const firstNumber = async (connection: DuckDBConnection, sql: string, bindings: Record<string, DuckDBValue> = {}) =>
  Number((await connection.runAndReadAll(sql, bindings)).getRowsJS()[0]?.[0])

const checkObservations = async (connection: DuckDBConnection, { observations, listings, days }: SamplePlan) => {
  if (observations === null) return
  const max_observations = await firstNumber(connection, statement('model/capacity'))
  const min_observations = Math.ceil(max_observations / 28)
  if (observations > max_observations * 1.01 || observations < min_observations)
    throw new OptionError(
      'observations',
      `expected ${min_observations} to ${max_observations} with ${listings} listings in ${days} days, four weeks to a day apart`,
    )
}

const claim = (out: string): void => {
  try {
    mkdirSync(out, { recursive: true })
    if (readdirSync(out).length === 0) return
  } catch (error) {
    throw new OptionError('out', error instanceof Error ? error.message : String(error))
  }
  throw new OptionError('out', `${out} is not empty; name a new folder`)
}

const writeFeeds = async (
  connection: DuckDBConnection,
  out: string,
  files: readonly SampleFile[],
  onFile: (path: string) => void,
): Promise<FeedSummary[]> => {
  const feeds = new Map<string, FeedSummary>()
  for (const { feed, name, sql, bindings } of files) {
    const path = join(out, feed, name)
    onFile(path)
    mkdirSync(join(out, feed), { recursive: true })
    const rows = await firstNumber(connection, statement(`feeds/${sql}`), { ...bindings, path })
    const before = feeds.get(feed) ?? { feed, files: 0, rows: 0, bytes: 0 }
    const bytes = before.bytes + statSync(path).size
    feeds.set(feed, { feed, files: before.files + 1, rows: before.rows + rows, bytes })
  }
  return [...feeds.values()]
}

/**
 * Writes sample feeds, a folder each, to an empty or new folder. The same options and release of DuckDB give the same
 * bytes, whatever the number of threads. `onFile` is called with each path before it is written.
 * Throws OptionError if an option is invalid; after any error the folder is empty.
 */
export const writeSample = async (
  options: SampleOptions,
  onFile: (path: string) => void = () => {},
): Promise<SampleSummary> => {
  const { out, seed, until, threads, ...size } = parseOptions(options)
  const plan = planSample({ until, ...size })
  claim(out)
  const spill = mkdtempSync(join(tmpdir(), 'shelfmark-sample-'))
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    temp_directory: spill,
    ...(threads === undefined ? {} : { threads: String(threads) }),
  })
  const connection = await instance.connect()
  try {
    await setVariables(connection, seed, plan)
    await fillLists(connection)
    await create(connection, LISTING_TABLES)
    await checkObservations(connection, plan)
    await create(connection, HISTORY_TABLES)
    const feeds = await writeFeeds(connection, out, feedFiles(plan), onFile)
    return { first_day: plan.first_day, until, feeds }
  } catch (error) {
    // The folder was empty: it now has an incomplete sample.
    for (const entry of readdirSync(out)) rmSync(join(out, entry), { recursive: true })
    throw error
  } finally {
    connection.closeSync()
    instance.closeSync()
    rmSync(spill, { recursive: true, force: true })
  }
}
