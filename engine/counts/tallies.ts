import { ValueCounts } from '../statistics/value-counts.ts'
import type { Numbers } from './numbering.ts'

/** Values with their counts, each of a group; without counts, each counts once. */
export type Valued = { group: Int32Array; values: Numbers; counts: Float64Array | null; length: number }

type GroupTally = { values: Float64Array; counts: Float64Array }

/** Rows after which others may get their turn. */
const SLICE = 65_536

function* slicesOf(length: number): Iterable<[from: number, to: number]> {
  for (let from = 0; from < length; from += SLICE) yield [from, Math.min(length, from + SLICE)]
}

/** Counts sorted values, which are overwritten by those that differ. */
const countSorted = (sorted: Float64Array): GroupTally => {
  const counts = new Float64Array(sorted.length)
  let distinct = 0
  for (let i = 0; i < sorted.length; i += 1) {
    const value = sorted[i]!
    if (distinct === 0 || sorted[distinct - 1] !== value) sorted[distinct++] = value
    counts[distinct - 1]! += 1
  }
  return { values: sorted.subarray(0, distinct), counts: counts.slice(0, distinct) }
}

const joined = (parts: readonly Float64Array[]): Float64Array => {
  if (parts.length === 1) return parts[0]!
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let written = 0
  for (const part of parts) {
    whole.set(part, written)
    written += part.length
  }
  return whole
}

/** The values of groups with their counts, gathered when the first are needed. */
export const createTallies = ({ group, values, counts, length }: Valued, groups: number) => {
  let gathered: { bounds: Int32Array; values: Float64Array; counts: Float64Array | null } | undefined
  const tallies = new Map<number, GroupTally>()

  /** Writes the values in the order of their groups, in steps between which others may get their turn. */
  function* gather(): Iterable<void> {
    const bounds = new Int32Array(groups + 1)
    for (const [from, to] of slicesOf(length)) {
      for (let i = from; i < to; i += 1) bounds[group[i]! + 1]! += 1
      yield
    }
    for (let i = 1; i <= groups; i += 1) bounds[i]! += bounds[i - 1]!
    const next = bounds.slice()
    const inGroups = new Float64Array(length)
    const countsInGroups = counts && new Float64Array(length)
    for (const [from, to] of slicesOf(length)) {
      for (let i = from; i < to; i += 1) {
        const position = next[group[i]!]!++
        inGroups[position] = values[i]!
        if (countsInGroups) countsInGroups[position] = counts[i]!
      }
      yield
    }
    gathered = { bounds, values: inGroups, counts: countsInGroups }
  }

  /** The values of a group as they were added. */
  const valuesIn = (wanted: number): { values: Float64Array; counts: Float64Array | null } => {
    if (!gathered) for (const _ of gather());
    const { bounds, ...all } = gathered!
    const [from, to] = [bounds[wanted]!, bounds[wanted + 1]!]
    return { values: all.values.subarray(from, to), counts: all.counts?.subarray(from, to) ?? null }
  }

  /** The values of a group with their counts: those that were added without are sorted, and each is there once. */
  const tally = (wanted: number): GroupTally => {
    const present = tallies.get(wanted)
    if (present) return present
    const own = valuesIn(wanted)
    const counted = own.counts ? { values: own.values, counts: own.counts } : countSorted(own.values.sort())
    tallies.set(wanted, counted)
    return counted
  }

  /** The counts of the values of some groups together, which are whole numbers from 0. */
  const together = (wanted: readonly number[]): ValueCounts => {
    if (counts === null && !wanted.some((one) => tallies.has(one)))
      return ValueCounts.ofSample(Int32Array.from(joined(wanted.map((one) => valuesIn(one).values))))
    const all = wanted.map(tally)
    return ValueCounts.of(joined(all.map((one) => one.values)), joined(all.map((one) => one.counts)))
  }

  return { gather, tally, together }
}
