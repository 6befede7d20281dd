/** Below this value an array of counts is cheaper than sorting. */
const DENSE = 65_536
/** More than the distinct values of a counted sample; times a value it is exact in a double. */
const POSITIONS = 2 ** 22
/** Smaller samples are sorted: scanning the array of counts would cost more. */
const FEW = 2_048

/**
 * How often each value of a sample occurs: an exact and compact form of prices, from SQL or from memory. The counts of parts
 * of a sample add up to its counts. Every quantile and sum of the sample follows from them.
 */
export class ValueCounts {
  /** Distinct values, ascending. */
  readonly values: Float64Array
  /** Cumulative counts, parallel to `values`. */
  readonly #upTo: Float64Array
  /** The size of the sample. */
  readonly n: number

  private constructor(values: Float64Array, counts: Float64Array) {
    this.values = values
    this.#upTo = counts
    for (let i = 1; i < counts.length; i += 1) counts[i]! += counts[i - 1]!
    this.n = counts.at(-1) ?? 0
  }

  /** Counts a sample of non-negative integers. */
  static ofSample(sample: Int32Array): ValueCounts {
    if (sample.length < FEW) return ValueCounts.#ofSorted(sample.slice().sort())
    const dense = new Uint32Array(DENSE)
    const rest = new Int32Array(sample.length)
    let length = 0
    for (let i = 0; i < sample.length; i += 1) {
      const value = sample[i]!
      if (value < DENSE) dense[value]! += 1
      else {
        rest[length] = value
        length += 1
      }
    }
    const large = ValueCounts.#ofSorted(rest.subarray(0, length).sort())
    let small = 0
    for (let value = 0; value < DENSE; value += 1) if (dense[value]! > 0) small += 1
    const values = new Float64Array(small + large.values.length)
    const counts = new Float64Array(values.length)
    let distinct = 0
    for (let value = 0; value < DENSE; value += 1)
      if (dense[value]! > 0) {
        values[distinct] = value
        counts[distinct] = dense[value]!
        distinct += 1
      }
    values.set(large.values, small)
    for (let i = 0; i < large.values.length; i += 1) counts[small + i] = large.countAt(i)
    return new ValueCounts(values, counts)
  }

  static #ofSorted(sorted: Int32Array): ValueCounts {
    const values = new Float64Array(sorted.length)
    const counts = new Float64Array(sorted.length)
    let distinct = 0
    for (let i = 0; i < sorted.length; i += 1) {
      if (i === 0 || sorted[i] !== sorted[i - 1]) {
        values[distinct] = sorted[i]!
        distinct += 1
      }
      counts[distinct - 1]! += 1
    }
    return new ValueCounts(values.slice(0, distinct), counts.slice(0, distinct))
  }

  /** Sums counts of whole numbers from 0 to 2^31, which are in any order and may repeat. */
  static of(sample: ArrayLike<number>, counted: ArrayLike<number>): ValueCounts {
    if (sample.length >= POSITIONS) throw new RangeError(`more than ${POSITIONS} values are counted`)
    // Sorted as one number each, value and position: typed arrays sort numbers natively.
    const order = new Float64Array(sample.length)
    for (let i = 0; i < sample.length; i += 1) order[i] = sample[i]! * POSITIONS + i
    order.sort()
    const values = new Float64Array(order.length)
    const counts = new Float64Array(order.length)
    let distinct = 0
    for (let i = 0; i < order.length; i += 1) {
      const value = Math.floor(order[i]! / POSITIONS)
      const n = counted[order[i]! - value * POSITIONS]!
      if (n === 0) continue
      if (distinct === 0 || values[distinct - 1] !== value) values[distinct++] = value
      counts[distinct - 1]! += n
    }
    return new ValueCounts(values.slice(0, distinct), counts.slice(0, distinct))
  }

  /** The count of the distinct value at a position. */
  countAt(i: number): number {
    return this.#upTo[i]! - (this.#upTo[i - 1] ?? 0)
  }

  /** The value at a position of the sorted sample, from 0. */
  at(position: number): number {
    let low = 0
    let high = this.#upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#upTo[middle]! > position) high = middle
      else low = middle + 1
    }
    return this.values[low]!
  }

  /** The number of distinct values below a value. */
  #below(value: number): number {
    let low = 0
    let high = this.values.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.values[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }

  /** How many of the sample are below a value. */
  countBelow(value: number): number {
    return this.#upTo[this.#below(value) - 1] ?? 0
  }

  /**
   * The quantile that interpolates linearly between neighbours (type 7 of Hyndman and Fan 1996, the default of numpy, R and
   * Excel), of the sample or of an increasing function of it. The sample must not be empty.
   */
  quantile(share: number, of: (value: number) => number = (value) => value): number {
    const position = (this.n - 1) * share
    const below = Math.floor(position)
    const low = of(this.at(below))
    return low + (of(this.at(Math.ceil(position))) - low) * (position - below)
  }

  /** The sum of the sample; exact below 2^53. */
  get sum(): number {
    let sum = 0
    for (let i = 0; i < this.values.length; i += 1) sum += this.values[i]! * this.countAt(i)
    return sum
  }

  /** The sum of the squares of a sample of integers, exact for any size. */
  get squareSum(): bigint {
    let sum = 0n
    for (const [i, value] of this.values.entries()) sum += BigInt(value) * BigInt(value) * BigInt(this.countAt(i))
    return sum
  }

  /** The counts of the values in [low, high]. */
  between(low: number, high: number): ValueCounts {
    const first = this.#below(low)
    const values = this.values.slice(first, Math.max(first, this.#below(high + 1)))
    return new ValueCounts(
      values,
      values.map((_, i) => this.countAt(first + i)),
    )
  }
}
