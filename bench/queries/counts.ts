/** Distinct values in ascending order, with how many there are up to each. */
export class Counts {
  readonly values: Float64Array
  readonly upTo: Float64Array
  readonly n: number

  /** `counts` is of each value, in the same order. */
  constructor(values: Float64Array, counts: Float64Array) {
    this.values = values
    this.upTo = counts
    for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!
    this.n = counts.at(-1) ?? 0
  }

  /** The value at a place, from 0. */
  at(place: number): number {
    let low = 0
    let high = this.upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.upTo[middle]! > place) high = middle
      else low = middle + 1
    }
    return this.values[low]!
  }

  /** The quantile that interpolates linearly (type 7), of the values or of a function of them. */
  quantile(share: number, of: (value: number) => number = (value) => value): number {
    const place = (this.n - 1) * share
    const below = Math.floor(place)
    const low = of(this.at(below))
    return low + (place - below) * (of(this.at(Math.ceil(place))) - low)
  }

  countOf(i: number): number {
    return this.upTo[i]! - (this.upTo[i - 1] ?? 0)
  }

  /** The sum of a function of the values. */
  sum(of: (value: number) => number = (value) => value): number {
    let sum = 0
    for (let i = 0; i < this.values.length; i++) sum += of(this.values[i]!) * this.countOf(i)
    return sum
  }

  /** The counts of values from one to another, both included. */
  between(low: number, high: number): Counts {
    const first = this.values.findIndex((value) => value >= low)
    const last = this.values.findLastIndex((value) => value <= high)
    if (first < 0 || last < first) return new Counts(new Float64Array(), new Float64Array())
    const values = this.values.slice(first, last + 1)
    return new Counts(
      values,
      values.map((_, i) => this.countOf(first + i)),
    )
  }
}

/** Adds counts of equal values up. */
export const countsOf = (values: ArrayLike<number>, counts: ArrayLike<number>): Counts => {
  const sums = new Map<number, number>()
  for (let i = 0; i < values.length; i++) sums.set(values[i]!, (sums.get(values[i]!) ?? 0) + counts[i]!)
  const distinct = Float64Array.from(sums.keys()).sort()
  return new Counts(
    distinct,
    distinct.map((value) => sums.get(value)!),
  )
}
