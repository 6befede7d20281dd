import { beforeAll, describe, expect, test } from 'vitest'
import { plainReads } from '../../../bench/cluster/canonical.ts'
import { randomNumbers } from '../../../bench/random.ts'
import type { NamedCounts } from '../../../engine/counts/count.ts'
import { memoryInterpreter } from '../../../engine/counts/memory.ts'
import { type Relation, relations } from '../../../engine/counts/relations.ts'
import type { Bindings, Row } from '../../../engine/duckdb/pool.ts'
import type { Engine } from '../../../engine/index.ts'
import { countNaively } from '../../support/declarations.ts'
import { AT_ONCE, drawCounts, scopes } from '../../support/declared-scopes.ts'
import { filesInterpreter } from '../../support/files.ts'
import { sized } from '../../support/full-size.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import { resized } from '../../support/resized.ts'
import { feedRow } from '../../support/rows.ts'
import { WORLD_END, worldOf } from '../../support/worlds.ts'

const DECLARATIONS = sized(1000, 10_000)

let engine: Engine

beforeAll(async () => {
  const { lake } = await ensureLake({ observations: resized(worldOf(7), 7).map(feedRow) })
  engine = await openEngine(lake, { warm: true, as_of: new Date(WORLD_END) })
})

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
  const rows = new Map<Relation, Promise<Row[]>>()
  const counted: Record<string, Row[]> = {}
  for (const [name, count] of Object.entries(counts)) {
    const of = rows.get(count.from) ?? rowsOf(count.from, bindings)
    rows.set(count.from, of)
    counted[name] = countNaively(count, await of, bindings)
  }
  return counted
}

describe.each(scopes)('random declarations over $froms of $id', (scope) => {
  test('count the same by a statement, in memory, and row by row', async () => {
    const random = randomNumbers(31)
    let groups = 0
    for (let n = 0; n < DECLARATIONS / scopes.length; n += AT_ONCE) {
      const { counts, bindings, as_of } = await drawCounts(engine, random, scope)
      const expected = await naively(counts, bindings)
      const files = plainReads(counts, await filesInterpreter(engine).count(counts, bindings, {}))
      expect(files, JSON.stringify(counts)).toEqual(expected)
      const catalog = await engine.catalog(as_of)
      const memory = await memoryInterpreter(counts, bindings, catalog)
      expect(memory !== null).toBe(catalog.is_latest && ['current_price', 'offer', 'deal'].includes(scope.froms[0]!))
      if (memory)
        expect(plainReads(counts, await memory.count(counts, bindings, {})), JSON.stringify(counts)).toEqual(expected)
      groups += Object.values(expected).flat().length
    }
    expect(groups).toBeGreaterThan(DECLARATIONS / scopes.length)
  })
})
