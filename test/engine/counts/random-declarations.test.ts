import { beforeAll, describe, expect, test } from 'vitest'
import { plainReads } from '../../../bench/cluster/canonical.ts'
import { randomNumbers } from '../../../bench/random.ts'
import type { Counted, NamedCounts } from '../../../engine/counts/count.ts'
import { inMemoryInterpreter, inMemoryOf } from '../../../engine/counts/in-memory.ts'
import { memoryInterpreter } from '../../../engine/counts/memory.ts'
import type { Interpreter } from '../../../engine/counts/read.ts'
import { type Relation, relations } from '../../../engine/counts/relations.ts'
import type { Bindings, Row } from '../../../engine/duckdb/pool.ts'
import type { Engine } from '../../../engine/index.ts'
import { countNaively } from '../../support/declarations.ts'
import { AT_ONCE, drawCounts, scopes } from '../../support/declared-scopes.ts'
import { columnsOf, filesInterpreter } from '../../support/files.ts'
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

/** Relations that are made in memory, from listing-months or current prices. */
const IN_MEMORY: readonly Relation[] = [
  'index_price',
  'listing_turnover',
  'new_listing',
  'period_price',
  'price_change',
  'product_pair',
  'series_price',
  'series_relative',
]

/** Less than any log of a price relative of these worlds but 0, and more than all of them together may differ by. */
const FEW_LOG_UNITS = 1e5

/** Expects equal figures, but of logs, whose last digits depend on who computes logarithms. */
const expectNear = (actual: unknown, expected: unknown, declared: string): void => {
  const rounded = (of: unknown): unknown =>
    JSON.parse(JSON.stringify(of), (_, value) => {
      const isLog = /^-?\d{7,}$/.test(String(value)) && (typeof value === 'string' || Math.abs(value) > 2 ** 31)
      return isLog ? Math.round(Number(value) / FEW_LOG_UNITS) : value
    })
  expect(rounded(actual), declared).toEqual(rounded(expected))
}

const columns = async (sql: string, bindings: Bindings) => columnsOf(await engine.rows(sql, bindings))

const noInterpreter: Interpreter = {
  count: () => Promise.reject(new Error('counted elsewhere')),
  rows: () => Promise.reject(new Error('listed elsewhere')),
  all: () => Promise.reject(new Error('read elsewhere')),
}

describe.each(scopes)('random declarations over $froms of $id', (scope) => {
  test('count the same by a statement, in memory, and row by row', async () => {
    const random = randomNumbers(31)
    let groups = 0
    const inMemory = new Set<Relation>()
    for (let n = 0; n < DECLARATIONS / scopes.length; n += AT_ONCE) {
      const { counts, bindings, as_of } = await drawCounts(engine, random, scope)
      const expected = await naively(counts, bindings)
      const files = plainReads(counts, await filesInterpreter(engine).count(counts, bindings, {}))
      expect(files, JSON.stringify(counts)).toEqual(expected)
      const catalog = await engine.catalog(as_of)
      const memory = await memoryInterpreter(counts, bindings, catalog)
      expect(memory !== null).toBe(
        catalog.is_latest && ['current_price', 'listed_price', 'deal'].includes(scope.froms[0]!),
      )
      if (memory)
        expect(plainReads(counts, await memory.count(counts, bindings, {})), JSON.stringify(counts)).toEqual(expected)
      const inMemoryHere = inMemoryOf(catalog, String(bindings.country), columns)
      const here = Object.fromEntries(
        Object.entries(counts).filter(([, { from }]) => inMemoryHere.relations.some(({ has }) => has(from, bindings))),
      )
      const step = { needs: null, counts: here, rows: {} }
      const read = (await inMemoryInterpreter(inMemoryHere, noInterpreter).all!(step, bindings, {})) as Record<
        string,
        Counted
      >
      const wanted = Object.fromEntries(Object.keys(here).map((name) => [name, expected[name]]))
      expectNear(plainReads(here, read), wanted, JSON.stringify(here))
      for (const name of Object.keys(here)) inMemory.add(counts[name]!.from)
      groups += Object.values(expected).flat().length
    }
    expect([...inMemory].sort()).toEqual(scope.froms.filter((from) => IN_MEMORY.includes(from)).sort())
    expect(groups).toBeGreaterThan(DECLARATIONS / scopes.length)
  })
})
