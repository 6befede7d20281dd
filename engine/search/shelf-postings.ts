import { lowerBound } from './lower-bound.ts'
import { type ListingNumbers, NO_POSTINGS, type Postings, postingsOf } from './postings.ts'
import type { SearchIndex } from './search-index.ts'

/** A shelf with those below it: an interval of categories. */
export type ShelfRange = { first: number; last: number }

/** Shelves with more listings are scanned in the order of listings instead of being sorted. */
const MAX_SORTED = 20_000
const AT_ONCE = 4096

/** Whether a category is on one of the shelves. */
export const isOn = (shelves: readonly ShelfRange[], category: number): boolean =>
  shelves.some(({ first, last }) => category >= first && category <= last)

type Shelved = Pick<SearchIndex, 'table' | 'places'>

const categoryOf = ({ table: { columns }, places }: Shelved, listing: number): number =>
  columns.category_id[places.row[listing]!]!

/** Whether a listing is on one of the shelves. */
export const isListedOn = (index: Shelved, shelves: readonly ShelfRange[], listing: number): boolean =>
  isOn(shelves, categoryOf(index, listing))

/** The shelves without those that are below others. */
const outermost = (shelves: readonly ShelfRange[]): ShelfRange[] => {
  const kept: ShelfRange[] = []
  for (const shelf of shelves.toSorted((a, b) => a.first - b.first || b.last - a.last))
    if (kept.length === 0 || shelf.first > kept.at(-1)!.last) kept.push(shelf)
  return kept
}

/** How many listings are on a shelf. */
export const countOn = ({ table: { columns } }: Shelved, { first, last }: ShelfRange): number =>
  lowerBound(columns.category_id, last + 1) - lowerBound(columns.category_id, first)

/** The listings on some shelves. */
export const postingsOn = (index: Shelved, shelves: readonly ShelfRange[]): Postings => {
  const { category_id } = index.table.columns
  const { row, number } = index.places
  const ranges = outermost(shelves)
  const rows = ranges.map(({ first, last }) => ({
    begin: lowerBound(category_id, first),
    end: lowerBound(category_id, last + 1),
  }))
  const length = rows.reduce((sum, { begin, end }) => sum + end - begin, 0)
  if (length === 0) return NO_POSTINGS
  if (length <= MAX_SORTED) {
    const numbers = new Int32Array(length)
    let filled = 0
    for (const { begin, end } of rows) {
      numbers.set(number.subarray(begin, end), filled)
      filled += end - begin
    }
    return postingsOf(numbers.sort())
  }
  return {
    length,
    has: (listing) => isListedOn(index, shelves, listing),
    from(least) {
      const numbers: ListingNumbers = new Int32Array(AT_ONCE)
      let count = 0
      for (let listing = least; listing < row.length && count === 0; )
        for (const end = Math.min(row.length, listing + AT_ONCE); listing < end; listing += 1)
          if (isOn(ranges, category_id[row[listing]!]!)) {
            numbers[count] = listing
            count += 1
          }
      return numbers.subarray(0, count)
    },
  }
}
