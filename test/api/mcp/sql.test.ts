import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { endless } from '../../support/endless-sql.ts'
import { sized } from '../../support/full-size.ts'
import { sampleLake } from '../../support/given.ts'
import { type Host, stdioHost } from '../../support/mcp.ts'

let host: Host
let lake: string

beforeAll(async () => {
  ;({ lake } = await sampleLake())
  host = await stdioHost(['--lake', lake])
})

const sql = (text: string, more: object = {}) => host.call('sql', { sql: text, ...more })

test('describe_tables lists the tables and columns that sql reads', async () => {
  const { structuredContent } = await host.call('describe_tables')
  expect(structuredContent.tables).toContainEqual({
    table: 'retailers',
    meaning: 'The retailers',
    columns: 'retailer_id, product_count, platform, countries, last_observed_at',
  })
  const { structuredContent: one, content } = await host.call('describe_tables', { table: 'observations' })
  const price = { column: 'price', type: 'INTEGER', meaning: expect.stringContaining('smallest unit of the currency') }
  expect(one.tables).toEqual([
    expect.objectContaining({ table: 'observations', columns: expect.arrayContaining([price]) }),
  ])
  expect(content[0]!.text).toMatch(/^observations: .*\n.*^price INTEGER: Price in the smallest/ms)
  const { isError, content: refused } = await host.call('describe_tables', { table: 'nope' })
  expect({ isError, text: refused[0]!.text }).toEqual({
    isError: true,
    text: expect.stringContaining('call describe_tables without it'),
  })
})

describe('sql', () => {
  test('returns rows as JSON once, with a line for people', async () => {
    const { structuredContent, content } = await sql('SELECT brand, product_count FROM brands ORDER BY 2 DESC, 1', {
      limit: 3,
    })
    expect(structuredContent.rows).toHaveLength(3)
    expect(content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(/^The first 3 of \d+ rows\.\nbrand,product_count(\n[^,]+,\d+){3}$/),
      },
    ])
    expect((await sql('SELECT 1 AS one')).structuredContent).toEqual({ rows: [{ one: 1 }], row_count: 1 })
  })

  const attacks: [what: string, text: string, message: RegExp][] = [
    ['a file', "SELECT * FROM read_csv('/etc/passwd')", /Cannot access file/],
    ['a file as text', "SELECT * FROM read_text('/etc/passwd')", /Cannot access file/],
    ['a folder', "SELECT * FROM glob('/etc/*')", /Cannot access file/],
    ['an address', "SELECT * FROM 'http://127.0.0.1:1/x.parquet'", /Cannot access file/],
    ['the environment', "SELECT getenv('HOME')", /does not exist/],
    ['an extension', 'INSTALL httpfs', /not allowed/],
    ['a library', "LOAD '/tmp/x.duckdb_extension'", /not allowed/],
    ['another database', "ATTACH '/tmp/shelfmark-attack.db'", /not allowed/],
    ['a write', "COPY (SELECT 1) TO '/tmp/shelfmark-attack.csv'", /Cannot access file/],
    ['an export', "EXPORT DATABASE '/tmp/shelfmark-attack'", /Cannot access/],
    ['a setting', "SET memory_limit = '99GB'", /locked/],
    ['a setting after a statement', 'SELECT 1; SET enable_external_access = true', /locked|Cannot change/],
    ['nothing', ' ', /statement|SQL|expected/i],
  ]
  test.each(attacks)('refuses %s', async (_, text, message) => {
    const { isError, content } = await sql(text)
    expect(content[0]!.text).toMatch(isError ? message : /^0 rows/)
    expect(content[0]!.text).not.toContain('--parquet')
    for (const name of ['.db', '.csv', '']) expect(existsSync(`/tmp/shelfmark-attack${name}`)).toBe(false)
  })

  test('what is created ends with the call', async () => {
    await sql('CREATE TABLE kept AS SELECT 1')
    expect(await sql('FROM kept')).toMatchObject({ isError: true })
  })

  // They take 20 s of both cores each; engine/show/standalone/read-rows.test.ts has the same with less time.
  test.each(sized([], [...endless]))('ends a statement of endless %s, and answers the next one', async (_, text) => {
    const { isError, structuredContent } = await sql(text)
    expect(isError).toBe(true)
    expect(structuredContent.error).toMatchObject({ code: 'NOT_READY' })
    expect((await sql('SELECT 1 AS one')).structuredContent).toMatchObject({ row_count: 1 })
  })

  test('cuts long values and refuses many rows', async () => {
    const { structuredContent } = await sql("SELECT repeat('x', 5000) AS long")
    expect(JSON.stringify(structuredContent).length).toBeLessThan(1200)
    expect(await sql('SELECT 1', { limit: 100_000 })).toMatchObject({ isError: true })
  })

  test('is no tool of a service', async () => {
    const other = await stdioHost(['--url', 'http://127.0.0.1:1'])
    const { tools } = await other.client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('sql')
  })
})
