import { createHash } from 'node:crypto'

/** The types of Avro that Iceberg's manifests consist of. A field keeps the attributes of Iceberg, such as its id. */
export type AvroType =
  | 'int'
  | 'long'
  | 'string'
  | 'bytes'
  | readonly ['null', AvroType]
  | { type: 'record'; name: string; fields: readonly AvroField[] }
  | { type: 'array'; items: AvroType; logicalType?: 'map' }
export type AvroField = { name: string; type: AvroType; 'field-id': number; default?: null }

export type AvroValue = number | string | Buffer | null | readonly AvroValue[] | { readonly [field: string]: AvroValue }

/** An integer in zigzag code, seven bits a byte, the lowest first. */
const integer = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([integer(bytes.length), bytes])

/** Items in one block, then the end. */
const block = (items: readonly Buffer[]): Buffer =>
  Buffer.concat(items.length > 0 ? [integer(items.length), ...items, integer(0)] : [integer(0)])

/** A value in Avro's binary form. Throws a TypeError if it is not of the type. */
export const encode = (type: AvroType, value: AvroValue | undefined): Buffer => {
  if (Array.isArray(type)) return value === null ? integer(0) : Buffer.concat([integer(1), encode(type[1], value)])
  if (typeof type === 'object' && 'fields' in type) {
    const record = value as Readonly<Record<string, AvroValue>>
    return Buffer.concat(type.fields.map((field) => encode(field.type, record[field.name])))
  }
  if (typeof type === 'object' && 'items' in type)
    return block((value as readonly AvroValue[]).map((item) => encode(type.items, item)))
  if ((type === 'int' || type === 'long') && typeof value === 'number' && Number.isSafeInteger(value))
    return integer(value)
  if (type === 'string' && typeof value === 'string') return sized(Buffer.from(value))
  if (type === 'bytes' && Buffer.isBuffer(value)) return sized(value)
  throw new TypeError(`expected ${JSON.stringify(type)}, got ${value}`)
}

/** An object container file of Avro, uncompressed, in one block; its metadata is in the header. */
export const avroFile = (
  type: AvroType,
  metadata: Readonly<Record<string, string>>,
  records: readonly AvroValue[],
): Buffer => {
  const entries = { 'avro.schema': JSON.stringify(type), 'avro.codec': 'null', ...metadata }
  const pairs = Object.entries(entries).map(([key, text]) =>
    Buffer.concat([sized(Buffer.from(key)), sized(Buffer.from(text))]),
  )
  const header = Buffer.concat([Buffer.from('Obj\x01', 'latin1'), block(pairs)])
  const rows = Buffer.concat(records.map((record) => encode(type, record)))
  // Ends every block; any 16 bytes that are unlikely elsewhere in the file.
  const marker = createHash('sha256').update(header).update(rows).digest().subarray(0, 16)
  return Buffer.concat([header, marker, integer(records.length), sized(rows), marker])
}
