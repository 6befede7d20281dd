import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { distributedStatement } from '../../engine/counts/cluster/distributed.ts'
import { isStatement, type Reads } from '../../engine/counts/count.ts'
import { relations } from '../../engine/counts/relations.ts'
import { isSharded } from '../../engine/counts/shards.ts'
import { GENERAL_VARIANTS } from '../../engine/counts/variants.ts'
import { queries } from '../../engine/queries/index.ts'
import { queryId } from '../../engine/queries/query.ts'

const textsIn = (folder: string): string[] =>
  readdirSync(new URL(`../../engine/${folder}/`, import.meta.url)).map((file) =>
    file.replace('.sql', '').replaceAll('-', '_'),
  )

test('every relation that a query reads has a text for ClickHouse, unless the query says that it runs on the snapshot', () => {
  const texts = textsIn('counts/cluster/relations')
  for (const query of queries)
    for (const read of Object.values(query.reads as Reads))
      if (isSharded(query) && !isStatement(read)) expect(texts, queryId(query)).toContain(read.from)
  expect(queries.filter(isSharded).length).toBeGreaterThan(0)
})

test('every relation is one of DuckDB, but the periods that shards share', () => {
  const texts = textsIn('counts/relations')
  expect(Object.keys(relations).filter((name) => !texts.includes(name))).toEqual(['series_period'])
})

/** Subqueries that are neither read nor searched by IN: each has one value. */
const scalarsIn = (sql: string): string[] =>
  [...sql.replace(/--.*/g, '').matchAll(/(\S+)\s*\(\s*(?:SELECT|WITH)\b[^)]{0,40}/g)]
    .filter(([, before]) => !/^(FROM|JOIN|IN|AS)$/.test(before!))
    .map(([text]) => text)

// The node that is asked would compute it from its own rows, and send its value to all shards.
test('no statement of a shard has a scalar subquery', () => {
  const folder = new URL('../../engine/counts/cluster/relations/', import.meta.url)
  const files = readdirSync(folder)
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) expect(scalarsIn(readFileSync(new URL(file, folder), 'utf8')), file).toEqual([])
  const snapshot = { database: 'db', manifest_sha256: 'a' }
  const lists = { columns: { price: null }, filler: () => 'NULL', list: { order: ['price'], limit: 3 } }
  const complete = distributedStatement({ sql: 'SELECT price FROM offer', ...lists }, snapshot, GENERAL_VARIANTS)
  expect(scalarsIn(complete)).toEqual([])
  expect(scalarsIn('SELECT price FROM listing WHERE price > (SELECT min(price) FROM listing)')).toHaveLength(1)
})

test('a statement reads the tables of its snapshot, and requires all rows of those that it reads', () => {
  const sums = { columns: { n: 'sum(counted.n)' }, filler: () => '1' }
  const snapshot = { database: 'db', manifest_sha256: 'a' }
  const sql = distributedStatement(
    { sql: 'SELECT count() AS n FROM current_listing', ...sums },
    snapshot,
    GENERAL_VARIANTS,
  )
  for (const table of ['listing', 'observation', 'observation_time']) {
    expect(sql).toContain(`(SELECT count() AS found FROM db.${table}) AS in_${table}`)
    expect(sql).toContain(`in_${table}.found <> shard.counts['${table}']`)
  }
  expect(sql).not.toMatch(/(FROM|JOIN) (listing|observation|observation_time)\b/)
  expect(sql).not.toContain('in_listing_month')
})
