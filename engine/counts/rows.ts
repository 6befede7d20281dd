import type { Columns } from '../duckdb/pool.ts'
import { addUp, type CountRows } from './add-up.ts'
import type { AnyCount, Counted, NamedCounts } from './count.ts'
import type { Numbers } from './numbering.ts'
import { slotsOf } from './slots.ts'

/** The positions of the rows of a part. */
const positionsOf = (part: ArrayLike<number>, wanted: number): Int32Array => {
  const positions = new Int32Array(part.length)
  let length = 0
  for (let i = 0; i < part.length; i += 1) if (part[i] === wanted) positions[length++] = i
  return positions.subarray(0, length)
}

const valuesAt = (column: Numbers, positions: Int32Array): Numbers => {
  if (positions.length === column.length) return column
  const values = new (column.constructor as Float64ArrayConstructor)(positions.length)
  for (let i = 0; i < positions.length; i += 1) values[i] = column[positions[i]!]!
  return values
}

/** The rows of one count among those of its statement. */
const rowsOf = (count: AnyCount, part: number, columns: Record<string, Numbers>): CountRows => {
  const positions = positionsOf(columns.part!, part)
  const slots = slotsOf(count)
  const ofKind = (kind: keyof typeof slots) => slots[kind].map((_, i) => valuesAt(columns[`${kind}_${i}`]!, positions))
  return {
    length: positions.length,
    keys: ofKind('keys'),
    value: count.value === undefined ? null : valuesAt(columns.value!, positions),
    n: valuesAt(columns.n!, positions),
    sums: ofKind('sums'),
    min: ofKind('min'),
    max: ofKind('max'),
    median: ofKind('median'),
  }
}

/** What the statement of some counts counted. */
export const countedFrom = (counts: NamedCounts, columns: Columns): Record<string, Counted> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count], part) => [
      name,
      addUp(count, [rowsOf(count, part, columns as Record<string, Numbers>)]),
    ]),
  )
