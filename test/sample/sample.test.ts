import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { SampleOptions } from '../../data/sample/options.ts'
import { writeSample } from '../../data/sample/sample.ts'
import { openDatabase, scratchFolder } from './scratch.ts'

const scratch = scratchFolder()
const query = await openDatabase()
const folder = (name: string) => join(scratch, name)

const write = (name: string, options: Partial<SampleOptions>) =>
  writeSample({ out: folder(name), listings: 300, months: 3, until: '2026-10-14', ...options })

const digests = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder(name).length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )

beforeAll(async () => {
  await write('csv', { format: 'csv', threads: 2 })
  await write('parquet', { format: 'parquet', threads: 2 })
})

it.each(['csv', 'parquet'] as const)(
  'the sample has the same %s bytes for the same options, with any number of threads',
  async (format) => {
    await write(`${format}-again`, { format, threads: 1 })
    expect(Object.keys(digests(format)).length).toBeGreaterThan(12)
    expect(digests(`${format}-again`)).toEqual(digests(format))
  },
)

it('the sample has other products, prices and posts for another seed', async () => {
  await write('seed', { seed: 2 })
  const [first, second] = [digests('csv'), digests('seed')]
  const drawn = Object.keys(first).filter((name) => /observations|catalogue|social/.test(name))
  expect(Object.keys(second)).toEqual(Object.keys(first))
  expect(drawn.filter((name) => first[name] === second[name])).toEqual([])
})

it('the sample has the same rows in Parquet, except errors that only text can contain', async () => {
  const [counts] = await query<{ missing: number; extra: number; rows: number }>(`
    WITH text AS (
      SELECT listing_id, observed_at::TIMESTAMP AS observed_at, (price::DECIMAL(12, 2) * 100)::BIGINT AS price
      FROM read_csv('${folder('csv')}/price_observations/*.csv', all_varchar = true)
      WHERE TRY_CAST(price AS DECIMAL(12, 2)) IS NOT NULL AND TRY_CAST(observed_at AS TIMESTAMP) IS NOT NULL
    ),
    typed AS (
      SELECT listing_id, observed_at, price::BIGINT AS price FROM '${folder('parquet')}/price_observations/*.parquet'
    )
    SELECT (SELECT count(*) FROM (FROM text EXCEPT ALL FROM typed))::INTEGER AS missing,
           (SELECT count(*) FROM (FROM typed EXCEPT ALL FROM text))::INTEGER AS extra,
           (SELECT count(*) FROM typed)::INTEGER AS rows`)
  expect(counts!.missing).toBe(0)
  expect(counts!.extra).toBeGreaterThan(0)
  expect(counts!.extra).toBeLessThan(counts!.rows / 500)
})

it.each([
  ['fewer', 2_000],
  ['more', 15_000],
])('the sample has the requested number of observations, %s than by default: %i', async (name, observations) => {
  const { feeds } = await write(name, { observations })
  const { rows } = feeds.find(({ feed }) => feed === 'price_observations')!
  expect(Math.abs(rows / observations - 1)).toBeLessThan(0.03)
})

it('the sample is refused where the listings cannot have that many observations', async () => {
  await expect(write('impossible', { observations: 1_000_000 })).rejects.toThrow('--observations: expected')
  expect(readdirSync(folder('impossible'))).toEqual([])
})

it('the sample refuses a folder that is not empty and leaves it unchanged', async () => {
  const before = digests('csv')
  await expect(write('csv', {})).rejects.toThrow('--out: ')
  expect(digests('csv')).toEqual(before)
})
