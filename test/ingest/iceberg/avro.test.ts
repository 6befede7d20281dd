import fc from 'fast-check'
import { avroMetadata, avroRead } from 'icebird'
import { expect, test } from 'vitest'
import { type AvroType, avroFile, encode } from '../../../ingest/iceberg/avro.ts'

const TYPE = {
  type: 'record',
  name: 'row',
  fields: [
    { name: 'number', type: 'int', 'field-id': 1 },
    { name: 'large', type: 'long', 'field-id': 2 },
    { name: 'text', type: 'string', 'field-id': 3 },
    { name: 'bytes', type: ['null', 'bytes'], 'field-id': 4, default: null },
    {
      name: 'pairs',
      'field-id': 5,
      type: {
        type: 'array',
        logicalType: 'map',
        items: {
          type: 'record',
          name: 'pair',
          fields: [
            { name: 'key', type: 'int', 'field-id': 6 },
            { name: 'value', type: 'long', 'field-id': 7 },
          ],
        },
      },
    },
  ],
} satisfies AvroType

const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const row = fc.record({
  number: int,
  large: fc.maxSafeInteger(),
  text: fc.string({ unit: 'grapheme' }),
  bytes: fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
  pairs: fc.array(fc.record({ key: int, value: fc.maxSafeInteger() })),
})

const read = (file: Buffer) => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const reader = { view, offset: 0 }
  const { metadata, syncMarker } = avroMetadata(reader)
  return { metadata, rows: avroRead({ reader, metadata, syncMarker }) }
}

test('an independent reader reads back what is written', () => {
  fc.assert(
    fc.property(fc.array(row), fc.string(), (rows, value) => {
      const content = read(avroFile(TYPE, { key: value }, rows))
      expect(content.metadata).toMatchObject({ 'avro.codec': 'null', key: value })
      expect(content.rows).toEqual(
        rows.map(({ large, bytes, pairs, ...others }) => ({
          ...others,
          large: BigInt(large),
          bytes: bytes === null ? undefined : new Uint8Array(bytes),
          pairs: pairs.map((pair) => ({ ...pair, value: BigInt(pair.value) })),
        })),
      )
    }),
  )
})

test.each<[AvroType, number | string | null]>([
  ['int', 1.5],
  ['long', 2 ** 53],
  ['long', null],
  ['string', 1],
  ['bytes', 'text'],
])('%s refuses %s', (type, value) => {
  expect(() => encode(type, value)).toThrow(TypeError)
})
