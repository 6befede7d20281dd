import { lowerBound } from './lower-bound.ts'

/** Ascending listing numbers, each once. */
export type ListingNumbers = Int32Array<ArrayBuffer>

/** Ascending listing numbers, each once, which are read piece by piece: a list may be too long to have in memory. */
export type Postings = {
  /** How many numbers there are; of a union, at most. */
  readonly length: number
  /** The next numbers that are at least `least`, as many as are at hand; empty only if there are none. */
  from(least: number): ListingNumbers
  /** Whether it has a number; in any order. */
  has(number: number): boolean
}

/** Decides whether a listing is wanted. */
export type Accepts = ((listing: number) => boolean) | null

const EMPTY: ListingNumbers = new Int32Array()
const AT_ONCE = 8192

/** The postings of numbers in memory. */
export const postingsOf = (numbers: ListingNumbers): Postings => ({
  length: numbers.length,
  from(least) {
    const start = lowerBound(numbers, least)
    return numbers.subarray(start, start + AT_ONCE)
  },
  has: (number) => includes(numbers, number),
})

export const NO_POSTINGS: Postings = { length: 0, from: () => EMPTY, has: () => false }

/** As `lowerBound` by galloping search: fast where the position is near `low`. */
const gallop = (list: ListingNumbers, value: number, low: number): number => {
  let from = low
  let step = 1
  while (from + step < list.length && list[from + step]! < value) {
    from += step
    step *= 2
  }
  return lowerBound(list, value, from, Math.min(from + step, list.length))
}

/** Whether a list includes a value. */
export const includes = (list: ListingNumbers, value: number): boolean => list[lowerBound(list, value)] === value

/** Passes on the positions of the numbers that a list has, too; returns whether it has a number as great as the first of them. */
const eachShared = (numbers: ListingNumbers, list: Postings, take: (position: number) => void): boolean => {
  let piece = list.from(numbers[0]!)
  if (piece.length === 0) return false
  let position = 0
  for (let index = 0; index < numbers.length; index += 1) {
    const value = numbers[index]!
    position = gallop(piece, value, position)
    if (position === piece.length) {
      piece = list.from(value)
      if (piece.length === 0) break
      position = 0
    }
    if (piece[position] === value) take(index)
  }
  return true
}

/** The numbers that a list has, too; null if it has no number as great as the first of them. */
const shared = (numbers: ListingNumbers, list: Postings): ListingNumbers | null => {
  const both = new Int32Array(numbers.length)
  let count = 0
  const isInReach = eachShared(numbers, list, (index) => {
    both[count] = numbers[index]!
    count += 1
  })
  return isInReach ? both.subarray(0, count) : null
}

/** For each of some numbers 1 if a list has it, else 0: all in one pass. */
export const marksOf = (numbers: ListingNumbers, list: Postings): Uint8Array => {
  const marks = new Uint8Array(numbers.length)
  eachShared(numbers, list, (index) => {
    marks[index] = 1
  })
  return marks
}

/** The numbers that are in all lists, null if one of them has no number as great as the first. */
const sharedByAll = (numbers: ListingNumbers, lists: readonly Postings[]): ListingNumbers | null => {
  let common: ListingNumbers | null = numbers
  for (const list of lists) {
    if (common === null || common.length === 0) return common
    common = shared(common, list)
  }
  return common
}

/** The numbers that are in all of the lists and accepted: the first `limit` of them. None without a list. */
export const intersection = (lists: readonly Postings[], accepts: Accepts, limit: number): ListingNumbers => {
  const [rarest = NO_POSTINGS, ...others] = lists.toSorted((a, b) => a.length - b.length)
  const accepted = new Int32Array(Math.min(limit, rarest.length))
  let count = 0
  for (let piece = rarest.from(0); piece.length > 0 && count < accepted.length; ) {
    const common = sharedByAll(piece, others)
    if (common === null) break
    for (const value of common) {
      if (accepts && !accepts(value)) continue
      accepted[count] = value
      count += 1
      if (count === accepted.length) break
    }
    piece = rarest.from(piece.at(-1)! + 1)
  }
  return accepted.subarray(0, count)
}

/** All numbers of a list that are accepted. */
export const numbersIn = (list: Postings, accepts: Accepts = null): ListingNumbers =>
  intersection([list], accepts, list.length)

/** How many consecutive numbers of a union are looked at together. */
const WINDOW = 65_536
/** Greater than any number. */
const END = 2 ** 31

/** The numbers in any of the lists. To be read in ascending order; memory does not depend on how many listings there are. */
export const union = (lists: readonly Postings[]): Postings => {
  if (lists.length === 1) return lists[0]!
  const isMember = new Uint8Array(WINDOW)
  /** The first number of each list that is at least `position`. */
  const next = new Float64Array(lists.length).fill(-1)
  let position = 0

  const advance = (least: number): number => {
    if (least < position) next.fill(-1)
    position = least
    let first = END
    for (const [index, list] of lists.entries()) {
      if (next[index]! < least) next[index] = list.from(least)[0] ?? END
      first = Math.min(first, next[index]!)
    }
    return first
  }

  /** Marks the numbers of a list from `first` on that are less than `end`; returns how many were not marked before. */
  const mark = (list: Postings, index: number, first: number, end: number): number => {
    let count = 0
    while (next[index]! < end) {
      const piece = list.from(next[index]!)
      const length = lowerBound(piece, end)
      for (let i = 0; i < length; i += 1) {
        const place = piece[i]! - first
        count += 1 - isMember[place]!
        isMember[place] = 1
      }
      next[index] = piece[length] ?? list.from(piece[length - 1]! + 1)[0] ?? END
    }
    return count
  }

  return {
    length: lists.reduce((sum, { length }) => sum + length, 0),
    has: (number) => lists.some((list) => list.has(number)),
    from(least) {
      const first = advance(least)
      if (first === END) return EMPTY
      const end = Math.min(END, first + WINDOW)
      isMember.fill(0)
      let count = 0
      for (const [index, list] of lists.entries()) count += mark(list, index, first, end)
      const members = new Int32Array(count)
      let place = -1
      for (let index = 0; index < count; index += 1) {
        place = isMember.indexOf(1, place + 1)
        members[index] = first + place
      }
      // No list has a number from here to the end of the window.
      position = first + place + 1
      return members
    },
  }
}
