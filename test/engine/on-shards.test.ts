import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inClickhouse } from '../../engine/counts/cluster/dialect.ts'
import { distributedStatement } from '../../engine/counts/cluster/distributed.ts'
import { translatedRelations } from '../../engine/counts/cluster/statement.ts'
import { relations } from '../../engine/counts/relations.ts'
import { GENERAL_VARIANTS, type Variants } from '../../engine/counts/variants.ts'

const textsIn = (folder: string): string[] =>
  readdirSync(new URL(`../../engine/${folder}/`, import.meta.url)).map((file) =>
    file.replace('.sql', '').replaceAll('-', '_'),
  )

test('every relation is one of DuckDB, but the periods that shards share', () => {
  const texts = textsIn('counts/relations')
  expect(Object.keys(relations).filter((name) => !texts.includes(name))).toEqual(['series_period'])
})

/** Subqueries that are neither read nor searched by IN: each has one value. */
const scalarsIn = (sql: string): string[] =>
  [...sql.replace(/--.*/g, '').matchAll(/(\S+)\s*\(\s*(?:SELECT|WITH)\b[^)]{0,40}/g)]
    .filter(([, before]) => !/^(FROM|JOIN|IN|AS)$/.test(before!))
    .map(([text]) => text)

const snapshot = { database: 'db', manifest_sha256: 'a' }

/** The relations in variants of which each names other tables. */
const variants: readonly Variants[] = [
  GENERAL_VARIANTS,
  { ...GENERAL_VARIANTS, current_listing: 'latest', current_offer: 'latest', scope_observation: 'any_type' },
  { ...GENERAL_VARIANTS, scope_month: 'any_type', observed_between: 'by_shelf', listing_period: 'each_day' },
  { ...GENERAL_VARIANTS, claim_observation: 'by_listing', listing_period: 'months' },
]
const statements = variants.flatMap((of) =>
  Object.keys(relations).map((name) => {
    const columns = { columns: { n: 'sum(counted.n)' }, filler: () => '1' }
    return distributedStatement({ sql: `SELECT count() AS n FROM ${name}`, ...columns }, snapshot, of)
  }),
)

// The node that is asked would compute it from its own rows, and send its value to all shards.
test('no statement of a shard has a scalar subquery', () => {
  expect(statements.length).toBeGreaterThan(100)
  for (const sql of statements) expect(scalarsIn(sql), sql).toEqual([])
  const lists = { columns: { price: null }, filler: () => 'NULL', list: { order: ['price'], limit: 3 } }
  const listed = distributedStatement({ sql: 'SELECT price FROM offer', ...lists }, snapshot, GENERAL_VARIANTS)
  expect(scalarsIn(listed)).toEqual([])
  expect(scalarsIn('SELECT price FROM listing WHERE price > (SELECT min(price) FROM listing)')).toHaveLength(1)
})

// What follows // is a comment in ClickHouse, and min() of no rows is 0; a type without Nullable cannot be null.
test('no text for ClickHouse has what DuckDB alone understands, or understands differently', () => {
  const only =
    /\$\w+|\/\/|\b(unnest|string_split|round)\(|\bIN \(FROM\b|::(?!Nullable\((?!undefined))|FILTER \((?!WHERE)/
  const differently = /\b(min|max|sum|avg|arg_max|arg_max_null|week|bool_or|bool_and|quantile_disc)\(/
  expect(inClickhouse('max(x) FILTER (a >= $b::DATE), week(d)')).toBe(
    'maxOrNull(x) FILTER (WHERE a >= {b:Nullable(Date)}), toISOWeek(d)',
  )
  const names = [...translatedRelations.keys()].filter((name) => statements.some((sql) => sql.includes(`${name} AS (`)))
  expect(names.length).toBeGreaterThan(25)
  for (const name of names) {
    expect(translatedRelations.get(name), name).not.toMatch(only)
    expect(translatedRelations.get(name), name).not.toMatch(differently)
  }
})

test('a statement reads the tables of its snapshot, and requires all rows of those that it reads', () => {
  const sums = { columns: { n: 'sum(counted.n)' }, filler: () => '1' }
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
