import { type AnyCount, type Counted, count, groupsOf } from './count.ts'

type Counts = Readonly<Record<string, AnyCount>>

const nameOf = (name: string, median: string): string => `${name}.median.${median}`

/** Counts whose medians are replaced by counts of the values that they are of, which add up. */
export const withoutMedians = (counts: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([name, { medians = {}, ...additive }]) => {
      const { from, where = [], by = {} } = additive
      const valued = Object.entries(medians).map(([median, value]) => [
        nameOf(name, median),
        count({ from, where, by, value } as AnyCount),
      ])
      return [[name, additive], ...valued]
    }),
  )

const keysOf = ({ key }: Counted, group: number): string =>
  Object.values<Float64Array>(key)
    .map((column) => column[group])
    .join()

/** The medians of groups from the counts of their values. */
const mediansOf = (counted: Counted, valued: Counted): Float64Array => {
  const groups = new Map(groupsOf(valued).map((group) => [keysOf(valued, group), group]))
  return Float64Array.from(groupsOf(counted), (group) => {
    const values = valued.values([groups.get(keysOf(counted, group))!])
    return values.n === 0 ? -1 : values.quantile(0.5)
  })
}

/** What `counts` counted, from what `withoutMedians(counts)` did. */
export const withMedians = (counts: Counts, counted: Readonly<Record<string, Counted>>): Record<string, Counted> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { medians = {} }]) => {
      const median = Object.fromEntries(
        Object.keys(medians).map((of) => [of, mediansOf(counted[name]!, counted[nameOf(name, of)]!)]),
      )
      return [name, { ...counted[name]!, median }]
    }),
  )
