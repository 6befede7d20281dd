import type { FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type * as Arrow from 'apache-arrow'
import { arrowTypeOf, type ColumnLayout, type IndexTable, isNumbers } from './layout.ts'

/** Loaded with the first file, and not imported: that would take each command that searches twice as long. */
const require = createRequire(import.meta.url)

/** A record batch: its rows, and where the values of each column begin in its body; of texts and byte strings also where their bytes do. */
type BatchShape = { rows: number; begins: readonly number[]; bytes_begin: number }

/** Where everything is in a file. All batches but the last have the same shape. */
export type FileShape = {
  rows: number
  rows_per_batch: number
  /** Where the body of each batch begins in the file, and how long it is. */
  begins: Float64Array
  lengths: Float64Array
  full: BatchShape
  last: BatchShape
  metadata: ReadonlyMap<string, string>
}

const NO_ROWS: BatchShape = { rows: 0, begins: [], bytes_begin: 0 }
/** The length of a message's metadata is before them. */
const PREFIX_BYTES = 8

const readAt = async (handle: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, position)
  if (bytesRead < length) throw new Error('it ends early')
  return buffer
}

const footerOf = async ({ RecordBatchReader }: typeof Arrow, handle: FileHandle) => {
  const reader = await RecordBatchReader.from(handle)
  if (!reader.isFile()) throw new Error('it is no Arrow file')
  await reader.open()
  if (!reader.footer) throw new Error('it has no footer')
  return reader.footer
}

type Footer = Awaited<ReturnType<typeof footerOf>>

const requireColumns = ({ schema }: Footer, { layout }: IndexTable): void => {
  const expected = Object.entries(layout).map(([name, type]) => `${name} ${arrowTypeOf(type)}`)
  const columns = schema.fields.map(({ name, type, nullable }) => `${name} ${type}${nullable ? ' or null' : ''}`)
  if (columns.join() !== expected.join()) throw new Error(`its columns are ${columns.join(', ')}`)
}

/** Whether its batches may differ in length, by their texts or byte strings. */
const hasBytes = (layout: ColumnLayout): boolean => Object.values(layout).some((type) => !isNumbers(type))

/** The shape of a batch by the metadata of its message. */
const batchShape = ({ Message }: typeof Arrow, metadata: Uint8Array, body: number, { layout }: IndexTable) => {
  const message = Message.decode(metadata.subarray(PREFIX_BYTES))
  if (!message.isRecordBatch()) throw new Error('a batch has no rows')
  const { length: rows, buffers, nodes } = message.header()
  if (nodes.some(({ nullCount }) => nullCount !== 0)) throw new Error('a batch has nulls')
  const begins: number[] = []
  let number = 0
  for (const type of Object.values(layout)) {
    // The first buffer of a column is that of nulls.
    const values = buffers[number + 1]
    const needed = isNumbers(type) ? type.BYTES_PER_ELEMENT * rows : 4 * (rows + 1)
    if (!values || values.length < needed || values.offset % 8 !== 0 || values.offset + needed > body)
      throw new Error('a column does not fit into its batch')
    begins.push(values.offset)
    number += isNumbers(type) ? 2 : 3
  }
  const bytes_begin = hasBytes(layout) ? (buffers[number - 1]?.offset ?? body + 1) : 0
  if (buffers.length !== number || bytes_begin > body) throw new Error('a batch has other columns')
  return { rows, begins, bytes_begin } satisfies BatchShape
}

/** Where the batches are; all but the last must have the same shape. */
const placesOf = (footer: Footer, size: number, { layout }: IndexTable) => {
  const count = footer.numRecordBatches
  const begins = new Float64Array(count)
  const lengths = new Float64Array(count)
  const first = footer.getRecordBatch(0)
  for (let index = 0; index < count; index += 1) {
    const { offset, metaDataLength, bodyLength } = footer.getRecordBatch(index)!
    begins[index] = offset + metaDataLength
    lengths[index] = bodyLength
    const isAsFirst = metaDataLength === first!.metaDataLength && (hasBytes(layout) || bodyLength === first!.bodyLength)
    const end = index === 0 ? 0 : begins[index - 1]! + lengths[index - 1]!
    if (
      offset < end ||
      begins[index]! % 8 !== 0 ||
      (index < count - 1 && !isAsFirst) ||
      begins[index]! + bodyLength > size
    )
      throw new Error(`batch ${index} is not where it should be`)
  }
  return { begins, lengths }
}

/** Reads where everything is in a file, whose hash was checked. Throws an Error with what is wrong if its columns are not those of the table. */
export const readShape = async (handle: FileHandle, table: IndexTable): Promise<FileShape> => {
  const arrow = require('apache-arrow') as typeof Arrow
  const footer = await footerOf(arrow, handle)
  requireColumns(footer, table)
  const { size } = await handle.stat()
  const { begins, lengths } = placesOf(footer, size, table)
  const count = begins.length
  const shapeOf = async (index: number): Promise<BatchShape> => {
    const { offset, metaDataLength } = footer.getRecordBatch(index)!
    return batchShape(arrow, await readAt(handle, offset, metaDataLength), lengths[index]!, table)
  }
  const [full, last] = count === 0 ? [NO_ROWS, NO_ROWS] : [await shapeOf(0), await shapeOf(count - 1)]
  if (last.rows > full.rows) throw new Error('the last batch has too many rows')
  const rows = count === 0 ? 0 : (count - 1) * full.rows + last.rows
  return {
    rows,
    rows_per_batch: Math.max(1, full.rows),
    begins,
    lengths,
    full,
    last,
    metadata: footer.schema.metadata,
  }
}
