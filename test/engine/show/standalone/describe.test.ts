import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { viewTables } from '../../../../engine/duckdb/tables.ts'
import { Engine } from '../../../../engine/index.ts'
import { runCli, type Sink } from '../../../../engine/show/cli.ts'
import { describedTables } from '../../../../engine/show/standalone/describe.ts'
import { readRows } from '../../../../engine/show/standalone/read-rows.ts'
import { sampleLake } from '../../../support/given.ts'

type Meanings = Record<'tables' | 'columns' | 'exceptions', Record<string, string>>
const meanings = JSON.parse(
  readFileSync(new URL('../../../../engine/show/standalone/meanings.json', import.meta.url), 'utf8'),
) as Meanings

/** What refreshes alone read (data/README.md), and second names of tables: `listing` of `listings`. */
const isOther = (name: string): boolean =>
  /^(listing_attributes|category_taxonomy|listing_readings_\d+|social_sightings|matched_node|brick_attributes)$/.test(
    name,
  ) ||
  (viewTables.has(name) && !describedTables.includes(name))

const describe = async (...argv: readonly string[]) => {
  const { lake } = await sampleLake()
  const written = ['', '']
  const sinks = written.map(
    (_, at): Sink => ({
      write: (text) => {
        written[at] += String(text)
      },
      isTerminal: at === 0,
      hasColours: false,
      columns: 100,
    }),
  )
  const code = await runCli(
    ['sql', '--describe', ...argv, '--lake', lake],
    { stdout: sinks[0]!, stderr: sinks[1]! },
    {},
  )
  return { code, out: written[0]!, err: written[1]! }
}

test('every table and column of a lake has a meaning, and no meaning is of nothing', async () => {
  const { lake } = await sampleLake()
  const engine = await Engine.open(lake)
  const columns = await readRows(
    engine,
    lake,
    'SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal',
    {
      signal: new AbortController().signal,
      limit: 5000,
    },
  )
  engine.close()
  const own = (columns.rows as { table_name: string; column_name: string }[]).filter(
    ({ table_name }) => !isOther(table_name),
  )
  const { tables, columns: byName, exceptions } = meanings
  const meaningOf = ({ table_name, column_name }: (typeof own)[number]) =>
    exceptions[`${table_name}.${column_name}`] ?? byName[column_name]
  expect(own.filter((column) => !tables[column.table_name] || !meaningOf(column))).toEqual([])
  const names = new Set(
    own.flatMap(({ table_name, column_name }) => [table_name, column_name, `${table_name}.${column_name}`]),
  )
  expect([tables, byName, exceptions].flatMap(Object.keys).filter((name) => !names.has(name))).toEqual([])
})

test('a page has the table with its columns, JSON a row of each', async () => {
  const { code, out } = await describe('retailers')
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^retailers\nThe retailers\n {2}retailer_id +INTEGER +Row of retailers\n/),
  })
  const { out: json } = await describe('--json')
  const rows = JSON.parse(json) as { table_name: string; meaning: string }[]
  expect(new Set(rows.map(({ table_name }) => table_name))).toEqual(new Set(describedTables))
})

test('an unknown table is refused with the nearest one', async () => {
  const { code, err } = await describe('lisitngs')
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('did you mean listings?') })
})
