import type { AnyCount, Counted } from './count.ts'
import { createNumbering, type KeyRange, type Numbers, rangeOf, rangeOfParts } from './numbering.ts'
import { LONG_PART, slotsOf } from './slots.ts'
import { Tallies } from './tallies.ts'

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

/** Counts whose values can be put in order before they are needed, in steps between which others may get their turn. */
export type PreparedCounts = Counted & { prepare(): Iterable<void> }

/** Adds up rows of counts by their keys. There are `rows` at most, `block` at a time. */
export const createAdder = (count: AnyCount, ranges: readonly KeyRange[], rows: number, block = rows) => {
  const slots = slotsOf(count)
  const numbering = createNumbering(ranges, rows, block)
  const group = new Int32Array(block)
  const n = new GroupTotals(0)
  const totals = byKind((kind) => slots[kind].map(() => new GroupTotals(combining[kind].start)))
  const values = new Tallies(rows)

  const addRows = (part: CountRows): void => {
    const { length, keys, value, n: counts } = part
    numbering.number(keys, length, group)
    const groups = numbering.count()
    if (counts) add(n.ensure(groups), group, length, counts)
    else addOnes(n.ensure(groups), group, length)
    for (const kind of KINDS)
      for (const [i, column] of part[kind].entries())
        combining[kind].combine(totals[kind][i]!.ensure(groups), group, length, column)
    if (value) values.add(group, value, counts, length)
  }

  const finish = (): PreparedCounts => {
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
    values.end(numbered)
    const medians = new Map<number, number>()
    const computeMedian = (of: number): number => {
      if (values.isEmpty) return median.median?.[of] ?? -1
      const sample = values.together([groups[of]!])
      return sample.n === 0 ? -1 : sample.quantile(0.5)
    }
    const medianOf = (of: number): number => {
      const present = medians.get(of) ?? computeMedian(of)
      medians.set(of, present)
      return present
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
      median: medianOf,
      tally: (of: number) => values.tally(groups[of]!),
      values: (of: readonly number[]) => values.together(of.map((one) => groups[one]!)),
      *prepare() {
        if (values.isEmpty) return
        yield* values.prepare()
        for (let of = 0; of < groups.length; of += 1) {
          if (count.median === undefined) values.tally(groups[of]!)
          else medianOf(of)
          yield
        }
      },
    } as unknown as PreparedCounts
  }

  /** Makes room for a block, in steps between which others may get their turn; else its values take more memory. */
  const makeRoom = (): Iterable<void> => values.makeRoom(numbering.count())

  return { add: addRows, makeRoom, finish }
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
