/**
 * How many matched pairs have a log of their price relative, in units of LOG_UNIT. Logs come in any order, and one may
 * come twice: the counts of two parts of the pairs, one after the other, are the counts of all.
 */
export type LogCounts = { logs: readonly number[]; counts: readonly number[] }

/** The counts of several parts together. */
export const joinedCounts = (parts: readonly LogCounts[]): LogCounts => ({
  logs: ([] as number[]).concat(...parts.map(({ logs }) => logs)),
  counts: ([] as number[]).concat(...parts.map(({ counts }) => counts)),
})

// Loops rather than callbacks: a series of a country has hundreds of thousands of logs.

/** The pairs that are counted, of all logs or of those of a kind. */
export const pairsIn = ({ logs, counts }: LogCounts, isCounted?: (log: number) => boolean): number => {
  let pairs = 0
  for (let i = 0; i < logs.length; i++) if (!isCounted || isCounted(logs[i]!)) pairs += counts[i]!
  return pairs
}

/** The counts below a pivot, or those above it. */
const besidePivot = ({ logs, counts }: LogCounts, pivot: number, isBelow: boolean): LogCounts => {
  const beside = { logs: [] as number[], counts: [] as number[] }
  for (let i = 0; i < logs.length; i++)
    if (isBelow ? logs[i]! < pivot : logs[i]! > pivot) {
      beside.logs.push(logs[i]!)
      beside.counts.push(counts[i]!)
    }
  return beside
}

/** The log at a place, from 0, of the pairs in ascending order. Nothing is sorted: each step looks at one side of a pivot. */
export const logAt = (counted: LogCounts, place: number): number => {
  const { logs, counts } = counted
  const pivot = logs[logs.length >> 1]!
  let below = 0
  let equal = 0
  for (let i = 0; i < logs.length; i++) {
    if (logs[i]! < pivot) below += counts[i]!
    else if (logs[i]! === pivot) equal += counts[i]!
  }
  if (place < below) return logAt(besidePivot(counted, pivot, true), place)
  if (place < below + equal) return pivot
  return logAt(besidePivot(counted, pivot, false), place - below - equal)
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
