/**
 * How many matched pairs have a log of their price relative, in units of LOG_UNIT. Logs come in any order, and one may
 * come twice: the counts of two parts of the pairs, one after the other, are the counts of all.
 */
export type LogCounts = { logs: readonly number[]; counts: readonly number[] }

/** The counts of several parts together. */
export const joinedCounts = (parts: readonly LogCounts[]): LogCounts => ({
  logs: parts.flatMap(({ logs }) => logs),
  counts: parts.flatMap(({ counts }) => counts),
})

/** The pairs that are counted, of all logs or of those of a kind. */
export const pairsIn = ({ logs, counts }: LogCounts, isCounted: (log: number) => boolean = () => true): number =>
  counts.reduce((sum, count, i) => (isCounted(logs[i]!) ? sum + count : sum), 0)

const only = ({ logs, counts }: LogCounts, isKept: (log: number) => boolean): LogCounts => ({
  logs: logs.filter(isKept),
  counts: counts.filter((_, i) => isKept(logs[i]!)),
})

/** The log at a place, from 0, of the pairs in ascending order. Nothing is sorted: each step looks at one side of a pivot. */
export const logAt = (counted: LogCounts, place: number): number => {
  const pivot = counted.logs[counted.logs.length >> 1]!
  const below = pairsIn(counted, (log) => log < pivot)
  if (place < below)
    return logAt(
      only(counted, (log) => log < pivot),
      place,
    )
  const upTo = below + pairsIn(counted, (log) => log === pivot)
  return place < upTo
    ? pivot
    : logAt(
        only(counted, (log) => log > pivot),
        place - upTo,
      )
}

/** The median log: of an even number of pairs the mean of the two in the middle. */
export const medianLog = (counted: LogCounts): number => {
  const last = pairsIn(counted) - 1
  return (logAt(counted, Math.floor(last / 2)) + logAt(counted, Math.ceil(last / 2))) / 2
}

export type Bounds = { low: number; high: number }
export type Sums = { sum: bigint; square_sum: bigint }

const BITS = 14
const PART = 2 ** BITS

/**
 * The exact sums of the logs and of their squares, each log drawn in to the bounds where there are any. A log is split
 * into three parts of 14 bits, so that no sum of products of two parts of up to 2^24 pairs exceeds 2^53.
 */
export const logSums = (
  { logs, counts }: LogCounts,
  { low, high }: Bounds = { low: -Infinity, high: Infinity },
): Sums => {
  let [a, b, c, aa, ab, ac, bb, bc, cc] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < logs.length; i++) {
    const n = counts[i]!
    const log = Math.max(low, Math.min(high, logs[i]!))
    const upper = Math.floor(log / PART)
    const z = log - upper * PART
    const x = Math.floor(upper / PART)
    const y = upper - x * PART
    a += n * x
    b += n * y
    c += n * z
    aa += n * x * x
    ab += n * x * y
    ac += n * x * z
    bb += n * y * y
    bc += n * y * z
    cc += n * z * z
  }
  const whole = (...parts: number[]): bigint => parts.reduce((sum, part) => (sum << BigInt(BITS)) + BigInt(part), 0n)
  return { sum: whole(a, b, c), square_sum: whole(aa, 2 * ab, 2 * ac + bb, 2 * bc, cc) }
}
