/** Sorted lists of listing numbers, each number once. */
export type Postings = Int32Array<ArrayBuffer>

type Sorted<T> = { readonly length: number; readonly [at: number]: T }

/** The first position within [low, high) of a sorted list whose value is at least `value`, else `high`. */
export const firstFrom = <T>(list: Sorted<T>, value: T, low = 0, high = list.length): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (list[middle]! < value) from = middle + 1
    else to = middle
  }
  return from
}

/** As `firstFrom`, fast where that is near: steps double. */
const seek = (list: Postings, value: number, low: number): number => {
  let from = low
  let step = 1
  while (from + step < list.length && list[from + step]! < value) {
    from += step
    step *= 2
  }
  return firstFrom(list, value, from, Math.min(from + step, list.length))
}

/** Whether a list holds a value. */
export const holds = (list: Postings, value: number): boolean => list[firstFrom(list, value)] === value

/** The numbers that both lists hold. */
export const intersection = (shorter: Postings, longer: Postings): Postings => {
  const both = new Int32Array(Math.min(shorter.length, longer.length))
  let count = 0
  let at = 0
  for (const value of shorter) {
    at = seek(longer, value, at)
    if (at === longer.length) break
    if (longer[at] === value) {
      both[count] = value
      count += 1
    }
  }
  return both.subarray(0, count)
}

/** The numbers that any list holds; `size` is above every number. */
export const union = (lists: readonly Postings[], size: number): Postings => {
  if (lists.length === 1) return lists[0]!
  const isHeld = new Uint8Array(size)
  let count = 0
  for (const list of lists)
    for (const value of list) {
      count += 1 - isHeld[value]!
      isHeld[value] = 1
    }
  const held = new Int32Array(count)
  let at = 0
  for (let value = isHeld.indexOf(1); at < count; value = isHeld.indexOf(1, value + 1)) {
    held[at] = value
    at += 1
  }
  return held
}
