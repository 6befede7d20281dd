export type Numbers = Int32Array | Float64Array

/** The lowest value of a key, and how many whole numbers there are from it to the highest. */
export type KeyRange = { low: number; size: number }

export const rangeOf = (column: ArrayLike<number>, length = column.length): KeyRange => {
  if (length === 0) return { low: 0, size: 1 }
  let [low, high] = [column[0]!, column[0]!]
  for (let i = 1; i < length; i += 1) {
    const value = column[i]!
    if (value < low) low = value
    else if (value > high) high = value
  }
  return { low, size: high - low + 1 }
}

/** The range of the values of several parts of a column. */
export const rangeOfParts = (parts: readonly KeyRange[]): KeyRange => {
  if (parts.length === 0) return { low: 0, size: 1 }
  const low = Math.min(...parts.map((part) => part.low))
  return { low, size: Math.max(...parts.map((part) => part.low + part.size)) - low }
}

/** With at most this many combinations of keys, or four for a row, the combination is the number of its group. */
const MAX_DENSE = 256
const MAX_PER_ROW = 4

type Codes = Float64Array | Int32Array

// A loop for each type of column, since one over several takes several times as long.
const addWhole = (codes: Codes, key: Int32Array, { low, size }: KeyRange, length: number): void => {
  for (let i = 0; i < length; i += 1) codes[i] = codes[i]! * size + (key[i]! - low)
}
const addDouble = (codes: Codes, key: Float64Array, { low, size }: KeyRange, length: number): void => {
  for (let i = 0; i < length; i += 1) codes[i] = codes[i]! * size + (key[i]! - low)
}

/** Writes the combination of the keys of each row. */
const combine = (codes: Codes, keys: readonly Numbers[], ranges: readonly KeyRange[], length: number): void => {
  codes.fill(0, 0, length)
  for (const [i, key] of keys.entries()) {
    if (key instanceof Int32Array) addWhole(codes, key, ranges[i]!, length)
    else addDouble(codes, key, ranges[i]!, length)
  }
}

/** Numbers the groups of rows by their keys. */
export type Numbering = {
  /** Writes the group of each row. */
  number(keys: readonly Numbers[], length: number, group: Int32Array): void
  /** How many groups are numbered so far, those without rows among them. */
  count(): number
  /** The keys of some groups, in the order of the ranges. */
  keys(groups: readonly number[]): Float64Array[]
}

/** The keys of combinations. */
const keysOf = (codes: readonly number[], ranges: readonly KeyRange[]): Float64Array[] => {
  const columns = ranges.map(() => new Float64Array(codes.length))
  const rest = Float64Array.from(codes)
  for (let key = ranges.length - 1; key >= 0; key -= 1) {
    const { low, size } = ranges[key]!
    const column = columns[key]!
    for (let i = 0; i < rest.length; i += 1) {
      const others = key === 0 ? 0 : Math.floor(rest[i]! / size)
      column[i] = low + (rest[i]! - others * size)
      rest[i] = others
    }
  }
  return columns
}

/** Numbers groups by combination if there are few, else in order of appearance. There are `rows`, `block` at a time at most. */
export const createNumbering = (ranges: readonly KeyRange[], rows: number, block: number): Numbering => {
  const combinations = ranges.reduce((product, { size }) => product * size, 1)
  if (!Number.isSafeInteger(combinations)) throw new RangeError('the keys have more than 2^53 combinations')
  if (combinations <= MAX_DENSE + MAX_PER_ROW * rows)
    return {
      number(keys, length, group) {
        combine(group, keys, ranges, length)
      },
      count: () => combinations,
      keys: (groups) => keysOf(groups, ranges),
    }
  const numbers = new Map<number, number>()
  const combined: number[] = []
  const codes = new Float64Array(block)
  return {
    number(keys, length, group) {
      combine(codes, keys, ranges, length)
      for (let i = 0; i < length; i += 1) {
        const code = codes[i]!
        let number = numbers.get(code)
        if (number === undefined) {
          number = combined.push(code) - 1
          numbers.set(code, number)
        }
        group[i] = number
      }
    },
    count: () => combined.length,
    keys: (groups) =>
      keysOf(
        groups.map((group) => combined[group]!),
        ranges,
      ),
  }
}
