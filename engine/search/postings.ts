import { lowerBound } from '../catalog/lower-bound.ts'

/** Sorted lists of listing numbers, each number once. */
export type Postings = Int32Array<ArrayBuffer>

/** As `lowerBound` by galloping search: fast where the position is near `low`. */
const gallop = (list: Postings, value: number, low: number): number => {
  let from = low
  let step = 1
  while (from + step < list.length && list[from + step]! < value) {
    from += step
    step *= 2
  }
  return lowerBound(list, value, from, Math.min(from + step, list.length))
}

/** Whether a list includes a value. */
export const includes = (list: Postings, value: number): boolean => list[lowerBound(list, value)] === value

/** The numbers in both lists. */
export const intersection = (shorter: Postings, longer: Postings): Postings => {
  const both = new Int32Array(Math.min(shorter.length, longer.length))
  let count = 0
  let at = 0
  for (const value of shorter) {
    at = gallop(longer, value, at)
    if (at === longer.length) break
    if (longer[at] === value) {
      both[count] = value
      count += 1
    }
  }
  return both.subarray(0, count)
}

/** The numbers in any of the lists; all are less than `size`. */
export const union = (lists: readonly Postings[], size: number): Postings => {
  if (lists.length === 1) return lists[0]!
  const isMember = new Uint8Array(size)
  let count = 0
  for (const list of lists)
    for (const value of list) {
      count += 1 - isMember[value]!
      isMember[value] = 1
    }
  const members = new Int32Array(count)
  let at = 0
  for (let value = isMember.indexOf(1); at < count; value = isMember.indexOf(1, value + 1)) {
    members[at] = value
    at += 1
  }
  return members
}
