import { expect, test } from 'vitest'
import { snapshotFiles } from '../../../../engine/show/standalone/read-rows.ts'
import { scriptOf } from '../../../../engine/show/standalone/script.ts'
import { SqlSession } from '../../../../engine/show/standalone/session.ts'
import { planOf, queryNamed } from '../../../support/ask.ts'
import { readFiles } from '../../../support/files.ts'
import { openEngine } from '../../../support/given.ts'
import { plainDuckDB, rowsIn } from '../../../support/plain-duckdb.ts'
import { postsOn } from '../../../support/posts.ts'
import { sessionRows } from '../../../support/session-rows.ts'
import { socialLake } from '../../../support/social-lake.ts'

test('a lake without prices has scripts and a session, with empty tables', async () => {
  const { lake } = await socialLake(postsOn('2026-10-30', 3), [{ path: 'grocery', name: 'Grocery' }])
  const engine = await openEngine(lake, { as_of: new Date('2026-10-31T00:00:00Z') })
  const files = snapshotFiles(engine, lake)
  const query = queryNamed('public/coverage')
  const plan = await planOf(engine, 'public/coverage', {})
  const script = scriptOf(query, plan, { ...(await engine.execution(plan)), files })
  expect(script).toContain('CREATE OR REPLACE TEMP TABLE listing (')
  expect(await rowsIn(await plainDuckDB(), script)).toEqual((await readFiles(engine, query, plan)).rows)

  const session = await SqlSession.open(files)
  const rows = await sessionRows(
    session,
    'SELECT (SELECT count(*) FROM listings), (SELECT sum(posts) FROM social_days)',
  )
  session.close()
  expect(rows).toEqual([[0, 3]])
})
