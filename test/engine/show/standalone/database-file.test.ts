import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { writeDatabase } from '../../../../engine/show/standalone/files.ts'
import { snapshotFiles } from '../../../../engine/show/standalone/read-rows.ts'
import { openEngine, sampleLake, temporaryFolder } from '../../../support/given.ts'
import { plainDuckDB, rowsIn } from '../../../support/plain-duckdb.ts'

let engine: Engine
let lake: string
let folder: string
let file: string

beforeAll(async () => {
  lake = (await sampleLake()).lake
  engine = await openEngine(lake)
  folder = await temporaryFolder()
  file = join(folder, "an analyst's.duckdb")
  await writeDatabase(file, snapshotFiles(engine, lake), false)
})

const CURRENT =
  "SELECT count(*)::INTEGER AS n FROM current_listing('us', 0, 2147483647, DATE '2026-08-01', DATE '2026-11-21')"

test('a database file has the views and macros of a lake for any DuckDB', async () => {
  const connection = await plainDuckDB(file)
  const { counts } = engine.manifest
  const counted = (table: string) => rowsIn(connection, `SELECT count(*)::INTEGER AS n FROM ${table}`)
  for (const table of ['listings', 'listing']) expect(await counted(table)).toEqual([{ n: counts.listings }])
  expect(await counted('observations')).toEqual([{ n: counts.observations }])
  const [current] = await rowsIn(connection, CURRENT)
  expect(current?.n).toBeGreaterThan(100)
  const periods = `listing_period('us', 0, 2147483647, NULL, NULL, 'month', DATE '2026-08-12', DATE '2026-11-05',
    '2026-08', '2026-11', '2026-09', '2026-10')`
  expect(await rowsIn(connection, `SELECT count(DISTINCT period)::INTEGER AS n FROM ${periods}`)).toEqual([{ n: 4 }])
  expect(readdirSync(folder)).toEqual(["an analyst's.duckdb"])
})

test('an attached database file offers its views by full name and its macros after USE', async () => {
  const other = join(folder, 'other.duckdb')
  await writeDatabase(other, snapshotFiles(engine, lake), false)
  const connection = await plainDuckDB()
  await connection.run(`ATTACH '${other}' AS lake (READ_ONLY)`)
  expect(await rowsIn(connection, 'SELECT count(*)::INTEGER AS n FROM lake.listings')).toEqual([
    { n: engine.manifest.counts.listings },
  ])
  expect(await rowsIn(connection, 'SELECT lake.plausible(100, 300) AS is_plausible')).toEqual([{ is_plausible: true }])
  await connection.run('USE lake')
  expect((await rowsIn(connection, CURRENT))[0]?.n).toBeGreaterThan(100)
})

test('an existing database file is replaced only with overwrite', async () => {
  const files = snapshotFiles(engine, lake)
  const path = join(folder, 'twice.duckdb')
  const names = await writeDatabase(path, files, false)
  expect(names).toEqual(
    expect.arrayContaining(['listings', 'listing', 'current_listing', 'entity_changes', 'thin_below']),
  )
  await expect(writeDatabase(path, files, false)).rejects.toThrow(/exists; send --overwrite/)
  await writeDatabase(path, files, true)
  expect(existsSync(path)).toBe(true)
})
