/**
 * Counts of matched pairs by the log of their price relative, in units of LOG_UNIT. Logs are in any order and may repeat:
 * the counts of several parts, concatenated, are the counts of all pairs.
 */
export type LogCounts = { logs: ArrayLike<number>; counts: ArrayLike<number> }

/** Concatenates the counts of several parts. */
export const joinedCounts = (parts: readonly LogCounts[]): LogCounts => {
  const length = parts.reduce((sum, { logs }) => sum + logs.length, 0)
  const joined = { logs: new Float64Array(length), counts: new Float64Array(length) }
  let written = 0
  for (const { logs, counts } of parts) {
    joined.logs.set(logs, written)
    joined.counts.set(counts, written)
    written += logs.length
  }
  return joined
}

// Loops rather than callbacks: a series of a country has hundreds of thousands of logs.

/** The number of pairs, of all logs or of those for which `isCounted` holds. */
export const pairsIn = ({ logs, counts }: LogCounts, isCounted?: (log: number) => boolean): number => {
  let pairs = 0
  for (let i = 0; i < logs.length; i++) if (!isCounted || isCounted(logs[i]!)) pairs += counts[i]!
  return pairs
}

/** The log at a position, from 0, of the pairs in ascending order. A quickselect: nothing is sorted. */
export const logAt = ({ logs, counts }: LogCounts, position: number): number => {
  const values = Float64Array.from(logs)
  const weights = Float64Array.from(counts)
  const swap = (i: number, j: number): void => {
    const value = values[i]!
    const weight = weights[i]!
    values[i] = values[j]!
    weights[i] = weights[j]!
    values[j] = value
    weights[j] = weight
  }
  let [begin, end, before] = [0, values.length, 0]
  for (;;) {
    const pivot = values[(begin + end) >> 1]!
    // Those below the pivot come first, then those equal to it, then those above.
    let [next, equal, above] = [begin, begin, end]
    let [below, same] = [before, 0]
    while (next < above) {
      const value = values[next]!
      if (value < pivot) {
        below += weights[next]!
        swap(equal++, next++)
      } else if (value > pivot) swap(next, --above)
      else same += weights[next++]!
    }
    if (position < below) end = equal
    else if (position < below + same) return pivot
    else [begin, before] = [above, below + same]
  }
}

/** The median log; the mean of the two middle ones for an even number of pairs. */
export const medianLog = (counted: LogCounts): number => {
  const last = pairsIn(counted) - 1
  return (logAt(counted, Math.floor(last / 2)) + logAt(counted, Math.ceil(last / 2))) / 2
}

export type Bounds = { low: number; high: number }
export type Sums = { sum: bigint; square_sum: bigint }

const BITS = 14
const PART = 2 ** BITS

/**
 * The exact sums of the logs and of their squares, each log clamped to the bounds if given. A log is split
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
