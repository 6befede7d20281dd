import { addDays, groupBy, type ListingDay, listingKey, unseenDay } from './oracle.ts'

/**
 * Whether a retailer serves a department: of its listings priced before as_of at least 25, and a quarter, were seen in
 * the 90 days before it.
 */
export const isServing = (
  days: readonly ListingDay[],
  cell: { platform: string; country: string; department: string; as_of: string },
): boolean => {
  const own = days.filter(
    ({ listing, day }) =>
      listing.platform === cell.platform &&
      listing.country === cell.country &&
      listing.shelf[0] === cell.department &&
      day < unseenDay(cell.as_of),
  )
  const listings = [...groupBy(own, ({ listing }) => listingKey(listing)).values()]
  const recent = listings.filter((seen) => seen.some(({ day }) => day >= addDays(cell.as_of, -90))).length
  return recent >= 25 && recent >= 0.25 * listings.length
}

/**
 * Whether a retailer served a department at the end of a window in the past, as far as memory knows: of its listings
 * priced before that day at least 25, and a quarter, were first observed before it and last in the 90 days before it or
 * later. No more count than there are observations in these days.
 */
export const servedAtEnd = (
  days: readonly ListingDay[],
  cell: { platform: string; country: string; department: string; to: string },
): boolean => {
  const { platform, country, department, to } = cell
  const own = days.filter(
    ({ listing }) => listing.platform === platform && listing.country === country && listing.shelf[0] === department,
  )
  const since = addDays(to, -90)
  const listings = [...groupBy(own, ({ listing }) => listingKey(listing)).values()]
  const priced = listings.filter((seen) => seen.some(({ day }) => day < to))
  const alive = priced.filter((seen) => seen.some(({ day }) => day >= since)).length
  const recent = Math.min(alive, own.filter(({ day }) => day >= since && day < to).length)
  return recent >= 25 && recent >= 0.25 * priced.length
}
