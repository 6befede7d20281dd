import type { ValueCounts } from './value-counts.ts'

/** The mean of a sample in its unit; null without one. */
export const meanOf = ({ n, sum }: ValueCounts): number | null => (n === 0 ? null : sum / n)

/**
 * The standard deviation of a sample (divided by n - 1) in its unit, from exact sums; null below two values.
 */
export const sampleDeviation = (sample: ValueCounts): number | null => {
  const { n, sum, squareSum } = sample
  if (n < 2) return null
  const spread = BigInt(n) * squareSum - BigInt(sum) * BigInt(sum)
  return Math.sqrt(Number(spread) / (n * (n - 1)))
}

export const BUCKETS = 8

/**
 * Counts the values in 8 buckets of equal width from the lowest to the highest value. A value on an edge counts in the
 * upper bucket, the highest in the last. A single bucket if all values are equal, none without values.
 */
export const histogramOf = (sample: ValueCounts): number[] => {
  const { values } = sample
  const [low, high] = [values.at(0), values.at(-1)]
  if (low === undefined || high === undefined) return []
  if (low === high) return [sample.n]
  const counts = new Array<number>(BUCKETS).fill(0)
  for (const [i, value] of values.entries()) {
    const bucket = Math.min(BUCKETS - 1, Math.floor((BUCKETS * (value - low)) / (high - low)))
    counts[bucket]! += sample.countAt(i)
  }
  return counts
}
