import { ValueCounts } from '../statistics/value-counts.ts'
import type { AnyCount, Counted } from './count.ts'
import { createNumbering, type KeyRange, type Numbers, rangeOf, rangeOfParts } from './numbering.ts'
import { LONG_PART, slotsOf } from './slots.ts'

/**
 * Rows of counts in any order, in which groups may repeat; without `n` each counts once. Columns are in the order of the
 * slots of the count, and may be longer than `length`. A median is that
 * of a group that does not repeat; where values are counted, it is theirs.
 */
export type CountRows = {
  length: number
  keys: readonly Numbers[]
  value: Numbers | null
  n: Numbers | null
} & Readonly<Record<Combined, readonly Numbers[]>>

type Combine = (totals: Float64Array, group: Int32Array, length: number, column: Numbers) => void

// Each is a loop of its own, compiled for the types of its columns.
const add: Combine = (totals, group, length, column) => {
  for (let i = 0; i < length; i += 1) totals[group[i]!]! += column[i]!
}
const addOnes = (totals: Float64Array, group: Int32Array, length: number): void => {
  for (let i = 0; i < length; i += 1) totals[group[i]!]! += 1
}
const lower: Combine = (least, group, length, column) => {
  for (let i = 0; i < length; i += 1) {
    const value = column[i]!
    const current = least[group[i]!]!
    if (value >= 0 && (current < 0 || value < current)) least[group[i]!] = value
  }
}
const raise: Combine = (most, group, length, column) => {
  for (let i = 0; i < length; i += 1) if (column[i]! > most[group[i]!]!) most[group[i]!] = column[i]!
}

const combining = {
  sums: { start: 0, combine: add },
  min: { start: -1, combine: lower },
  max: { start: -1, combine: raise },
  median: { start: -1, combine: raise },
} as const
type Combined = keyof typeof combining
const KINDS = Object.keys(combining) as Combined[]

const byKind = <T>(of: (kind: Combined) => T): Record<Combined, T> => ({
  sums: of('sums'),
  min: of('min'),
  max: of('max'),
  median: of('median'),
})

/** Columns by the names of their slots. */
const columnsNamed = (
  names: readonly string[],
  columnAt: (slot: number) => Float64Array,
): Record<string, Float64Array> => {
  const columns: Record<string, Float64Array> = {}
  for (const [slot, name] of names.entries()) columns[name] = columnAt(slot)
  return columns
}

/** Values with their counts, each of a group. */
type Valued = { group: Int32Array; values: Numbers; counts: Float64Array | null; length: number }

/** Where the values of each group begin and end among those of all groups. */
const boundsOf = (group: Int32Array, length: number, groups: number): Int32Array => {
  const bounds = new Int32Array(groups + 1)
  for (let i = 0; i < length; i += 1) bounds[group[i]! + 1]! += 1
  for (let i = 1; i <= groups; i += 1) bounds[i]! += bounds[i - 1]!
  return bounds
}

/** A column in the order of groups. */
const inGroups = (column: Numbers, group: Int32Array, length: number, bounds: Int32Array): Float64Array => {
  const next = bounds.slice()
  const sorted = new Float64Array(length)
  for (let i = 0; i < length; i += 1) sorted[next[group[i]!]!++] = column[i]!
  return sorted
}

