import { type Counted, count, groupsOf } from '../counts/count.ts'
import type { MaskCounts } from '../statistics/price-index.ts'
import { CHANGE_BOUNDS, LOG_UNIT } from '../statistics/price-relative.ts'

const FIRST_MONTHS = 25

/** Listing-months of an index by the months of their listing. */
export const indexMonths = count({
  from: 'index_price',
  where: ['is_plausible'],
  by: { mask: 'mask', late: 'late_mask', place: 'place' },
  sums: { log: 'log' },
})

/** Those of the last window, by what contributes to the index. */
export const latestWindow = count({
  from: 'index_price',
  where: ['is_plausible', 'is_in_window'],
  by: { mask: 'window_mask', place: 'place', group: 'group_id' },
  sums: { log: 'log' },
})

/** Those that are set aside. */
export const setAside = count({ from: 'index_price', where: [['not', 'is_plausible']] })

/** The changes of listings from a month to the next, by their size. */
export const monthlyChanges = count({
  from: 'index_price',
  where: [['known', 'change_bucket']],
  by: { bucket: 'change_bucket' },
})

/** Their counts by bucket. */
export const bucketsOf = ({ length, key, n }: Counted<typeof monthlyChanges>): number[] => {
  const buckets = Array<number>(CHANGE_BOUNDS.length + 1).fill(0)
  for (const group of groupsOf({ length })) buckets[key.bucket[group]!]! += n[group]!
  return buckets
}

type Months = Counted<typeof indexMonths>
type Grouped = Counted<typeof latestWindow>

/** The counts of so many months from one on, by the months of listings, in an order that repeats. */
export const masksOf = (counted: Months | Grouped, months: number, from = 0): MaskCounts[] => {
  const { key } = counted
  const maskOf = (group: number): number =>
    key.mask[group]! + ('late' in key ? key.late[group]! * 2 ** FIRST_MONTHS : 0)
  const groupOf = (group: number): number => ('group' in key ? key.group[group]! : 0)
  const ordered = groupsOf(counted).sort(
    (a, b) => maskOf(a) - maskOf(b) || groupOf(a) - groupOf(b) || key.place[a]! - key.place[b]!,
  )
  const masks = new Map<number, { mask: number; counts: number[]; logs: Map<number, number[]> }>()
  for (const group of ordered) {
    const mask = maskOf(group)
    const place = key.place[group]! - from
    const entry = masks.get(mask) ?? { mask, counts: Array<number>(months).fill(0), logs: new Map() }
    masks.set(mask, entry)
    const sums = entry.logs.get(groupOf(group)) ?? Array<number>(months).fill(0)
    entry.logs.set(groupOf(group), sums)
    sums[place]! += Number(counted.long('log', group)) / LOG_UNIT
    entry.counts[place]! += counted.n[group]!
  }
  return [...masks.values()].map(({ mask, counts, logs }) => ({ mask, n: Math.max(...counts), logs }))
}
