import type { AnyCount } from './count.ts'
import { kindOf, type Relation } from './relations.ts'

/** Sums of logs exceed 2^53: they are added up in two parts, of which this is the unit of the higher one. */
export const LONG_PART = 1_000_000

export const isLong = (from: Relation, sum: unknown): boolean => typeof sum === 'string' && kindOf(from, sum) === 'long'

/** The kinds of columns of the rows of counts. */
export const KINDS = ['keys', 'sums', 'min', 'max', 'median'] as const
export type SlotKind = (typeof KINDS)[number]

const slots = new WeakMap<AnyCount, Readonly<Record<SlotKind, readonly string[]>>>()

const slotsIn = ({ from, by = {}, sums = {}, min = {}, max = {}, median }: AnyCount) => ({
  keys: Object.keys(by),
  sums: Object.entries(sums).flatMap(([name, sum]) => (isLong(from, sum) ? [`${name}.high`, `${name}.low`] : [name])),
  min: Object.keys(min),
  max: Object.keys(max),
  median: median === undefined ? [] : ['median'],
})

/** The names of the columns of the rows of a count, by kind and in order. */
export const slotsOf = (count: AnyCount) => {
  const names = slots.get(count) ?? slotsIn(count)
  slots.set(count, names)
  return names
}

/** How many columns of each kind the statement of several counts has. */
export const widthsOf = (counts: readonly AnyCount[]): Record<SlotKind, number> => {
  const slots = counts.map(slotsOf)
  return Object.fromEntries(
    KINDS.map((kind) => [kind, Math.max(...slots.map((columns) => columns[kind].length))]),
  ) as Record<SlotKind, number>
}

/** The columns of the statement of several counts with their kinds; beside them it has `part`, `value` and `n`. */
export const columnsOfCounts = (counts: readonly AnyCount[]): { name: string; kind: SlotKind }[] => {
  const widths = widthsOf(counts)
  return KINDS.flatMap((kind) => Array.from({ length: widths[kind] }, (_, i) => ({ name: `${kind}_${i}`, kind })))
}
