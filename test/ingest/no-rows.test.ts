import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Database } from '../../ingest/database.ts'
import { COLUMNS_OF, FEEDS, type Feed } from '../../ingest/feeds/columns.ts'
import { discover } from '../../ingest/feeds/discover.ts'
import { read } from '../../ingest/feeds/read.ts'
import { openTables, prepare } from '../../ingest/paths.ts'
import { temporaryFolder } from '../support/given.ts'
import { givenFiles } from './feeds.ts'

const VALUES: Readonly<Record<string, string>> = {
  country: 'us',
  marketplace: 'us',
  platform: 'tiktok',
  price: '1.00',
  currency: 'USD',
  path: 'grocery',
  browse_id: '1',
  category_root: 'grocery',
  collected_at: '2026-01-05T10:00:00Z',
  observed_at: '2026-01-05T10:00:00Z',
}

/** A file with every column of a feed. */
const fileOf = (feed: Feed): string => {
  const columns = [...COLUMNS_OF[feed]]
  return [columns, columns.map((column) => VALUES[column] ?? '1')].map((line) => line.join(',')).join('\n')
}

let database: Database
let numbers: Map<Feed, number>

beforeAll(async () => {
  const feeds = await givenFiles(Object.fromEntries(FEEDS.map((feed) => [`${feed}/all.csv`, fileOf(feed)])))
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  await mkdir(lake)
  database = await Database.open({ spill: join(folder, 'spill'), memory_limit: '512MiB', threads: 1 })
  const paths = await prepare(folder, lake)
  await openTables(database, paths)
  const { files } = await read(database, (await discover(feeds)).files, paths, { as_of: new Date('2026-02-01') })
  numbers = new Map(files.map(({ feed, number }) => [feed, number]))
})
afterAll(() => database.close())

/** The columns of a relation with their types; Parquet has texts for an enumeration. */
const columnsOf = async (relation: string): Promise<string[]> => {
  const columns = await database.execute<{ column_name: string; column_type: string }>(`DESCRIBE FROM ${relation}`)
  return columns.map(({ column_name, column_type }) => `${column_name} ${column_type.replace(/^ENUM.*/, 'VARCHAR')}`)
}

test.each(FEEDS)('a %s feed without files has the columns of one with files', async (feed) => {
  const read = await columnsOf(`rows_${numbers.get(feed)}`)
  expect((await columnsOf(`no_rows_of_${feed}`)).sort()).toEqual(read.sort())
})
