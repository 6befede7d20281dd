import type { DuckDBDataChunk, DuckDBResult, DuckDBVector } from '@duckdb/node-api'
import { giveWay } from '../contract/turn.ts'
import { DuckDBTypeId } from '../lake/duckdb.ts'

/** Columns by name, in row order: a typed array for numbers, which must not be null, and a plain array otherwise. */
export type Columns = Record<string, unknown>

type NumberArray = { set(values: NumberArray, from: number): void }
type ArrayOf = new (length: number) => unknown
const arrays: ReadonlyMap<DuckDBTypeId, ArrayOf> = new Map<DuckDBTypeId, ArrayOf>([
  [DuckDBTypeId.UTINYINT, Uint8Array],
  [DuckDBTypeId.SMALLINT, Int16Array],
  [DuckDBTypeId.USMALLINT, Uint16Array],
  [DuckDBTypeId.INTEGER, Int32Array],
  [DuckDBTypeId.UINTEGER, Uint32Array],
  [DuckDBTypeId.UBIGINT, BigUint64Array],
  [DuckDBTypeId.DOUBLE, Float64Array],
])

/** Texts that are read before others get their turn: they may be long. */
export const TEXTS_AT_ONCE = 64

/** Copies a vector into values, as a whole if both are typed arrays of the same type. */
export const fill = async (values: unknown[], from: number, vector: DuckDBVector): Promise<void> => {
  const { items } = vector as { items?: unknown }
  if (ArrayBuffer.isView(items) && items.constructor === values.constructor) {
    ;(values as unknown as NumberArray).set(items as unknown as NumberArray, from)
    return
  }
  for (let i = 0, length = vector.itemCount; i < length; i += 1) {
    values[from + i] = vector.getItem(i)
    if (i % TEXTS_AT_ONCE === 0) await giveWay()
  }
}

/** Columns of a result for `rows` rows, to be filled. */
export const columnsFor = (result: DuckDBResult, rows: number) =>
  Array.from({ length: result.columnCount }, (_, index) => {
    const make = arrays.get(result.columnTypeId(index)) ?? Array
    return { name: result.columnName(index), values: new make(rows) as unknown[] }
  })

export const byName = (columns: ReturnType<typeof columnsFor>): Columns =>
  Object.fromEntries(columns.map(({ name, values }) => [name, values]))

/** The columns of a chunk of a result. */
export const chunkColumns = async (result: DuckDBResult, chunk: DuckDBDataChunk): Promise<Columns> => {
  const columns = columnsFor(result, chunk.rowCount)
  for (const [index, { values }] of columns.entries()) await fill(values, 0, chunk.getColumnVector(index))
  return byName(columns)
}
