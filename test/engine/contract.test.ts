import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyList, isList, isStatement, type Reads } from '../../engine/counts/count.ts'
import { readableStatements, statementsOf } from '../../engine/counts/duckdb.ts'
import { bindSteps } from '../../engine/counts/read.ts'
import { kindOf, type ValueKind } from '../../engine/counts/relations.ts'
import { GENERAL_VARIANTS, withRelations } from '../../engine/counts/variants.ts'
import type { Row } from '../../engine/duckdb/pool.ts'
import { type Engine, queries, queryId, snapshotFolder } from '../../engine/index.ts'
import { ask, planOf } from '../support/ask.ts'
import { filesInterpreter } from '../support/files.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { postsOf } from '../support/posts.ts'
import { connectTo, placeholdersOf, usedBy } from '../support/prepared.ts'
import { referenceFeeds } from '../support/reference.ts'
import { resized } from '../support/resized.ts'
import { feedRow } from '../support/rows.ts'
import { strict } from '../support/strict.ts'
import { paramsFor } from '../support/world-queries.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

let engine: Engine
/** Over the files of the lake, also where a cluster computes the rows of the other. */
let overFiles: Engine
let connection: DuckDBConnection

beforeAll(async () => {
  const feeds = { observations: resized(worldOf(1), 1).map(feedRow), social: postsOf(1), files: referenceFeeds }
  const { lake } = await ensureLake(feeds)
  const as_of = new Date(WORLD_END)
  engine = await openEngine(lake, { as_of })
  overFiles = await openEngine(lake, { as_of, cluster: undefined })
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

/** Bindings that are no values of statements: what is found in memory, what others follow from, which order a list has. */
const NO_VALUES = ['listing_numbers', 'lowest_floor', 'regular_before', 'sort']

const byText = (a: string, b: string): number => (a < b ? -1 : 1)
const sorted = (rows: readonly Row[]): string[] =>
  rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))).sort(byText)

const typesByKind: Record<ValueKind, string[]> = {
  whole: ['number'],
  optional: ['number', 'null'],
  flag: ['boolean'],
  long: ['bigint', 'null'],
  time: ['number'],
  text: ['string'],
  optional_text: ['string', 'null'],
  optional_number: ['number', 'null'],
  optional_flag: ['boolean', 'null'],
  real: ['number'],
}

/** Expects a row to have the columns of a list with values of their kinds. */
const expectRow = ({ from, columns }: AnyList, row: Row): void => {
  expect(Object.keys(row)).toEqual([...columns])
  for (const name of columns) {
    const type = row[name] === null ? 'null' : typeof row[name]
    expect(typesByKind[kindOf(from, name)], `${from}.${name}`).toContain(type)
  }
}

describe.each(queries.map((query) => ({ id: queryId(query), query })))('$id', ({ id, query }) => {
  const given = paramsFor(query)

  test('describes every parameter', () => {
    const { properties = {} } = z.toJSONSchema(query.params, { io: 'input' })
    for (const [name, schema] of Object.entries(properties)) expect(schema, name).toHaveProperty('description')
  })

  /** A statement with the general variants of its relations, whose placeholders are those of all variants. */
  const prepare = (sql: string) => connection.prepare(withRelations(sql, GENERAL_VARIANTS))

  /** The statements of the query, by what they read, without their relations. */
  const statements = async () => {
    const { bindings } = await planOf(engine, id, given)
    const steps = await bindSteps(query, bindings, filesInterpreter(overFiles))
    return steps.flatMap(([step, values]) => [
      ...Object.entries(readableStatements(step, values)).map(([name, sql]) => ({ name, sql, bindings: values })),
      ...statementsOf(step, values).map((sql) => ({ name: null, sql, bindings: values })),
    ])
  }

  test('binds exactly the placeholders of its SQL, each of a declared type', async () => {
    const bound = new Set<string>()
    const used = new Set<string>()
    for (const { sql, bindings } of await statements()) {
      for (const name of Object.keys(bindings)) bound.add(name)
      for (const [name, type] of Object.entries(placeholdersOf(await prepare(sql)))) {
        used.add(name)
        expect(type, name).toMatch(/^(VARCHAR|INTEGER|BIGINT|DOUBLE|BOOLEAN|DATE|VARCHAR\[\])$/)
      }
    }
    expect([...bound].filter((name) => !NO_VALUES.includes(name)).sort()).toEqual([...used].sort())
  })

  test('reads the same rows by all variants of its relations, with the columns that it declares', async () => {
    for (const { name, sql, bindings } of await statements()) {
      const statement = await prepare(sql)
      statement.bind(usedBy(statement, bindings))
      const rows = (await statement.runAndReadAll()).getRowObjectsJS()
      expect(rows.length, sql).toBeGreaterThan(0)
      expect(sorted(await overFiles.rows(sql, bindings))).toEqual(sorted(rows))
      const read = name === null ? null : (query.reads as Reads)[name]!
      if (read && isStatement(read)) z.array(strict(read.row)).parse(rows)
      if (read && isList(read)) for (const row of rows) expectRow(read, row)
    }
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
