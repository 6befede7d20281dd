import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBlockCache } from '../../engine/search/temporary/block-cache.ts'
import { columnsIn, createBatches } from '../../engine/search/temporary/columns.ts'
import { TemporaryFiles } from '../../engine/search/temporary/temporary-files.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/given.ts'

const LAYOUT = { small: Uint8Array, key: BigUint64Array, number: Int32Array, date: Uint16Array }

const open = async (expected_bytes = 0) => {
  const folder = await temporaryFolder()
  const files = new TemporaryFiles({ folder, expected_bytes, onDamage: () => undefined })
  atEnd(() => files.close())
  return { folder, files }
}

test('columns are read as they were written, in blocks of the given size', async () => {
  const { files } = await open()
  const pieces = fc.array(fc.nat(20), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 9 }), async (lengths, per_block) => {
      const rows = lengths.reduce((sum, length) => sum + length, 0)
      const file = await files.make(async (writer) => {
        const batches = createBatches(LAYOUT, per_block, (block) => writer.append(block))
        let first = 0
        for (const length of lengths) {
          const numbers = Array.from({ length }, (_, i) => first + i)
          const piece = {
            small: Uint8Array.from(numbers),
            key: BigUint64Array.from(numbers, (number) => BigInt(number) << 40n),
            number: Int32Array.from(numbers, (number) => -number),
            date: Uint16Array.from(numbers),
          }
          await batches.add(piece, length)
          first += length
        }
        await batches.end()
      }, columnsIn(LAYOUT))
      expect(file.count).toBe(Math.ceil(rows / per_block))
      for (let row = 0; row < rows; row += 1) {
        const { small, key, number, date } = file.get(Math.floor(row / per_block))
        const place = row % per_block
        expect([small[place], key[place], number[place], date[place]]).toEqual([row, BigInt(row) << 40n, 0 - row, row])
      }
    }),
  )
})

test('a folder without space for the files is refused before anything is written', async () => {
  const { folder, files } = await open(2 ** 60)
  const made = files.make(
    async (writer) => writer.append(new Uint8Array(8)),
    () => null,
  )
  await expect(made).rejects.toThrow(
    /^Listings and search index exceed the memory budget, and the folder for temporary files, \S+, has [\d.]+ GiB free of about 1073741824\.0 GiB/,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('a cache keeps the blocks used last, and no more than it may', () => {
  const cache = createBlockCache(100)
  for (let key = 0; key < 1000; key += 1) {
    cache.set(key, { block: key, bytes: 10 })
    expect(cache.get(0)).toBe(0)
  }
  const kept = Array.from({ length: 1000 }, (_, key) => cache.get(key)).filter((block) => block !== undefined)
  expect(kept).toContain(999)
  expect(kept.length).toBeLessThanOrEqual(10)
})
