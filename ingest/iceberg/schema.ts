import { DAY_MS } from '../../engine/index.ts'

/** A column of a table, as DuckDB describes it. */
export type ParquetColumn = { name: string; type: string }

type ListType = { type: 'list'; 'element-id': number; element: string; 'element-required': false }

/** A column of an Iceberg table. Ids are given by place: those of list elements come after those of all columns. */
export type IcebergField = { id: number; name: string; required: false; type: string | ListType }

const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  INTEGER: 'int',
  BIGINT: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  VARCHAR: 'string',
}

const typeOf = (type: string): string | undefined =>
  TYPES[type] ?? /^DECIMAL\(\d+,\d+\)$/.exec(type)?.[0].toLowerCase().replace(',', ', ')

/** The columns of an Iceberg table; null if Iceberg has no type for one of them, such as unsigned integers. */
export const icebergFields = (columns: readonly ParquetColumn[]): IcebergField[] | null => {
  let elements = columns.length
  const fields = columns.map(({ name, type }, index): IcebergField | null => {
    const element = /^(.+)\[\]$/.exec(type)?.[1]
    const base = typeOf(element ?? type)
    if (base === undefined) return null
    if (element === undefined) return { id: index + 1, name, required: false, type: base }
    elements += 1
    const list = { type: 'list', 'element-id': elements, element: base, 'element-required': false } as const
    return { id: index + 1, name, required: false, type: list }
  })
  return fields.every((field) => field !== null) ? fields : null
}

/** The highest id of fields and elements. */
export const lastId = (fields: readonly IcebergField[]): number =>
  Math.max(...fields.map(({ id, type }) => (typeof type === 'string' ? id : type['element-id'])))

/** Which columns of the files the ids mean: the files have names alone. */
export const nameMapping = (fields: readonly IcebergField[]): unknown =>
  fields.map(({ id, name, type }) => ({
    'field-id': id,
    names: [name],
    ...(typeof type === 'string' ? {} : { fields: [{ 'field-id': type['element-id'], names: ['element'] }] }),
  }))

const bytesOf = (size: 4 | 8, value: bigint): Buffer => {
  const bytes = Buffer.alloc(size)
  if (size === 4) bytes.writeInt32LE(Number(value))
  else bytes.writeBigInt64LE(value)
  return bytes
}

/** Statistics of Parquet, as DuckDB writes them: those of texts in the order of their bytes, of numbers and dates by value. */
const inOrder = (type: IcebergField['type'], statistics: readonly string[]): Buffer[] | null => {
  if (type === 'string') return statistics.map((text) => Buffer.from(text)).sort(Buffer.compare)
  if (type !== 'int' && type !== 'long' && type !== 'date') return null
  const values = statistics.map((text) =>
    type === 'date' ? BigInt(Date.parse(`${text}T00:00:00Z`) / DAY_MS) : BigInt(text),
  )
  return values.sort((a, b) => (a < b ? -1 : 1)).map((value) => bytesOf(type === 'long' ? 8 : 4, value))
}

/** Longer texts, which no reader compares with, are not in the metadata. */
const MAX_BYTES = 16

/**
 * The lowest or highest of the statistics of a file's row groups, as Iceberg encodes it; null if one of them is unknown, or
 * the bounds of the type are left out: a reader gains by those of numbers, dates and short texts.
 */
export const boundOf = (
  type: IcebergField['type'],
  side: 'lower' | 'upper',
  statistics: readonly (string | null)[],
): Buffer | null => {
  if (!statistics.every((text) => text !== null)) return null
  const bound = inOrder(type, statistics)?.at(side === 'lower' ? 0 : -1)
  return bound !== undefined && bound.length <= MAX_BYTES ? bound : null
}
