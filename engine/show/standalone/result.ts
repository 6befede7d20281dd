import type { DuckDBResult, DuckDBValue } from '@duckdb/node-api'
import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  DuckDBUnionValue,
} from '../../lake/duckdb.ts'
import type { Kind } from '../answer-fields.ts'

/** The rows of a statement, in DuckDB's memory. */
export type SqlResult = DuckDBResult

/** A column of a result, with its kind as in the schemas of answers. */
export type ResultColumn = { name: string; kind: Kind }

const TYPES: Readonly<Record<Exclude<Kind, 'text'>, readonly DuckDBTypeId[]>> = {
  integer: [
    DuckDBTypeId.TINYINT,
    DuckDBTypeId.SMALLINT,
    DuckDBTypeId.INTEGER,
    DuckDBTypeId.BIGINT,
    DuckDBTypeId.UTINYINT,
    DuckDBTypeId.USMALLINT,
    DuckDBTypeId.UINTEGER,
  ],
  // Sums of integers are HUGEINT, which other formats do not support.
  number: [DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL, DuckDBTypeId.HUGEINT, DuckDBTypeId.UHUGEINT],
  boolean: [DuckDBTypeId.BOOLEAN],
  date: [DuckDBTypeId.DATE],
  time: [
    DuckDBTypeId.TIMESTAMP,
    DuckDBTypeId.TIMESTAMP_S,
    DuckDBTypeId.TIMESTAMP_MS,
    DuckDBTypeId.TIMESTAMP_NS,
    DuckDBTypeId.TIMESTAMP_TZ,
  ],
  json: [DuckDBTypeId.LIST, DuckDBTypeId.ARRAY, DuckDBTypeId.STRUCT, DuckDBTypeId.MAP],
}
const kinds = new Map(Object.entries(TYPES).flatMap(([kind, types]) => types.map((type) => [type, kind as Kind])))

/** The columns of a result; duplicate names get a number. */
export const columnsOf = (result: SqlResult): ResultColumn[] =>
  result
    .deduplicatedColumnNames()
    .map((name, index) => ({ name, kind: kinds.get(result.columnTypeId(index)) ?? 'text' }))

const isTime = (value: object): boolean => /^DuckDBTimestamp/.test(value.constructor.name)

/** Times are UTC, as in answers. */
const timeText = (text: string): string => (/^\d{4}-/.test(text) ? `${text.replace(' ', 'T')}Z` : text)

/**
 * A value as JSON: times in RFC 3339, integers that a double cannot represent as text, and types without a JSON equivalent
 * as DuckDB formats them.
 */
export const plainValue = (value: DuckDBValue): unknown => {
  if (value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof DuckDBDecimalValue) return value.toDouble()
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(plainValue)
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, inner]) => [name, plainValue(inner)]))
  if (value instanceof DuckDBMapValue)
    return Object.fromEntries(
      value.entries.map(({ key, value: inner }) => [String(plainValue(key)), plainValue(inner)]),
    )
  if (value instanceof DuckDBUnionValue) return plainValue(value.value)
  if (value instanceof DuckDBTimestampTZValue) return timeText(String(new DuckDBTimestampValue(value.micros)))
  return isTime(value) ? timeText(String(value)) : String(value)
}

/** A value of a column, converted to the column's kind. */
const cellOf = (value: DuckDBValue, kind: Kind): unknown => {
  if (value === null) return null
  if (kind === 'number' && typeof value === 'bigint') return Number(value)
  return kind === 'text' ? String(plainValue(value)) : plainValue(value)
}

/** The rows of a result, a chunk at a time. Throws the reason of `signal` if it aborts. */
export const rowsOf = async function* (result: SqlResult, signal?: AbortSignal): AsyncGenerator<unknown[][]> {
  const kindsOfColumns = columnsOf(result).map(({ kind }) => kind)
  for await (const chunk of result) {
    signal?.throwIfAborted()
    yield chunk.getRows().map((row) => row.map((value, column) => cellOf(value, kindsOfColumns[column]!)))
  }
}
