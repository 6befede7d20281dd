import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pool } from '../../engine/duckdb/pool.ts'

/** Fails near its end, where rows were handed out already; to count its rows needs no value. */
const LATE = `SELECT CASE WHEN i = 3900000 THEN error('a late failure') ELSE i::VARCHAR END AS text FROM range(4000000) AS t(i)`

let pool: Pool
beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:')
  pool = await Pool.open(() => instance.connect(), 1)
})
afterAll(() => pool.close())

describe('a result that fails midway', () => {
  test.each(['columns', 'texts'] as const)('fails as a whole when read as %s', async (read) => {
    await expect(pool[read](LATE, {})).rejects.toThrow('a late failure')
  })

  test('leaves its connection free for the next statement', async () => {
    await expect(pool.texts(LATE, {})).rejects.toThrow()
    expect(await pool.columns('SELECT i::INTEGER AS i FROM range(5000) AS t(i)', {})).toEqual({
      i: Int32Array.from({ length: 5000 }, (_, i) => i),
    })
  })
})
