import { type AnyCount, type Counted, count, groupsOf, type NamedCounts } from './count.ts'

const nameOf = (name: string, median: string): string => `${name}.median.${median}`

const replaced = new WeakMap<NamedCounts, NamedCounts>()

/** NamedCounts whose medians are replaced by counts of the values that they are of, which add up. */
export const withoutMedians = (counts: NamedCounts): NamedCounts => {
  const remembered = replaced.get(counts)
  if (remembered) return remembered
  const additive = Object.fromEntries(
    Object.entries(counts).flatMap(([name, { medians = {}, ...without }]) => {
      const { from, where = [], by = {} } = without
      const valued = Object.entries(medians).map(([median, value]) => [
        nameOf(name, median),
        count({ from, where, by, value } as AnyCount),
      ])
      return [[name, without], ...valued]
    }),
  )
  replaced.set(counts, additive)
  return additive
}

const keysOf = ({ key }: Counted, group: number): string =>
  Object.values<Float64Array>(key)
    .map((column) => column[group])
    .join()

/** The median of each group from the counts of its values. */
const medianOf = (counted: Counted, valued: Counted): ((group: number) => number) => {
  const groups = new Map(groupsOf(valued).map((group) => [keysOf(valued, group), group]))
  return (group) => {
    const values = valued.values([groups.get(keysOf(counted, group))!])
    return values.n === 0 ? -1 : values.quantile(0.5)
  }
}

/** What `counts` counted, from what `withoutMedians(counts)` did. */
export const withMedians = (counts: NamedCounts, counted: Readonly<Record<string, Counted>>): Record<string, Counted> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { medians = {} }]) => {
      const byName = Object.fromEntries(
        Object.keys(medians).map((median) => [median, medianOf(counted[name]!, counted[nameOf(name, median)]!)]),
      )
      return [name, { ...counted[name]!, median: (median: string, group: number) => byName[median]!(group) }]
    }),
  )
