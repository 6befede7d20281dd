import { describe, expect, test } from 'vitest'
import { randomNumbers } from '../../../bench/random.ts'
import { gather, type ShardCounts } from '../../../engine/cluster/counts.ts'

/** A row of counts: its keys, then n, observed_from, observed_to, max_depth, and its sums. */
type CountedRow = { keys: number[]; values: [number, number, number, number]; sums: number[] | null }

const KEYS = ['kind', 'period', 'value']
const VALUES = ['n', 'observed_from', 'observed_to', 'max_depth']

const compareRows = (a: CountedRow, b: CountedRow): number =>
  a.keys.map((key, index) => key - b.keys[index]!).find((difference) => difference !== 0) ?? 0

const tableOf = (rows: readonly CountedRow[]): ShardCounts => {
  const column = (of: (row: CountedRow) => number) => Float64Array.from(rows, of)
  return {
    length: rows.length,
    keys: new Map(KEYS.map((name, index) => [name, column(({ keys }) => keys[index]!)])),
    values: new Map(VALUES.map((name, index) => [name, column(({ values }) => values[index]!)])),
    sums: rows.map(({ sums }) => sums && Float64Array.from(sums)),
  }
}

/** The definition: rows with equal keys added up one by one. */
const added = (shards: readonly (readonly CountedRow[])[]): CountedRow[] => {
  const rows = new Map<string, CountedRow>()
  for (const row of shards.flat()) {
    const key = row.keys.join()
    const { values, sums } = rows.get(key) ?? row
    const [n, from, to, depth] = values
    const [more, other_from, other_to, other_depth] = row.values
    if (!rows.has(key)) rows.set(key, row)
    else
      rows.set(key, {
        keys: row.keys,
        values: [n + more, Math.min(from, other_from), Math.max(to, other_to), Math.max(depth, other_depth)],
        sums: sums && row.sums ? sums.map((sum, index) => sum + row.sums![index]!) : (sums ?? row.sums),
      })
  }
  return [...rows.values()].sort(compareRows)
}

const randomShard = (below: (limit: number) => number): CountedRow[] => {
  const rows = new Map<string, CountedRow>()
  for (let i = below(40); i > 0; i -= 1) {
    const keys = [below(2), below(3), below(5) - 2]
    const values: CountedRow['values'] = [1 + below(9), below(100), 100 + below(100), below(50)]
    rows.set(keys.join(), { keys, values, sums: below(3) === 0 ? null : [below(10), below(1_000_000)] })
  }
  return [...rows.values()].sort(compareRows)
}

describe('the counts of shards', () => {
  test.each([1, 2, 3, 4, 7, 32])('of %i are those of all rows added up one by one', (count) => {
    const random = randomNumbers(count)
    const below = (limit: number): number => Math.floor(random() * limit)
    for (let round = 0; round < 50; round += 1) {
      const shards = Array.from({ length: count }, () => randomShard(below))
      expect(gather(shards.map(tableOf))).toEqual(tableOf(added(shards)))
    }
  })

  test('are refused where one is not sorted, or has a row twice', () => {
    const row = (period: number): CountedRow => ({ keys: [0, period, 0], values: [1, 0, 0, 0], sums: null })
    for (const rows of [
      [row(2), row(1)],
      [row(1), row(1)],
    ])
      expect(() => gather([tableOf([]), tableOf(rows)])).toThrow('counts are not sorted by kind, period, value')
  })

  test('are refused where a sum exceeds what a double represents exactly', () => {
    const rows: CountedRow[] = [{ keys: [0, 0, 0], values: [1, 0, 0, 0], sums: [Number.MAX_SAFE_INTEGER] }]
    expect(() => gather([tableOf(rows), tableOf(rows)])).toThrow('exceeds 2^53')
  })
})
