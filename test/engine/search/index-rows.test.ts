import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBlockCache } from '../../../engine/search/files/block-cache.ts'
import { IndexFile } from '../../../engine/search/files/index-file.ts'
import { BYTES, type IndexTable } from '../../../engine/search/files/layout.ts'
import { IndexWriter } from '../../../ingest/search/index-writer.ts'
import { temporaryFolder } from '../../support/given.ts'

const tableOf = (rows_per_batch: number) =>
  ({ layout: { id: Int32Array, bytes: BYTES }, rows_per_batch }) satisfies IndexTable

const open = async (path: string, rows_per_batch: number) =>
  IndexFile.open(path, tableOf(rows_per_batch), createBlockCache(0))

/** Writes a file of these ids and byte strings; returns its path. */
const written = async (ids: readonly number[], bytes: readonly Uint8Array[], rows_per_batch: number) => {
  const path = join(await temporaryFolder(), 'part-0.arrow')
  const writer = await IndexWriter.create(path, tableOf(rows_per_batch))
  await writer.add({ id: Int32Array.from(ids), bytes }, ids.length)
  await writer.end()
  return path
}

test('a row is found by a sorted column, and its bytes are read alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
      fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (of, bytes, per_batch) => {
        const ids = of.toSorted((a, b) => a - b)
        const file = await open(await written(ids, bytes.slice(0, ids.length), per_batch), per_batch)
        const firsts = await file.firsts('id')
        for (let id = -1; id <= 61; id += 1) expect(file.rowOf('id', id, firsts)).toBe(ids.indexOf(id))
        for (const row of ids.keys()) expect(file.bytesAt(row)).toEqual(bytes[row])
        file.close()
      },
    ),
    { numRuns: 50 },
  )
})

test('bytes of a row that lie outside its batch are refused with the name of the file', async () => {
  const path = await written([3], [new Uint8Array(77)], 4)
  const bytes = await readFile(path)
  // Where the only value ends: offsets 0 and 77.
  const at = bytes.indexOf(Buffer.from([0, 0, 0, 0, 77, 0, 0, 0])) + 4
  for (const end of [-1, 2 ** 30]) {
    bytes.writeInt32LE(end, at)
    writeFileSync(path, bytes)
    const file = await open(path, 4)
    expect(() => file.bytesAt(0)).toThrow(`IO Error: ${path}: bytes of batch 0 are outside it`)
    file.close()
    expect(() => file.bytesAt(0)).toThrow('The snapshot is closed.')
  }
})
