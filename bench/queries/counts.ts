/** Values in ascending order with how often each occurs. */
export class Counts {
  readonly values: number[]
  /** How many there are up to each value. */
  readonly upTo: number[] = []
  readonly n: number

  constructor(counts: ReadonlyMap<number, number>) {
    this.values = [...counts.keys()].sort((a, b) => a - b)
    let n = 0
    for (const value of this.values) {
      n += counts.get(value)!
      this.upTo.push(n)
    }
    this.n = n
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
    return this.values.reduce((sum, value, i) => sum + of(value) * this.countOf(i), 0)
  }

  filter(isKept: (value: number) => boolean): Counts {
    return new Counts(new Map(this.values.flatMap((value, i) => (isKept(value) ? [[value, this.countOf(i)]] : []))))
  }
}

/** Adds counts of equal values up. */
export const countsOf = (values: readonly number[], counts: readonly number[]): Counts => {
  const sums = new Map<number, number>()
  for (const [i, value] of values.entries()) sums.set(value, (sums.get(value) ?? 0) + counts[i]!)
  return new Counts(sums)
}
