import type { Counted, NamedCounts } from './count.ts'

const replaced = new WeakMap<NamedCounts, NamedCounts>()

/** Counts of the values whose medians are declared: unlike medians, they add up. */
export const withoutMedians = (counts: NamedCounts): NamedCounts => {
  const additive =
    replaced.get(counts) ??
    (Object.fromEntries(
      Object.entries(counts).map(([name, { median, ...count }]) => [
        name,
        median === undefined ? count : { ...count, value: median },
      ]),
    ) as NamedCounts)
  replaced.set(counts, additive)
  return additive
}

/** What `counts` counted, from what `withoutMedians(counts)` did. */
export const withMedians = (counts: NamedCounts, counted: Readonly<Record<string, Counted>>): Record<string, Counted> =>
  Object.fromEntries(
    Object.entries(counted).map(([name, groups]) => {
      if (counts[name]!.median === undefined) return [name, groups]
      const median = (group: number): number => {
        const values = groups.values([group])
        return values.n === 0 ? -1 : values.quantile(0.5)
      }
      return [name, { ...groups, median }]
    }),
  )
