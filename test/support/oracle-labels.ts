import { groupBy, type ListingDay, listingKey } from './oracle.ts'
import type { Listing } from './rows.ts'

/** The listings of some observations, each once. */
export const listingsOf = (days: readonly ListingDay[]): Listing[] => [
  ...new Map(days.map(({ listing }) => [listingKey(listing), listing])).values(),
]

/** A spelling as a person would write it: without signs, and out of its store. */
const written = (spelling: string): string => spelling.replace('®', '').replace(/^Visit the (.+) Store$/, '$1')

/** A brand's label: its most frequent spelling over all listings; of equals the first in the alphabet. */
export const labelsOf = (days: readonly ListingDay[]): ReadonlyMap<string, string> => {
  const branded = listingsOf(days).filter(({ brand, spelling }) => brand !== null && spelling !== undefined)
  const labelOf = (own: readonly Listing[]): string => {
    const spellings = [...groupBy(own, ({ spelling }) => written(spelling!))]
    const [[label = ''] = []] = spellings.sort(
      ([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1),
    )
    return label
  }
  return new Map([...groupBy(branded, ({ brand }) => brand!)].map(([brand, own]) => [brand, labelOf(own)]))
}
