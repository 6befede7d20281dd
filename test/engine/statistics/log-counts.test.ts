import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  joinedCounts,
  type LogCounts,
  logAt,
  logSums,
  medianLog,
  pairsIn,
} from '../../../engine/statistics/log-counts.ts'
import {
  CHANGE_BOUNDS,
  changeBucket,
  FENCE,
  jevonsChange,
  LOG_UNIT,
  logRelative,
  STABLE_BUCKET,
} from '../../../engine/statistics/price-relative.ts'
import { trimmed, trimmedChange, trimmedInterval, trimmedParts } from '../../../engine/statistics/trimmed-mean.ts'
import { because, noVectors, vectorRows } from '../../support/vectors.ts'

const MAX_LOG = Math.round(Math.log(FENCE) * LOG_UNIT)

/** Few logs, so that many pairs share one, and any log. */
const log = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -MAX_LOG, max: MAX_LOG }))
const logs = fc.array(log, { minLength: 10, maxLength: 200 })

const countsOf = (logs: readonly number[]): LogCounts => {
  const counts = new Map<number, number>()
  for (const log of logs) counts.set(log, (counts.get(log) ?? 0) + 1)
  return { logs: [...counts.keys()], counts: [...counts.values()] }
}
const ascending = (logs: readonly number[]): number[] => logs.toSorted((a, b) => a - b)
const total = (logs: readonly number[]): bigint => logs.reduce((sum, log) => sum + BigInt(log), 0n)

/** Everything that is computed from counts. */
const figuresOf = (counted: LogCounts) => {
  const trim = trimmed(counted)
  return [
    trim,
    trimmedChange(trim),
    trimmedInterval(trim),
    medianLog(counted),
    logSums(counted),
    pairsIn(counted, (log) => changeBucket(log) === STABLE_BUCKET),
  ]
}

test('the parts of groups add up to the log of the trimmed mean, and equal groups have equal parts', () => {
  fc.assert(
    fc.property(logs, fc.nat({ max: 6 }), (all, size) => {
      const groups = Array.from({ length: size + 1 }, (_, group) => all.filter((_, i) => i % (size + 1) === group))
      const counted = groups.filter(({ length }) => length > 0).map(countsOf)
      const trim = trimmed(joinedCounts(counted))
      const sum = trimmedParts(trim, counted).reduce((added, part) => added + part, 0)
      expect(sum).toBeCloseTo(Number(trim.sum) / trim.kept / LOG_UNIT, 12)
      const twice = [countsOf(all), countsOf(all)]
      const [one, other] = trimmedParts(trimmed(joinedCounts(twice)), twice)
      expect(one).toBe(other)
    }),
  )
})

test('the counts of two parts have the figures of the whole when they are joined', () => {
  fc.assert(
    fc.property(logs, fc.nat(), (all, index) => {
      const cut = index % all.length
      const parts = [all.slice(cut), all.slice(0, cut)].map(countsOf)
      expect(figuresOf(joinedCounts(parts))).toEqual(figuresOf(countsOf(all)))
    }),
  )
})

test('logAt returns the logarithm at a position of the sorted sample', () => {
  fc.assert(
    fc.property(logs, (all) => {
      const sorted = ascending(all)
      expect(all.map((_, place) => logAt(countsOf(all), place))).toEqual(sorted)
    }),
  )
})

test('sums are exact, even for logarithms far outside the fence and for many pairs', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(log, fc.integer({ min: 0, max: 100_000 })), { maxLength: 50 }), (pairs) => {
      const counted = { logs: pairs.map(([log]) => log), counts: pairs.map(([, n]) => n) }
      expect(logSums(counted)).toEqual({
        sum: pairs.reduce((sum, [log, n]) => sum + BigInt(n) * BigInt(log), 0n),
        square_sum: pairs.reduce((sum, [log, n]) => sum + BigInt(n) * BigInt(log) ** 2n, 0n),
      })
    }),
  )
  const many = { logs: [MAX_LOG, -MAX_LOG + 1], counts: [2 ** 23, 2 ** 23] }
  expect(logSums(many)).toEqual({
    sum: BigInt(2 ** 23),
    square_sum: BigInt(2 ** 23) * (BigInt(MAX_LOG) ** 2n + BigInt(MAX_LOG - 1) ** 2n),
  })
})

test('the trimmed sum omits the share of the definition, at least one, from each end of the sorted logarithms', () => {
  fc.assert(
    fc.property(logs, (all) => {
      const sorted = ascending(all)
      const cut = Math.max(1, Math.floor((5 * all.length) / 100)) // TRIM_PERCENT
      const kept = sorted.slice(cut, all.length - cut)
      const drawnIn = sorted.map((log) => Math.max(kept[0]!, Math.min(kept.at(-1)!, log)))
      expect(trimmed(countsOf(all))).toMatchObject({
        n: all.length,
        kept: kept.length,
        sum: total(kept),
        winsorised: { sum: total(drawnIn) },
      })
    }),
  )
})

test('the median of an even number of logs is the mean of the two in the middle', () => {
  expect(medianLog(countsOf([5, 1, 3]))).toBe(3)
  expect(medianLog(countsOf([5, 1, 4, 3, 3, 9]))).toBe(3.5)
})

test('the bucket of a change agrees with whole cents, at each bound and one cent beyond it', () => {
  const near = fc
    .tuple(fc.integer({ min: 1, max: 7_000_000 }), fc.constantFrom(...CHANGE_BOUNDS), fc.constantFrom(-1, 0, 1))
    .map(([n, bound, beyond]) => [200 * n, (n * (1000 + 10 * bound)) / 5 + beyond] as const)
  const any = fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(fc.oneof(near, any), ([base, price]) => {
      const isBelow = (bound: number) => {
        const [scaled, limit] = [1000n * BigInt(price), BigInt(1000 + 10 * bound) * BigInt(base)]
        return bound < 0 ? limit <= scaled : limit < scaled
      }
      expect(changeBucket(logRelative(base, price))).toBe(CHANGE_BOUNDS.filter(isBelow).length)
    }),
    { numRuns: 5000 },
  )
})

test('the same sum of logarithms gives the same Jevons change', () => {
  expect(jevonsChange(2e12 * Math.log(1.1), 2)).toBeCloseTo(10, 9)
  expect(jevonsChange(10n * BigInt(Math.round(1e12 * Math.log(1.1))), 10)).toBeCloseTo(10, 9)
})

describe.skipIf(noVectors)(`trimmed means of R${because}`, () => {
  test.each(noVectors ? [] : vectorRows('r-base/trimmed_means.csv'))('of $n logs', (row) => {
    const trim = trimmed(countsOf(row.x!.split(' ').map((log) => Math.round(Number(log) * LOG_UNIT))))
    expect(Number(trim.sum) / trim.kept / LOG_UNIT).toBeCloseTo(Number(row.trimmed_mean), 10)
    const { n, kept, winsorised } = trim
    const spread = Number(BigInt(n) * winsorised.square_sum - winsorised.sum ** 2n) / n
    expect(Math.sqrt(spread / (kept * (kept - 1))) / LOG_UNIT).toBeCloseTo(Number(row.tukey_mclaughlin_se), 10)
  })
})
