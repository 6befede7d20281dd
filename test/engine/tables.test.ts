import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { definitionsFor } from '../../engine/duckdb/tables.ts'
import { snapshotFolder } from '../../engine/index.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { connectTo } from '../support/prepared.ts'
import { feedRow, priced } from '../support/rows.ts'

const sql = new URL('../../engine/duckdb/sql/', import.meta.url)

const partitioned = ['schema.sql', 'reference.sql', 'social.sql'].flatMap((name) => [
  ...readFileSync(new URL(name, sql), 'utf8').matchAll(/CREATE VIEW (\w+) AS[^;]+\/\*\.parquet/g),
])

test('an empty table has the columns and types of one with files', async () => {
  const { lake } = await ensureLake({ observations: priced('1', 100).map(feedRow) })
  const { manifest } = await openEngine(lake)
  const full = await connectTo(snapshotFolder(lake, manifest.snapshot_id))
  const empty = await (await DuckDBInstance.create(':memory:')).connect()
  await empty.run(readFileSync(new URL('empty-tables.sql', sql), 'utf8'))
  expect(partitioned).toHaveLength(8)
  for (const [, name] of partitioned) {
    const describe = `SELECT column_name, column_type FROM (DESCRIBE ${name})`
    const columns = (await full.runAndReadAll(describe)).getRows()
    expect((await empty.runAndReadAll(describe)).getRows(), name).toEqual(columns)
    expect((await empty.runAndReadAll(`FROM ${name}`)).getRows(), name).toEqual([])
  }
})

test('a table with files is a view, one without files is an empty table', () => {
  const file = { path: 'listings/country=us/part-0.parquet', bytes: 1, rows: 1, sha256: '' }
  const definitions = definitionsFor({ files: [file] }, "/o'lake")
  expect(definitions).toContain(
    "CREATE VIEW listing AS\nSELECT * FROM read_parquet([\n  '/o''lake/listings/country=us/part-0.parquet'],",
  )
  expect(definitions).toContain("CREATE VIEW brand AS SELECT * FROM read_parquet('/o''lake/brands.parquet');")
  expect(definitions).not.toContain('getvariable')
  expect(definitions).not.toContain('CREATE TABLE listing (')
  expect(definitions).toContain('CREATE TABLE listing_month (')
  expect(definitions).not.toContain('CREATE VIEW listing_month AS')
})