/** The values of groups with their counts, gathered when the first are needed. */
const createTallies = ({ group, values, counts, length }: Valued, groups: number) => {
  const gather = () => {
    const bounds = boundsOf(group, length, groups)
    let largest = 0
    for (let i = 0; i < groups; i += 1) largest = Math.max(largest, bounds[i + 1]! - bounds[i]!)
    return {
      bounds,
      values: inGroups(values, group, length, bounds),
      counts: counts && inGroups(counts, group, length, bounds),
      ones: new Float64Array(counts ? 0 : largest).fill(1),
    }
  }
  let gathered: ReturnType<typeof gather> | undefined
  return (wanted: number) => {
    gathered ??= gather()
    const [from, to] = [gathered.bounds[wanted]!, gathered.bounds[wanted + 1]!]
    return {
      values: gathered.values.subarray(from, to),
      counts: gathered.counts?.subarray(from, to) ?? gathered.ones.subarray(0, to - from),
    }
  }
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

/** A total for each group; grows with them. */
class GroupTotals {
  #values = new Float64Array(0)
  readonly #start: number

  constructor(start: number) {
    this.#start = start
  }

  /** The totals of so many groups, and perhaps of more. */
  ensure(groups: number): Float64Array {
    if (groups <= this.#values.length) return this.#values
    const grown = new Float64Array(Math.max(groups, 2 * this.#values.length))
    if (this.#start !== 0) grown.fill(this.#start)
    grown.set(this.#values)
    this.#values = grown
    return grown
  }
}

/** Adds up rows of counts by their keys. There are `rows` at most, `block` at a time. */
export const createAdder = (count: AnyCount, ranges: readonly KeyRange[], rows: number, block = rows) => {
  const slots = slotsOf(count)
  const numbering = createNumbering(ranges, rows, block)
  const group = new Int32Array(block)
  const n = new GroupTotals(0)
  const totals = byKind((kind) => slots[kind].map(() => new GroupTotals(combining[kind].start)))
  const valued: Valued = { group: new Int32Array(0), values: new Float64Array(0), counts: null, length: 0 }

  const addValues = (values: Numbers, counts: Numbers | null, length: number): void => {
    if (valued.group.length === 0) {
      valued.group = new Int32Array(rows)
      // Of the type of the columns, from which a copy is then a plain one.
      valued.values = values instanceof Int32Array ? new Int32Array(rows) : new Float64Array(rows)
      valued.counts = counts && new Float64Array(rows)
    }
    valued.group.set(group.subarray(0, length), valued.length)
    valued.values.set(values.subarray(0, length), valued.length)
    if (counts) valued.counts?.set(counts.subarray(0, length), valued.length)
    valued.length += length
  }

  const addRows = (part: CountRows): void => {
    const { length, keys, value, n: counts } = part
    numbering.number(keys, length, group)
    const groups = numbering.count()
    if (counts) add(n.ensure(groups), group, length, counts)
    else addOnes(n.ensure(groups), group, length)
    for (const kind of KINDS)
      for (const [i, column] of part[kind].entries())
        combining[kind].combine(totals[kind][i]!.ensure(groups), group, length, column)
    if (value) addValues(value, counts, length)
  }

  const finish = (): Counted => {
    const numbered = numbering.count()
    const counts = n.ensure(numbered)
    const groups: number[] = []
    for (let group = 0; group < numbered; group += 1) if (counts[group]! > 0 || ranges.length === 0) groups.push(group)
    const select = (column: Float64Array): Float64Array => {
      const selected = new Float64Array(groups.length)
      for (let i = 0; i < groups.length; i += 1) selected[i] = column[groups[i]!]!
      return selected
    }
    const keys = numbering.keys(groups)
    const { sums, min, max, median } = byKind((kind) =>
      columnsNamed(slots[kind], (i) => select(totals[kind][i]!.ensure(numbered))),
    )
    for (const column of Object.values(sums))
      if (!column.every(Number.isSafeInteger)) throw new RangeError('a sum exceeds 2^53')
    const tallyOf = createTallies(valued, numbered)
    const tally = (of: number) => tallyOf(groups[of]!)
    const values = (of: readonly number[]): ValueCounts => {
      const tallies = of.map(tally)
      const sample = joined(tallies.map((one) => one.values))
      if (!valued.counts) return ValueCounts.ofSample(Int32Array.from(sample))
      return ValueCounts.of(sample, joined(tallies.map((one) => one.counts)))
    }
    return {
      length: groups.length,
      n: select(counts),
      key: columnsNamed(slots.keys, (i) => keys[i]!),
      sum: sums,
      long: (name: string, of: number) =>
        BigInt(sums[`${name}.high`]![of]!) * BigInt(LONG_PART) + BigInt(sums[`${name}.low`]![of]!),
      min,
      max,
      median(of: number) {
        if (valued.length === 0) return median.median?.[of] ?? -1
        const sample = values([of])
        return sample.n === 0 ? -1 : sample.quantile(0.5)
      },
      tally,
      values,
    } as unknown as Counted
  }

  return { add: addRows, finish }
}

/** Adds up the rows of one or several statements. */
export const addUp = <C extends AnyCount>(count: C, parts: readonly CountRows[]): Counted<C> => {
  const some = parts.filter(({ length }) => length > 0)
  const ranges = slotsOf(count).keys.map((_, i) =>
    rangeOfParts(some.map(({ keys, length }) => rangeOf(keys[i]!, length))),
  )
  const rows = parts.reduce((sum, { length }) => sum + length, 0)
  const adder = createAdder(count, ranges, rows)
  for (const part of parts) adder.add(part)
  return adder.finish() as Counted<C>
}
