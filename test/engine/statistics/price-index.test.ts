import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chainedJevons,
  churnOf,
  geksJevons,
  type MaskCounts,
  pairsOf,
  spliced,
  timeProductDummies,
  within,
} from '../../../engine/statistics/price-index.ts'
import { discreteMedian } from '../../support/oracle.ts'
import { because, beyondVector, noVectors } from '../../support/vectors.ts'

type Panel = Record<string, Record<string, number>>
type Indexes = {
  T: number
  prices_cents: Panel
  spikes: number
  pair_n: number[][]
  geks_jevons: (number | null)[]
  tpd: (number | null)[]
  chained_jevons: (number | null)[]
  churn: Record<string, number>[]
}
type Splice = { T: number; prices_cents: Panel } & Record<string, number[]>

/** The counts of a panel, each listing in a group of its own number modulo three; without prices beyond threefold their median. */
const countsOf = (panel: Panel, months: number): MaskCounts[] =>
  Object.values(panel).map((prices, i) => {
    const median = discreteMedian(Object.values(prices))
    const kept = Object.entries(prices).filter(([, price]) => price <= 3 * median && median <= 3 * price)
    const sums = Array<number>(months).fill(0)
    for (const [month, price] of kept) sums[Number(month)] = Math.log(price / median)
    return { mask: kept.reduce((mask, [month]) => mask + 2 ** Number(month), 0), n: 1, logs: new Map([[i % 3, sums]]) }
  })

const indexOf = (logs: readonly (number | null)[]) => logs.map((log) => (log === null ? null : Math.exp(log)))
const expectNear = (actual: readonly (number | null)[], expected: readonly (number | null)[]) => {
  expect(actual.map((value) => value === null)).toEqual(expected.map((value) => value === null))
  for (const [i, value] of actual.entries()) if (value !== null) expect(value).toBeCloseTo(expected[i]!, 9)
}

describe.skipIf(noVectors)(`indexes of other libraries${because}`, () => {
  const { mean_splice_on_published, ...panels } = noVectors
    ? ({} as Record<string, never>)
    : beyondVector<Record<string, Indexes>>('indexes')

  test.each(Object.entries(panels))('%s', (_, { T, prices_cents, ...expected }) => {
    const counts = countsOf(prices_cents, T)
    expect(pairsOf(counts, T).n).toEqual(expected.pair_n)
    expectNear(indexOf(geksJevons(counts, T, 1).total), expected.geks_jevons)
    expectNear(indexOf(timeProductDummies(counts, T, 1).total), expected.tpd)
    expectNear(indexOf(chainedJevons(counts, T, 1)), expected.chained_jevons)
    expect(churnOf(counts, T).map((churn, period) => ({ period, ...churn }))).toEqual(expected.churn)
  })

  test.each([
    ['geks_window4', geksJevons, 4, 1],
    ['geks_window5', geksJevons, 5, 1],
    ['tpd_window4', timeProductDummies, 4, 1],
    ['tpd_window5', timeProductDummies, 5, 1],
    ['geks_window4_introduced_with_4_months', geksJevons, 4, 4],
  ] as const)('%s: a month that was published is never revised', (name, method, length, introduced) => {
    const { T, prices_cents, ...expected } = mean_splice_on_published as unknown as Splice
    const counts = countsOf(prices_cents, T)
    const windowOf = (from: number, to: number) => method(within(counts, from, to), to - from, 1).total
    for (const months of [T, T - 3])
      expectNear(
        indexOf(spliced(months, windowOf, { length, published: windowOf(0, Math.min(months, introduced)) })),
        expected[name]!.slice(0, months),
      )
  })
})

const panels = fc.array(
  fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5'), fc.integer({ min: 80, max: 200 }), { minKeys: 1 }),
  { minLength: 3, maxLength: 30 },
)

test('the parts of groups add up to the index, whatever is missing', () =>
  fc.assert(
    fc.property(
      panels,
      fc.constantFrom(geksJevons, timeProductDummies),
      fc.constantFrom(1, 3),
      (panel, method, min) => {
        const { total, parts } = method(countsOf(Object.fromEntries(panel.entries()), 6), 6, min)
        for (const [month, log] of total.entries()) {
          const sum = [...parts.values()].reduce((all, part) => all + (part[month] ?? Number.NaN), 0)
          if (log === null) expect(sum).toBeNaN()
          else expect(sum).toBeCloseTo(log, 10)
        }
      },
    ),
    { seed: 38 },
  ))

test('with every listing in every month all methods are the geometric mean', () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 80, max: 200 }), { minLength: 4, maxLength: 4 }), { minLength: 1 }),
      (rows) => {
        const counts = countsOf(Object.fromEntries(rows.map((row, i) => [i, Object.fromEntries(row.entries())])), 4)
        const jevons = [0, 1, 2, 3].map(
          (t) => rows.reduce((sum, row) => sum + Math.log(row[t]! / row[0]!), 0) / rows.length,
        )
        for (const index of [
          geksJevons(counts, 4, 1).total,
          timeProductDummies(counts, 4, 1).total,
          chainedJevons(counts, 4, 1),
        ])
          expectNear(index, jevons)
      },
    ),
    { seed: 38 },
  ))
