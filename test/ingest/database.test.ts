import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../../ingest/database.ts'
import { temporaryFolder } from '../support/given.ts'

const row = z.strictObject({ text: z.string() })

const open = async (threads?: number): Promise<Database> => {
  const spill = join(await temporaryFolder(), 'spill')
  const database = await Database.open({ spill, memory_limit: '512MiB', threads })
  onTestFinished(() => database.close())
  return database
}

const threads = [1, undefined]

test.each(threads)('mapRows maps the rows of a query in order, after the statements before it', async (count) => {
  const database = await open(count)
  const text = `CREATE TABLE copied (text VARCHAR);
-- The rows.
SELECT i::VARCHAR AS text FROM range(10000) AS t(i) ORDER BY i DESC;
`
  await database.mapRows({ path: 'a', text, row }, 'copied', (mappedRow) => [mappedRow.text])
  const [copied] = await database.execute<{ rows: number; first: string }>(
    'SELECT count(*)::INTEGER AS rows, first(text) AS first FROM copied',
  )
  expect(copied).toEqual({ rows: 10_000, first: '9999' })
})

test.each(threads)('mapRows fails if the query fails midway', async (count) => {
  const database = await open(count)
  const text = `CREATE TABLE copied (text VARCHAR);
SELECT CASE WHEN i = 3900000 THEN error('a late failure') ELSE i::VARCHAR END AS text FROM range(4000000) AS t(i);
`
  const mapped = database.mapRows({ path: 'a', text, row }, 'copied', (mappedRow) => [mappedRow.text])
  await expect(mapped).rejects.toThrow('a late failure')
})
