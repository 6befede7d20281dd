import { expect, test } from 'vitest'
import { readRows } from '../../../../engine/index.ts'
import { endless } from '../../../support/endless-sql.ts'
import { openEngine, sampleLake } from '../../../support/given.ts'

test.each(endless)(
  'a statement of endless %s ends when its time is over, and the next one is answered',
  async (_, sql) => {
    const { lake } = await sampleLake()
    const engine = await openEngine(lake)
    const { signal } = new AbortController()
    await expect(readRows(engine, lake, sql, { signal, limit: 20, timeout_ms: 300 })).rejects.toMatchObject({
      code: 'NOT_READY',
      message: 'The statement took longer than 0.3 seconds; filter by days, categories or retailers.',
    })
    expect(await readRows(engine, lake, 'SELECT 1 AS one', { signal, limit: 1 })).toEqual({
      rows: [{ one: 1 }],
      row_count: 1,
    })
  },
)
