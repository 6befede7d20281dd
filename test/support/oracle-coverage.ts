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
