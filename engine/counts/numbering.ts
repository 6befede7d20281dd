export type Numbers = Int32Array | Float64Array

/** The lowest value of a key, and how many whole numbers there are from it to the highest. */
export type Range = { low: number; size: number }

export const rangeOf = (column: ArrayLike<number>, length = column.length): Range => {
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
export const rangeOfParts = (parts: readonly Range[]): Range => {
  if (parts.length === 0) return { low: 0, size: 1 }
  const low = Math.min(...parts.map((part) => part.low))
  return { low, size: Math.max(...parts.map((part) => part.low + part.size)) - low }
}

/** With at most this many combinations of keys for a row, groups are found by position rather than by hash. */
const MAX_PER_ROW = 16
/** The same for few rows. */
const MAX_FOR_FEW = 4096

const addKey = (codes: Float64Array, key: Numbers, { low, size }: Range, length: number): void => {
  for (let i = 0; i < length; i += 1) codes[i] = codes[i]! * size + (key[i]! - low)
}

/** Numbers the groups of rows by their keys, in order of appearance. `rows` are expected, `block` at a time at most. */
export const createNumbering = (ranges: readonly Range[], rows: number, block: number) => {
  const combinations = ranges.reduce((product, { size }) => product * size, 1)
  if (!Number.isSafeInteger(combinations)) throw new RangeError('the keys have more than 2^53 combinations')
  // Numbers of groups plus one: 0 is a combination that has not occurred.
  const byPosition = combinations <= MAX_PER_ROW * rows + MAX_FOR_FEW ? new Int32Array(combinations) : null
  const byHash = new Map<number, number>()
  /** The combination of each group. */
  const groups: number[] = []
  const codes = new Float64Array(block)

  /** Writes the group of each row. */
  const number = (keys: readonly Numbers[], length: number, group: Int32Array): void => {
    codes.fill(0, 0, length)
    for (const [i, key] of keys.entries()) addKey(codes, key, ranges[i]!, length)
    for (let i = 0; i < length; i += 1) {
      const code = codes[i]!
      let numbered = byPosition ? byPosition[code]! : (byHash.get(code) ?? 0)
      if (numbered === 0) {
        numbered = groups.push(code)
        if (byPosition) byPosition[code] = numbered
        else byHash.set(code, numbered)
      }
      group[i] = numbered - 1
    }
  }

  /** The keys of all groups, in the order of `ranges`. */
  const keys = (): Float64Array[] => {
    let rest: readonly number[] = groups
    return ranges
      .toReversed()
      .map(({ low, size }) => {
        const column = Float64Array.from(rest, (code) => low + (code % size))
        rest = rest.map((code) => Math.floor(code / size))
        return column
      })
      .reverse()
  }

  return { number, keys, count: () => groups.length }
}
