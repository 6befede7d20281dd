import * as arrow from 'apache-arrow'
import { giveWay } from '../../contract/turn.ts'
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
export const arrowStream = async ({ columns, rows }: Table): Promise<Uint8Array> => {
  const vectors: (readonly [string, arrow.Vector])[] = []
  for (const [i, { name, kind }] of columns.entries()) {
    const { type, encode } = encodings[kind]
    const values = rows.map((row) => (row[i] === null ? null : encode(row[i])))
    vectors.push([name, arrow.vectorFromArray(values, type())])
    await giveWay()
  }
  return arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'stream')
}
