import { truncateSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RecordBatchFileReader, RecordBatchReader, tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBlockCache } from '../../../engine/search/files/block-cache.ts'
import { IndexFile } from '../../../engine/search/files/index-file.ts'
import { type IndexTable, TEXT, textAt } from '../../../engine/search/files/layout.ts'
import { IndexWriter } from '../../../ingest/search/index-writer.ts'
import { temporaryFolder } from '../../support/given.ts'

const LAYOUT = { small: Uint8Array, key: BigUint64Array, number: Int32Array, date: Uint16Array, text: TEXT } as const

const tableOf = (rows_per_batch: number): IndexTable<typeof LAYOUT> => ({ layout: LAYOUT, rows_per_batch })

const pieceOf = (numbers: readonly number[], text: (number: number) => string) => ({
  small: Uint8Array.from(numbers),
  key: BigUint64Array.from(numbers, (number) => BigInt(number) << 40n),
  number: Int32Array.from(numbers, (number) => -number),
  date: Uint16Array.from(numbers),
  text: numbers.map(text),
})

const textOf = (number: number): string => 'é'.repeat(number % 5) + number

/** Writes rows in pieces of these lengths; returns the path. */
const written = async (lengths: readonly number[], rows_per_batch: number, text = textOf): Promise<string> => {
  const path = join(await temporaryFolder(), 'part-0.arrow')
  const writer = await IndexWriter.create(path, tableOf(rows_per_batch), new Map([['first', '3']]))
  let first = 0
  for (const length of lengths) {
    await writer.add(
      pieceOf(
        Array.from({ length }, (_, i) => first + i),
        text,
      ),
      length,
    )
    first += length
  }
  await writer.end()
  return path
}

const openAt = (path: string, rows_per_batch: number) =>
  IndexFile.open(path, tableOf(rows_per_batch), createBlockCache(1000))

test('rows are read as they were written, from the file and from memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(20), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (lengths, per_batch, isInMemory) => {
        const rows = lengths.reduce((sum, length) => sum + length, 0)
        const path = await written(lengths, per_batch)
        const file = await openAt(path, per_batch)
        expect([file.rows, file.batch_count, file.metadata.get('first')]).toEqual([
          rows,
          Math.ceil(rows / per_batch),
          '3',
        ])
        const firsts = await file.firsts('number')
        expect([...firsts]).toEqual(Array.from(firsts, (_, batch) => 0 - batch * per_batch))
        if (isInMemory) await file.load()
        for (let row = 0; row < rows; row += 1) {
          const { small, key, number, date, text } = file.get(Math.floor(row / per_batch))
          const at = row % per_batch
          expect([small[at], key[at], number[at], date[at], textAt(text, at)]).toEqual([
            row,
            BigInt(row) << 40n,
            0 - row,
            row,
            textOf(row),
          ])
        }
        file.close()
        const columns = await (await openAt(path, per_batch)).columns()
        expect([...columns.number]).toEqual(Array.from({ length: rows }, (_, row) => 0 - row))
        // Arrow's own reader sees the same.
        const table = tableFromIPC(await readFile(path))
        expect(table.toArray().map((row) => [row.number, row.text])).toEqual(
          Array.from({ length: rows }, (_, row) => [0 - row, textOf(row)]),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('the same rows are the same bytes, however they arrive', async () => {
  const [one, other] = [await written([7, 0, 13], 4), await written([20], 4)]
  expect(await readFile(one)).toEqual(await readFile(other))
})

test('a file of other columns, or none of Arrow, is refused', async () => {
  const path = await written([20], 4)
  const other = { layout: { small: Uint8Array, other: Int32Array }, rows_per_batch: 4 }
  const cache = createBlockCache(0)
  await expect(IndexFile.open(path, other, cache)).rejects.toThrow('its columns are small Uint8, key Uint64, number')
  writeFileSync(path, 'none')
  await expect(openAt(path, 4)).rejects.toThrow('it is no Arrow file')
})

test('a changed byte of a batch is refused, or read as other values of as many rows', async () => {
  const path = await written([20], 4)
  const bytes = await readFile(path)
  const { footer } = RecordBatchReader.from(bytes).open() as RecordBatchFileReader
  let refused = 0
  for (const { offset, metaDataLength, bodyLength } of footer!.recordBatches())
    for (let at = offset + metaDataLength; at < offset + metaDataLength + bodyLength; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ 0x55
      await writeFile(path, changed)
      const file = await openAt(path, 4)
      try {
        let rows = 0
        for await (const { number, text } of file.batches())
          for (let i = 0; i < number.length; i += 1) rows += typeof textAt(text, i) === 'string' ? 1 : 0
        expect(rows).toBe(20)
      } catch (cause) {
        expect((cause as Error).message).toContain(`IO Error: ${path}: texts of batch`)
        refused += 1
      }
      file.close()
    }
  expect(refused).toBeGreaterThan(10)
})

test('a file that is cut short while it is open fails with its name', async () => {
  const path = await written([20], 4)
  const file = await openAt(path, 4)
  truncateSync(path, 20)
  expect(() => file.get(4)).toThrow(`IO Error: ${path}: it ends early`)
  expect(() => file.get(9)).toThrow(`IO Error: ${path}: there is no batch 9`)
  file.close()
  expect(() => file.get(0)).toThrow('The snapshot is closed.')
})
