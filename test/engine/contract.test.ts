import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Engine, queries, queryId, snapshotFolder } from '../../engine/index.ts'
import { GENERAL_VARIANTS, withRelations } from '../../engine/relations.ts'
import { ask, planOf } from '../support/ask.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { postsOf } from '../support/posts.ts'
import { connectTo, placeholdersOf } from '../support/prepared.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow } from '../support/rows.ts'
import { strict } from '../support/strict.ts'
import { withSortedCounts } from '../support/unordered.ts'
import { paramsFor } from '../support/world-queries.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

let engine: Engine
let connection: DuckDBConnection

beforeAll(async () => {
  const feeds = { observations: worldOf(1).map(feedRow), social: postsOf(1), files: referenceFeeds }
  const { lake } = await ensureLake(feeds)
  engine = await openEngine(lake, { as_of: new Date(WORLD_END) })
  connection = await connectTo(snapshotFolder(lake, engine.manifest.snapshot_id))
})

test('no two queries share a name', () => {
  expect(new Set(queries.map(queryId)).size).toBe(queries.length)
})

test('a placeholder without a type is named, and one compared with its own type has it', async () => {
  const having = (count: string) => connection.prepare(`SELECT 1 FROM listing HAVING ${count} >= $min_days::INTEGER`)
  const widened = await having('count(*)')
  expect(() => placeholdersOf(widened)).toThrow('$min_days: cast it')
  expect(placeholdersOf(await having('count(*)::INTEGER'))).toEqual({ min_days: 'INTEGER' })
})

describe.each(queries.map((query) => ({ id: queryId(query), query })))('$id', ({ id, query }) => {
  const given = paramsFor(query)

  test('describes every parameter', () => {
    const { properties = {} } = z.toJSONSchema(query.params, { io: 'input' })
    for (const [name, schema] of Object.entries(properties)) expect(schema, name).toHaveProperty('description')
  })

  /** A statement with the general variants of its relations, whose placeholders are those of all variants. */
  const prepare = (sql: string) => connection.prepare(withRelations(sql, GENERAL_VARIANTS))

  /** The statements of the query in their order, each with the values that are bound to it. */
  const statementsOf = async () => {
    const { bindings } = await planOf(engine, id, given)
    if (!query.first) return [{ sql: query.sql, bindings }]
    const [row] = await engine.rows(query.first.sql, bindings)
    return [
      { sql: query.first.sql, bindings },
      { sql: query.sql, bindings: { ...bindings, ...query.first.bindings(row!) } },
    ]
  }

  test('binds exactly the placeholders of its SQL, each of a declared type', async () => {
    for (const { sql, bindings } of await statementsOf()) {
      const placeholders = placeholdersOf(await prepare(sql))
      expect(Object.keys(placeholders).sort()).toEqual(Object.keys(bindings).sort())
      for (const [name, type] of Object.entries(placeholders))
        expect(type, name).toMatch(/^(VARCHAR|INTEGER|BIGINT|DOUBLE|BOOLEAN|DATE|VARCHAR\[\])$/)
    }
  })

  test('selects exactly the columns of its row, with their types', async () => {
    const merged: Record<string, unknown>[] = []
    for (const { sql, bindings } of await statementsOf()) {
      const statement = await prepare(sql)
      statement.bind(bindings)
      const rows = (await statement.runAndReadAll()).getRowObjectsJS()
      expect(rows.length).toBeGreaterThan(0)
      // The variants for less than the general case give what the general ones give.
      expect(withSortedCounts(await engine.rows(sql, bindings))).toEqual(withSortedCounts(rows))
      const [before = {}] = merged
      merged.splice(0, merged.length, ...rows.map((row) => ({ ...before, ...row })))
    }
    expect(Object.keys(merged[0]!).sort()).toEqual(Object.keys(query.row.shape).sort())
    z.array(strict(query.row)).parse(merged)
  })

  test('answers exactly as its schema says, without missing or additional keys', async () => {
    await ask(engine, id, given)
  })

  test('has a plan that can be written as JSON and read back', async () => {
    const plan = await planOf(engine, id, given)
    const again = JSON.parse(JSON.stringify(plan))
    expect(again).toEqual(plan)
    expect(await engine.run(again)).toEqual(await engine.run(plan))
  })
})
