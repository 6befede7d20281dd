type Sorted<T> = { readonly length: number; readonly [position: number]: T }

/** The first position in [low, high) of a sorted list whose value is at least `value`; `high` without one. */
export const lowerBound = <T>(list: Sorted<T>, value: T, low = 0, high = list.length): number => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (list[middle]! < value) from = middle + 1
    else to = middle
  }
  return from
}
