import { expect, test } from 'vitest'
import { boundOf, type IcebergField, icebergFields } from '../../../ingest/iceberg/schema.ts'

const int = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
const long = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

test.each<[IcebergField['type'], (string | null)[], lower: Buffer | null, upper: Buffer | null]>([
  ['int', ['10', '-5', '9'], int(-5), int(10)],
  ['long', ['9007199254740993', '9007199254740992'], long(9007199254740992n), long(9007199254740993n)],
  ['date', ['2026-01-01', '1969-12-31'], int(-1), int(20_454)],
  // By bytes, the last one comes last, although its first code unit in UTF-16 is the lower one.
  ['string', ['\uff5e', 'b', '\u{1f600}'], Buffer.from('b'), Buffer.from('\u{1f600}')],
  ['int', ['1', null], null, null],
  ['string', ['a text of more than sixteen bytes'], null, null],
  ['timestamp', ['2026-01-01 00:00:00'], null, null],
  ['decimal(3, 2)', ['1.00'], null, null],
  ['int', [], null, null],
])('the bounds of %s over row groups with %j', (type, statistics, lower, upper) => {
  expect(boundOf(type, 'lower', statistics)).toEqual(lower)
  expect(boundOf(type, 'upper', statistics)).toEqual(upper)
})

test('columns have the types of Iceberg, and a table with another type is none', () => {
  const columns = [
    { name: 'names', type: 'VARCHAR[]' },
    { name: 'rating', type: 'DECIMAL(3,2)' },
    { name: 'at', type: 'TIMESTAMP' },
  ]
  expect(icebergFields(columns)).toEqual([
    {
      id: 1,
      name: 'names',
      required: false,
      type: { type: 'list', 'element-id': 4, element: 'string', 'element-required': false },
    },
    { id: 2, name: 'rating', required: false, type: 'decimal(3, 2)' },
    { id: 3, name: 'at', required: false, type: 'timestamp' },
  ])
  for (const type of ['UBIGINT', 'STRUCT(a INTEGER)', 'UBIGINT[]', 'INTEGER[][]'])
    expect(icebergFields([{ name: 'other', type }]), type).toBeNull()
})
