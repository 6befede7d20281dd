import { ValueCounts } from '../statistics/value-counts.ts'
import type { Numbers } from './numbering.ts'
import { BLOCK } from './vectors.ts'

type GroupTally = { values: Float64Array; counts: Float64Array }

/** Values of rows, each of a group; without counts, each counts once. */
type Valued = { group: Int32Array; values: Numbers; counts: Float64Array | null }

/** Rows after which others may get their turn. */
const SLICE = 65_536

/** At most so many values wait to be counted. A value that was counted takes memory once, however often it occurs. */
const MAX_WAITING = 2 ** 19

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
  return { values: sorted.slice(0, distinct), counts: counts.slice(0, distinct) }
}

const NONE: GroupTally = { values: new Float64Array(0), counts: new Float64Array(0) }

const countValues = (values: Numbers): GroupTally => {
  if (values instanceof Float64Array) return countSorted(values.sort())
  const counted = ValueCounts.ofSample(values)
  return { values: counted.values, counts: counted.values.map((_, i) => counted.countAt(i)) }
}

/** Adds up counts of values that ascend. */
const merge = (a: GroupTally, b: GroupTally): GroupTally => {
  const values = new Float64Array(a.values.length + b.values.length)
  const counts = new Float64Array(values.length)
  let [i, j, length] = [0, 0, 0]
  while (i < a.values.length || j < b.values.length) {
    const left = i < a.values.length ? a.values[i]! : Number.POSITIVE_INFINITY
    const right = j < b.values.length ? b.values[j]! : Number.POSITIVE_INFINITY
    values[length] = Math.min(left, right)
    if (left <= right) counts[length]! += a.counts[i++]!
    if (right <= left) counts[length]! += b.counts[j++]!
    length += 1
  }
  return { values: values.slice(0, length), counts: counts.slice(0, length) }
}

const joined = (parts: readonly Numbers[]): Numbers => {
  if (parts.length === 1) return parts[0]!
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let written = 0
  for (const part of parts) {
    whole.set(part, written)
    written += part.length
  }
  return whole
}

const sameType = (values: Numbers, length: number): Numbers =>
  values instanceof Int32Array ? new Int32Array(length) : new Float64Array(length)

/** Counts the values of at most so many rows by their groups. */
export class Tallies {
  readonly #rows: number
  /** The values that are not counted yet, in the order of their rows. */
  #waiting: Valued = { group: new Int32Array(0), values: new Int32Array(0), counts: null }
  #length = 0
  /** The same in the order of their groups. */
  #gathered: (Omit<Valued, 'group'> & { bounds: Int32Array }) | null = null
  readonly #counted = new Map<number, GroupTally>()
  /** Whether values were counted before those that wait. */
  #isCounted = false
  #groups = 0

  constructor(rows: number) {
    this.#rows = rows
  }

  add(group: Int32Array, values: Numbers, counts: Numbers | null, length: number): void {
    const needed = this.#length + length
    if (needed > this.#waiting.group.length) {
      const capacity = Math.min(this.#rows, Math.max(MAX_WAITING, 2 * needed))
      const before = this.#waiting
      this.#waiting = {
        group: new Int32Array(capacity),
        // Of the type of the columns, from which a copy is then a plain one.
        values: sameType(values, capacity),
        counts: counts && new Float64Array(capacity),
      }
      this.#waiting.group.set(before.group)
      this.#waiting.values.set(before.values)
      if (before.counts) this.#waiting.counts?.set(before.counts)
    }
    this.#waiting.group.set(group.subarray(0, length), this.#length)
    this.#waiting.values.set(values.subarray(0, length), this.#length)
    if (counts) this.#waiting.counts?.set(counts.subarray(0, length), this.#length)
    this.#length = needed
  }

  /** Counts the values that wait if the next block may find no room, in steps between which others may get their turn. */
  *makeRoom(groups: number): Iterable<void> {
    if (this.#waiting.counts || this.#length + BLOCK <= MAX_WAITING) return
    yield* this.#count(groups)
  }

  get isEmpty(): boolean {
    return this.#length === 0 && !this.#isCounted
  }

  /** No more values follow; they are of so many groups. */
  end(groups: number): void {
    this.#groups = groups
  }

  /** Makes the values ready to be read, which is else done when the first are. */
  *prepare(): Iterable<void> {
    if (this.#gathered) return
    if (!this.#isCounted) yield* this.#gather(this.#groups)
    else if (this.#length > 0) yield* this.#count(this.#groups)
  }

  *#count(groups: number): Iterable<void> {
    yield* this.#gather(groups)
    let counted = 0
    for (let group = 0; group < groups; group += 1) {
      const { values } = this.#valuesIn(group)
      if (values.length === 0) continue
      const [before, added] = [this.#counted.get(group), countValues(values)]
      this.#counted.set(group, before ? merge(before, added) : added)
      counted += values.length
      if (counted < SLICE) continue
      counted = 0
      yield
    }
    this.#isCounted = true
    this.#length = 0
    this.#gathered = null
  }

  /** Writes the values in the order of their groups. */
  *#gather(groups: number): Iterable<void> {
    const { group, values, counts } = this.#waiting
    const length = this.#length
    const bounds = new Int32Array(groups + 1)
    for (const [from, to] of slicesOf(length)) {
      for (let i = from; i < to; i += 1) bounds[group[i]! + 1]! += 1
      yield
    }
    for (let i = 1; i <= groups; i += 1) bounds[i]! += bounds[i - 1]!
    const next = bounds.slice()
    const inGroups = sameType(values, length)
    const countsInGroups = counts && new Float64Array(length)
    for (const [from, to] of slicesOf(length)) {
      for (let i = from; i < to; i += 1) {
        const position = next[group[i]!]!++
        inGroups[position] = values[i]!
        if (countsInGroups) countsInGroups[position] = counts[i]!
      }
      yield
    }
    this.#gathered = { bounds, values: inGroups, counts: countsInGroups }
  }

  /** The values of a group that are gathered. */
  #valuesIn(group: number): Omit<Valued, 'group'> {
    const { bounds, values, counts } = this.#gathered!
    const [from, to] = [bounds[group]!, bounds[group + 1]!]
    return { values: values.subarray(from, to), counts: counts?.subarray(from, to) ?? null }
  }

  /** The values of a group with their counts: those that were added without are sorted, and each is there once. */
  tally(group: number): GroupTally {
    for (const _ of this.prepare());
    const present = this.#counted.get(group)
    if (present) return present
    if (!this.#gathered) return NONE
    const { values, counts } = this.#valuesIn(group)
    const counted = counts ? { values: Float64Array.from(values), counts } : countValues(values)
    this.#counted.set(group, counted)
    return counted
  }

  /** The counts of the values of some groups together, which are whole numbers from 0. */
  together(groups: readonly number[]): ValueCounts {
    for (const _ of this.prepare());
    if (this.#gathered && !this.#waiting.counts && !groups.some((group) => this.#counted.has(group)))
      return ValueCounts.ofSample(Int32Array.from(joined(groups.map((group) => this.#valuesIn(group).values))))
    const all = groups.map((group) => this.tally(group))
    return ValueCounts.of(joined(all.map(({ values }) => values)), joined(all.map(({ counts }) => counts)))
  }
}
