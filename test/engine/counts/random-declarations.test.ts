import { beforeAll, describe, expect, test } from 'vitest'
import { plainReads } from '../../../bench/cluster/canonical.ts'
import { randomNumbers } from '../../../bench/random.ts'
import type { NamedCounts } from '../../../engine/counts/count.ts'
import { memoryInterpreter } from '../../../engine/counts/memory.ts'
import { type Relation, relations } from '../../../engine/counts/relations.ts'
import type { Engine } from '../../../engine/index.ts'
import type { Bindings, Row } from '../../../engine/pool.ts'
import { type Given, planOf } from '../../support/ask.ts'
import { countNaively, drawCount, drawParameters } from '../../support/declarations.ts'
import { filesInterpreter } from '../../support/files.ts'
import { sized } from '../../support/full-size.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import { feedRow } from '../../support/rows.ts'
import { WORLD_END, worldOf } from '../../support/worlds.ts'

const DECLARATIONS = sized(1000, 10_000)
const AT_ONCE = 3

let engine: Engine

beforeAll(async () => {
  const { lake } = await ensureLake({ observations: worldOf(7).map(feedRow) })
  engine = await openEngine(lake, { warm: true, as_of: new Date(WORLD_END) })
})

const days = { from: '2026-09-10', to: '2026-11-05' }

/** Queries whose plans bind the scope of each relation. */
const scopes: readonly { froms: readonly Relation[]; id: string; given: Given[] }[] = [
  {
    froms: ['current_price'],
    id: 'analyst/price-dispersion',
    given: [
      { category: 'Grocery > Coffee' },
      { department: 'grocery', country: 'ca' },
      { department: 'grocery', days: '30' },
    ],
  },
  {
    froms: ['deal'],
    id: 'shopper/deal-finder',
    given: [{ min_discount_pct: '5' }, { min_discount_pct: '1', brand: 'Acme' }],
  },
  {
    froms: ['observed_price'],
    id: 'marketing/promo-intelligence',
    given: [
      { category: 'Grocery', ...days },
      { category: 'Grocery > Coffee', country: 'ca', ...days },
    ],
  },
  {
    froms: ['series_price', 'series_relative', 'period_price', 'entity_gap'],
    id: 'analyst/retailer-index',
    given: [
      { retailer: 'alpha', ...days, granularity: 'monthly' },
      { retailer: 'alpha', category: 'Grocery > Coffee', ...days, granularity: 'weekly' },
    ],
  },
]

/** Declarations over these relations with their bindings: the scope of a query, and random values of parameters. */
const drawn = async (random: () => number, { froms, id, given }: (typeof scopes)[number]) => {
  const { bindings } = await planOf(engine, id, given[Math.floor(random() * given.length)]!)
  const draw = () => drawCount(random, froms[Math.floor(random() * froms.length)]!)
  const counts = Object.fromEntries(Array.from({ length: AT_ONCE }, (_, i) => [`count_${i}`, draw()]))
  // Relations of prices read the retailer themselves.
  const { retailer_id, ...free } = drawParameters(random)
  return { counts, bindings: { ...free, retailer_id, ...bindings } as Bindings }
}

const rowsOf = async (from: Relation, bindings: Bindings): Promise<Row[]> => {
  const columns = Object.entries(relations[from]).map(([name, kind]) =>
    kind === 'time' ? `epoch(${name}) AS ${name}` : name,
  )
  const rows = await engine.rows(`SELECT ${columns} FROM ${from}`, bindings)
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, of]) => [name, typeof of === 'bigint' ? Number(of) : of])),
  )
}

const naively = async (counts: NamedCounts, bindings: Bindings) => {
  const counted: Record<string, Row[]> = {}
  for (const [name, count] of Object.entries(counts))
    counted[name] = countNaively(count, await rowsOf(count.from, bindings), bindings)
  return counted
}

describe.each(scopes)('random declarations over $froms', (scope) => {
  test('count the same by a statement, in memory, and row by row', async () => {
    const random = randomNumbers(31)
    const catalog = await engine.catalog()
    let groups = 0
    for (let n = 0; n < DECLARATIONS / scopes.length; n += AT_ONCE) {
      const { counts, bindings } = await drawn(random, scope)
      const expected = await naively(counts, bindings)
      const files = plainReads(counts, await filesInterpreter(engine).count(counts, bindings, {}))
      expect(files, JSON.stringify(counts)).toEqual(expected)
      const memory = await memoryInterpreter(counts, bindings, catalog)
      expect(memory !== null).toBe(['current_price', 'deal'].includes(scope.froms[0]!))
      if (memory)
        expect(plainReads(counts, await memory.count(counts, bindings, {})), JSON.stringify(counts)).toEqual(expected)
      groups += Object.values(expected).flat().length
    }
    expect(groups).toBeGreaterThan(DECLARATIONS / scopes.length)
  })
})
