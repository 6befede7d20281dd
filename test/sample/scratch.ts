import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll } from 'vitest'

/** A folder for a test file's samples, removed after it. */
export const scratchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmark-test-sample-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs SQL in an in-memory database, closed after the test file; counts must be cast to INTEGER. */
export const openDatabase = async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return async <Row>(sql: string): Promise<Row[]> => (await connection.runAndReadAll(sql)).getRowObjectsJS() as Row[]
}
