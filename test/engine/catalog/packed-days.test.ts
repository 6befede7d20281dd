import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DayPacker, type PackedDay, unpackDays } from '../../../engine/catalog/packed-days.ts'

const MAX = 2 ** 31 - 1
const days: fc.Arbitrary<PackedDay[]> = fc
  .array(
    fc.record({
      day: fc.nat(30_000),
      second: fc.nat(86_399),
      price: fc.oneof(fc.nat(3), fc.integer({ min: 1, max: MAX })),
      list_price: fc.oneof(fc.constant(-1), fc.nat(3), fc.nat(MAX)),
      flags: fc.constantFrom(0, 1, 2, 4, 5, 6, 8, 9, 10),
    }),
    { maxLength: 60 },
  )
  .map((of) => of.toSorted((a, b) => a.day - b.day))

const packed = (packer: DayPacker, of: readonly PackedDay[]): Uint8Array => {
  for (const day of of) packer.add(day)
  return packer.take()
}

test('days are unpacked as they were packed, one listing after another', () => {
  fc.assert(
    fc.property(fc.array(days, { maxLength: 8 }), (listings) => {
      const packer = new DayPacker()
      expect(listings.map((of) => unpackDays(packed(packer, of)))).toEqual(listings)
    }),
  )
})

test('a day that changes nothing takes a byte, and so many as its time differs by', () => {
  const of = [0, 1, 2].map((i) => ({ day: 20_000 + i, second: 36_000 + 20 * i, price: 499, list_price: 599, flags: 6 }))
  expect(packed(new DayPacker(), of.slice(0, 1))).toHaveLength(11)
  expect(packed(new DayPacker(), of)).toHaveLength(11 + 2 + 2)
})

test('many days are packed beyond the first buffer', () => {
  const of = Array.from({ length: 20_000 }, (_, day) => ({
    day,
    second: 7 * (day % 2),
    price: day + 1,
    list_price: -1,
    flags: 0,
  }))
  expect(unpackDays(packed(new DayPacker(), of))).toEqual(of)
})

test('bytes that end within a day are refused', () => {
  const bytes = packed(new DayPacker(), [{ day: 20_000, second: 36_000, price: 499, list_price: -1, flags: 0 }])
  for (let length = 1; length < bytes.length; length += 1)
    expect(() => unpackDays(bytes.subarray(0, length))).toThrow('its days end early')
})
