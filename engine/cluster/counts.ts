import { tableFromIPC } from 'apache-arrow'

/**
 * Counts of a statement as columns. Rows of different shards with equal keys are one row: `n` and each number of `sums` add
 * up, `observed_from` is the earliest, `observed_to` the latest and `max_depth` the largest. All other columns are keys; rows
 * are sorted by them, in their order. All are whole numbers, times in seconds since 1970.
 */
export type ShardCounts = {
  length: number
  keys: ReadonlyMap<string, Float64Array>
  values: ReadonlyMap<string, Float64Array>
  /** Further sums of a row; null for a row without any. */
  sums: readonly (Float64Array | null)[]
}

const COMBINE: Readonly<Record<string, (a: number, b: number) => number>> = {
  n: (a, b) => a + b,
  observed_from: Math.min,
  observed_to: Math.max,
  max_depth: Math.max,
}

/** A whole number as a double. Throws for one that a double cannot represent. */
const numberOf = (value: number | bigint): number => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`the count ${value} exceeds 2^53`)
  return number
}

type WholeNumbers = ArrayLike<number | bigint>

/** Reads counts from an Arrow stream: columns of whole numbers and, optionally, `sums`, a list of them. */
export const countsOf = (stream: Uint8Array): ShardCounts => {
  const table = tableFromIPC(stream)
  const keys = new Map<string, Float64Array>()
  const values = new Map<string, Float64Array>()
  for (const { name } of table.schema.fields) {
    if (name === 'sums') continue
    const column = new Float64Array(table.numRows)
    let read = 0
    for (const data of table.getChild(name)!.data) {
      const chunk = data.values as WholeNumbers
      for (let i = 0; i < data.length; i += 1) column[read + i] = numberOf(chunk[i]!)
      read += data.length
    }
    ;(COMBINE[name] ? values : keys).set(name, column)
  }
  const sums = table.getChild('sums')?.data.flatMap(listsOf)
  return { length: table.numRows, keys, values, sums: sums ?? Array(table.numRows).fill(null) }
}

type ListData = { length: number; valueOffsets: Int32Array; children: readonly { values: WholeNumbers }[] }

const listsOf = (data: unknown): (Float64Array | null)[] => {
  const { length, valueOffsets: offsets, children } = data as ListData
  if (length === 0) return []
  const values = children[0]!.values
  return Array.from({ length }, (_, row) => {
    const first = offsets[row]!
    const size = offsets[row + 1]! - first
    return size === 0 ? null : Float64Array.from({ length: size }, (_, i) => numberOf(values[first + i]!))
  })
}

const compareKeys = (a: readonly Float64Array[], i: number, b: readonly Float64Array[], j: number): number => {
  for (let key = 0; key < a.length; key += 1) {
    const difference = a[key]![i]! - b[key]![j]!
    if (difference !== 0) return difference
  }
  return 0
}

const addLists = (a: Float64Array | null, b: Float64Array | null): Float64Array | null =>
  a && b ? a.map((value, i) => numberOf(value + b[i]!)) : (a ?? b)

/** For each row of two sorted tables together, its row in each of them; -1 where one does not have it. */
const align = (a: ShardCounts, b: ShardCounts): [left: Int32Array, right: Int32Array] => {
  const [left, right] = [new Int32Array(a.length + b.length).fill(-1), new Int32Array(a.length + b.length).fill(-1)]
  const [keysOfA, keysOfB] = [[...a.keys.values()], [...b.keys.values()]]
  let [i, j, length] = [0, 0, 0]
  while (i < a.length || j < b.length) {
    const order = i === a.length ? 1 : j === b.length ? -1 : compareKeys(keysOfA, i, keysOfB, j)
    if (order <= 0) left[length] = i++
    if (order >= 0) right[length] = j++
    length += 1
  }
  return [left.subarray(0, length), right.subarray(0, length)]
}

/** Merges two sorted tables of counts with the same columns, column by column. */
const merge = (a: ShardCounts, b: ShardCounts): ShardCounts => {
  const [left, right] = align(a, b)
  const { length } = left
  const mergeColumn = (of: Float64Array, other: Float64Array, combine = (value: number, _: number) => value) => {
    const merged = new Float64Array(length)
    for (let row = 0; row < length; row += 1) {
      const [i, j] = [left[row]!, right[row]!]
      merged[row] = i < 0 ? other[j]! : j < 0 ? of[i]! : combine(of[i]!, other[j]!)
    }
    return merged
  }
  return {
    length,
    keys: new Map([...a.keys].map(([name, column]) => [name, mergeColumn(column, b.keys.get(name)!)])),
    values: new Map(
      [...a.values].map(([name, column]) => [name, mergeColumn(column, b.values.get(name)!, COMBINE[name])]),
    ),
    sums: Array.from({ length }, (_, row) => {
      const [i, j] = [left[row]!, right[row]!]
      return addLists(i < 0 ? null : a.sums[i]!, j < 0 ? null : b.sums[j]!)
    }),
  }
}

/** Merges halves of the tables, so that a row is copied once for each doubling of their number. */
const mergeAll = (shards: readonly ShardCounts[]): ShardCounts => {
  if (shards.length === 1) return shards[0]!
  const half = shards.length >> 1
  return merge(mergeAll(shards.slice(0, half)), mergeAll(shards.slice(half)))
}

/** Adds up the counts of all shards. Throws if one is not sorted by its keys, without repetition. */
export const gather = (shards: readonly ShardCounts[]): ShardCounts => {
  for (const { keys, length } of shards) {
    const columns = [...keys.values()]
    for (let row = 1; row < length; row += 1)
      if (compareKeys(columns, row - 1, columns, row) >= 0)
        throw new Error(`counts are not sorted by ${[...keys.keys()].join(', ')}`)
  }
  return mergeAll(shards)
}
