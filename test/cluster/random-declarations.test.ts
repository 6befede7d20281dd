import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainReads } from '../../bench/cluster/canonical.ts'
import { openBoth } from '../../bench/cluster/compare.ts'
import { randomNumbers } from '../../bench/random.ts'
import type { NamedCounts } from '../../engine/counts/count.ts'
import type { Bindings } from '../../engine/duckdb/pool.ts'
import type { AnyQuery } from '../../engine/queries/query.ts'
import { queryNamed } from '../support/ask.ts'
import { clusterOf } from '../support/cluster.ts'
import { AT_ONCE, drawCounts, scopes } from '../support/declared-scopes.ts'
import { sized } from '../support/full-size.ts'
import { ensureLake } from '../support/given.ts'
import { resized } from '../support/resized.ts'
import { feedRow } from '../support/rows.ts'
import { worldOf } from '../support/worlds.ts'

const DECLARATIONS = sized(1000, 10_000)
/** Statements at once: one alone leaves the cores idle that wait for it. */
const STATEMENTS = 3

let both: Awaited<ReturnType<typeof openBoth>>

beforeAll(async () => {
  const { lake } = await ensureLake({ observations: resized(worldOf(7), 7).map(feedRow) })
  const { cluster } = await clusterOf(lake)
  both = await openBoth(lake, cluster!)
})
afterAll(() => both?.close())

/** Every shard has a span of its own, of which extremes alone add up. */
const additive = scopes.map((scope) => ({ ...scope, froms: scope.froms.filter((from) => from !== 'step_span') }))

describe.each(additive)('random declarations over $froms of $id', (scope) => {
  const query = queryNamed(scope.id)
  const readBoth = async (reads: NamedCounts, bindings: Bindings) => {
    const declaring = { ...query, reads, with: {} } as AnyQuery
    const read = await Promise.all(both.snapshots.map((snapshot) => snapshot.read(declaring, bindings, {})))
    return read.map((of) => plainReads(reads, of))
  }

  test('count the same on two nodes as from the files', async () => {
    const random = randomNumbers(31)
    let groups = 0
    const check = async ({ counts, bindings }: Awaited<ReturnType<typeof drawCounts>>) => {
      const [files, cluster] = await readBoth(counts, bindings)
      expect(cluster, JSON.stringify(counts)).toEqual(files)
      groups += Object.values(files!).flat().length
    }
    for (let n = 0; n < DECLARATIONS / scopes.length; n += STATEMENTS * AT_ONCE) {
      const drawn = []
      for (let i = 0; i < STATEMENTS; i += 1) drawn.push(await drawCounts(both.engines[0], random, scope))
      await Promise.all(drawn.map(check))
    }
    expect(groups).toBeGreaterThan(DECLARATIONS / scopes.length)
  })
})
