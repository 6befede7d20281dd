import { expect, test } from 'vitest'
import { csv, observationsOf, query, refusedRows, runFiles, table } from './feeds.ts'

const DAYS = ['2026-01-05', '2026-02-05', '2026-03-05', '2026-04-05'] as const

/** More rows of one month than are looked at to see how a file is sorted, then rows of others, some of them refused. */
const sortedLines = (): string[] => {
  const [first, ...others] = DAYS
  const many = Array.from({ length: 4100 }, (_, index) => `acme,us,${index},${first}T10:00:00Z,${1 + index}.50,USD`)
  const few = others.flatMap((day) => [
    `acme,us,1,${day}T10:00:00Z,2.00,USD`,
    `acme,ca,1,${day}T10:00:00Z,2.50,CAD`,
    `acme,us,2,${day}T10:00:00Z,3.00,CAD`,
  ])
  return [...many, ...few]
}

test('a file is read the same whether or not its months are mixed', async () => {
  const lines = sortedLines()
  const sorted = await runFiles({ 'price_observations/a.csv': csv(...lines) })
  const mixed = await runFiles({ 'price_observations/a.csv': csv(...lines.toReversed()) })
  expect(sorted.counts.observations).toBe(4106)
  expect(sorted.files.map(refusedRows)).toEqual([3])
  expect(mixed.files.map(refusedRows)).toEqual([3])
  expect(mixed.digest).toBe(sorted.digest)
  expect(await observationsOf(mixed)).toEqual(await observationsOf(sorted))
})

test('a refused change point leaves the price before it in place', async () => {
  const report = await runFiles({
    'price_observations/feed.json': '{"kind": "change_points"}',
    'price_observations/a.csv': csv(
      'acme,us,1,2026-01-01T00:00:00Z,10.00,USD',
      'acme,us,1,2026-01-03T00:00:00Z,ten,USD',
      'acme,us,1,2026-01-05T00:00:00Z,12.00,USD',
    ),
  })
  const rows = await query(`SELECT day::VARCHAR AS day, price FROM ${table(report, 'observations')} ORDER BY day`)
  expect(rows.map(({ day, price }) => `${day} ${price}`)).toEqual([
    '2026-01-01 1000',
    '2026-01-02 1000',
    '2026-01-03 1000',
    '2026-01-04 1000',
    '2026-01-05 1200',
  ])
})
