import * as arrow from 'apache-arrow'
import type { Kind } from '../answer-fields.ts'
import type { Table } from '../cli/table.ts'

type Encoding = { type: () => arrow.DataType; encode: (value: unknown) => unknown }

const text = { type: () => new arrow.Utf8(), encode: String }
const encodings: Record<Kind, Encoding> = {
  text,
  integer: { type: () => new arrow.Int64(), encode: (value) => BigInt(value as number) },
  number: { type: () => new arrow.Float64(), encode: (value) => value },
  boolean: { type: () => new arrow.Bool(), encode: (value) => value },
  date: { type: () => new arrow.DateDay(), encode: (value) => new Date(String(value)) },
  time: { type: () => new arrow.TimestampMillisecond('UTC'), encode: (value) => Date.parse(String(value)) },
  json: { ...text, encode: JSON.stringify },
}

/** A table as an Arrow IPC stream. Types follow the answer's schema, whatever its values; lists are JSON text. */
export const arrowStream = ({ columns, rows }: Table): Uint8Array => {
  const vectors = columns.map(({ name, kind }, i) => {
    const { type, encode } = encodings[kind]
    const values = rows.map((row) => (row[i] === null ? null : encode(row[i])))
    return [name, arrow.vectorFromArray(values, type())] as const
  })
  return arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'stream')
}
