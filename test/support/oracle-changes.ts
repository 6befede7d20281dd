import {
  type Ask,
  addDays,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  money,
  observedBetween,
  pct,
  unseenDay,
} from './oracle.ts'

type Step = { row: ListingDay; before: ListingDay }

const STANDS = 35
const FLAPPING = 3
const daysFrom = (a: string, b: string): number => (Date.parse(b) - Date.parse(a)) / 86_400_000

/** Goes through the observations of a listing in order. */
const stepsOf = (own: readonly ListingDay[]): Step[] => {
  const steps: Step[] = []
  const ordered = own.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  for (const [i, row] of ordered.entries()) {
    const before = ordered[i - 1]
    if (before && before.price !== row.price && daysFrom(before.day, row.day) <= STANDS) steps.push({ row, before })
  }
  return steps
}

const takesBack = (step: Step | undefined, other: Step | undefined): boolean =>
  step !== undefined &&
  other !== undefined &&
  other.row.price === step.before.price &&
  daysFrom(step.row.day, other.row.day) <= FLAPPING

/** The figures of shopper/changes since a day, and all changes; null where nothing was observed. */
export const changesSince = (
  days: readonly ListingDay[],
  ask: Ask & { as_of: string; since: string },
  isWatched: (key: string) => boolean = () => true,
) => {
  const rows = days.filter(
    ({ listing, day }) => inScope(listing, ask) && isWatched(listingKey(listing)) && day < unseenDay(ask.as_of),
  )
  const seen = rows.filter(({ day }) => day >= ask.since)
  if (seen.length === 0) return null
  // A change is compared with those of the days that are read, which begin long enough before.
  const found = [...groupBy(rows, ({ listing }) => listingKey(listing)).values()].flatMap((own) => {
    const steps = stepsOf(own)
    return steps.map((step, i) => ({
      ...step,
      is_flapping: takesBack(step, steps[i + 1]) || takesBack(steps[i - 1], step),
    }))
  })
  const listed = found.filter(({ row }) => row.day >= ask.since)
  const isRise = ({ row, before }: Step): boolean => row.price > before.price
  const counts = (some: readonly Step[]) => ({
    rise_count: some.filter(isRise).length,
    fall_count: some.filter((step) => !isRise(step)).length,
  })
  return {
    figures: {
      change_count: listed.length,
      ...counts(listed),
      flapping_count: listed.filter(({ is_flapping }) => is_flapping).length,
      by_day: [...groupBy(listed, ({ row }) => row.day)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, some]) => ({ date, ...counts(some) })),
      meta: observedBetween(seen),
    },
    price_changes: listed.map(({ row, before, is_flapping }) => ({
      key: listingKey(row.listing),
      date: row.day,
      retailer: row.listing.platform,
      previous_price: money(before.price),
      price: money(row.price),
      change_pct: pct((100 * (row.price - before.price)) / before.price),
      previous_date: addDays(before.day, 0),
      is_flapping,
    })),
  }
}
