import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Bindings } from '../../../../engine/duckdb/pool.ts'
import { type Engine, paramsOfExample, queries, queryId, snapshotFolder } from '../../../../engine/index.ts'
import { snapshotFiles } from '../../../../engine/show/standalone/read-rows.ts'
import { scriptOf } from '../../../../engine/show/standalone/script.ts'
import { noteOf } from '../../../../engine/show/standalone/values.ts'
import { type Given, planOf, queryNamed } from '../../../support/ask.ts'
import { openEngine, sampleLake } from '../../../support/given.ts'
import { plainDuckDB, rowsIn } from '../../../support/plain-duckdb.ts'
import { connectTo, usedBy } from '../../../support/prepared.ts'

type Row = Record<string, unknown>

let engine: Engine
let lake: string
let browse_id: string
/** With the views and macros of the engine. */
let views: DuckDBConnection

beforeAll(async () => {
  const sample = await sampleLake()
  lake = sample.lake
  engine = await openEngine(lake, { as_of: sample.as_of })
  const [node] = await engine.rows('SELECT min(browse_id) AS browse_id FROM browse_node WHERE gpc_code IS NOT NULL', {})
  browse_id = String(node?.browse_id)
  views = await connectTo(snapshotFolder(lake, engine.manifest.snapshot_id))
})

/** Parameters with which a query has rows: the examples of what it requires, and a category or a text where it takes one. */
const paramsFor = (id: string): Given => {
  if (id === 'reference/classify') return { browse_id }
  const given = paramsOfExample(queryNamed(id))
  return Object.fromEntries(given.map(({ name, examples }) => [name, examples?.[0] as string]))
}

/** The rows of a statement with its relations. */
const rowsOf = async (sql: string, bindings: Bindings): Promise<Row[]> => {
  const statement = await views.prepare(sql)
  statement.bind(usedBy(statement, bindings))
  return (await statement.runAndReadAll()).getRowObjectsJS()
}

const scriptFor = async (id: string, given: Given, as_of?: string) => {
  const plan = await planOf(engine, id, given, as_of)
  const source = { ...(await engine.execution(plan)), files: snapshotFiles(engine, lake) }
  const expected = await Promise.all(source.statements.map(({ sql, bindings }) => rowsOf(sql, bindings)))
  const names = source.statements.flatMap(({ bindings }) => Object.keys(bindings))
  return { plan, names, script: scriptOf(queryNamed(id), plan, source), expected }
}

/** The rows of each statement of a script. */
const rowsOfEach = async (connection: DuckDBConnection, script: string): Promise<Row[][]> => {
  const [head = '', ...statements] = script.split(/^-- Statement$/m)
  await connection.run(head)
  const rows: Row[][] = []
  for (const statement of statements) rows.push(await rowsIn(connection, statement))
  return rows
}

/** Rows of reference come in any order. */
const ordered = (id: string, results: readonly Row[][]): readonly Row[][] =>
  id.startsWith('reference/')
    ? results.map((rows) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
    : results

describe.each(queries.map(queryId))('the script of %s', (id) => {
  test('gives the rows of the engine in a separate DuckDB, repeatedly, and leaves no objects in it', async () => {
    const { names, script, expected } = await scriptFor(id, paramsFor(id))
    const connection = await plainDuckDB()
    expect(expected.flat().length).toBeGreaterThan(0)
    expect(ordered(id, await rowsOfEach(connection, script)), script).toEqual(ordered(id, expected))
    expect(ordered(id, await rowsOfEach(connection, script))).toEqual(ordered(id, expected))
    for (const [table, name] of Object.entries({ duckdb_views: 'view_name', duckdb_functions: 'function_name' }))
      expect(
        await rowsIn(connection, `SELECT ${name} FROM ${table}() WHERE NOT internal AND database_name <> 'temp'`),
      ).toEqual([])
    for (const name of names) expect(noteOf(name), `${name} is explained`).toBeDefined()
    expect(script).not.toContain('$')
    expect(script.match(/^-- Statement$/gm)).toHaveLength(expected.length)
  })
})

const coffee = { category: 'coffee' }
const months = { from: '2026-05-01', to: '2026-11-01' }
const cut = { from: '2026-08-12', to: '2026-11-05' }
const past = '2026-10-20T00:00:00Z'
/** Replaced by the code of a product type that listings have. */
const type = { category: 'TYPE' }

const withType = async (given: Given): Promise<Given> => {
  const types = "SELECT min(code) AS code FROM gpc_node JOIN gpc_shelf USING (gpc_id) WHERE active AND country = 'us'"
  const [type] = await engine.rows(types, {})
  return given.category === 'TYPE' ? { ...given, category: String(type?.code) } : given
}

test.each<[id: string, given: Given, as_of?: string]>([
  ['analyst/inflation', { ...coffee, ...months }],
  ['analyst/inflation', { ...coffee, ...cut }],
  ['analyst/inflation', { ...coffee, ...cut, granularity: 'weekly' }],
  ['analyst/inflation', { ...type, ...cut }],
  ['marketing/brand-tracker', { brand: 'oakverly', ...cut, granularity: 'monthly' }],
  ['marketing/share-of-shelf', type],
  ['analyst/price-dispersion', coffee, past],
  ['public/coverage', {}, past],
  ['shopper/best-price', { q: 'coffee' }, past],
])('the script of %s for %j at %s gives the rows of the engine', async (id, given, as_of) => {
  const { script, expected } = await scriptFor(id, await withType(given), as_of)
  expect(expected.flat().length).toBeGreaterThan(0)
  expect(ordered(id, await rowsOfEach(await plainDuckDB(), script)), script).toEqual(ordered(id, expected))
})

describe('the script of a query', () => {
  test('says which values come from memory and lists the listings that the search found', async () => {
    const { script, plan } = await scriptFor('shopper/best-price', { q: 'coffee' })
    expect(script).toMatch(/^-- shelfmark shopper best-price --q coffee /)
    expect(script).toContain('-- Answered from memory: no statement is run for this answer.')
    expect(script).toContain(
      `SET VARIABLE "listing_ids" = '${plan.bindings.listing_ids}'; -- listings that the search found, best match first (from memory)\n`,
    )
    expect((await scriptFor('shopper/best-price', { q: 'coffee' }, past)).script).not.toContain('Answered from memory')
  })

  test('says that phrases are answered from memory', async () => {
    const { script, expected } = await scriptFor('reference/classify', { q: 'laptops' })
    expect(script).toContain('-- Phrases (q) are looked up in the lexicon in memory')
    expect(await rowsOfEach(await plainDuckDB(), script)).toEqual(expected)
  })

  test('creates only the views and macros that its statement needs', async () => {
    const { script } = await scriptFor('marketing/share-of-shelf', coffee)
    expect([...script.matchAll(/CREATE OR REPLACE TEMP (\w+ \w+)/g)].map(([, made]) => made)).toEqual([
      'VIEW listing',
      'MACRO on_promotion',
    ])
  })

  test('quotes user input as a value or in a single comment line', async () => {
    const q = "x'; DROP TABLE y; --\nSELECT 1;"
    const { script, expected } = await scriptFor('public/brands', { q })
    expect(script.split('\n')[0]).toContain('DROP TABLE y; -- SELECT 1;')
    expect(await rowsOfEach(await plainDuckDB(), script)).toEqual(expected)
  })
})
