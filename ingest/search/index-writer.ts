import { type FileHandle, open } from 'node:fs/promises'
import * as arrow from 'apache-arrow'
import { arrowTypeOf, type ColumnLayout, type Columns, type IndexTable, isNumbers } from '../../engine/index.ts'

/** What is written at a time. */
const WRITE_BYTES = 1 << 20

/** Keeps what a writer makes until it is written to the file. */
class PendingBytes extends arrow.AsyncByteQueue {
  #pieces: Uint8Array[] = []
  bytes = 0

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.bytes += piece.byteLength
  }

  take(): Buffer {
    const taken = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.bytes = 0
    return taken
  }
}

type ColumnPiece = { subarray(begin: number, end: number): ArrayLike<number> } | readonly (string | Uint8Array)[]

const arrowType = (type: ColumnLayout[string]): arrow.DataType =>
  new (arrow as unknown as Record<string, new () => arrow.DataType>)[arrowTypeOf(type)]!()

/** Texts or byte strings as their bytes, and where each begins. */
const bytesData = (type: arrow.DataType, values: readonly (string | Uint8Array)[]): arrow.Data => {
  const valueOffsets = new Int32Array(values.length + 1)
  for (const [i, value] of values.entries()) valueOffsets[i + 1] = valueOffsets[i]! + Buffer.byteLength(value)
  const data =
    typeof values[0] === 'string' ? Buffer.from(values.join('')) : Buffer.concat(values as readonly Uint8Array[])
  return arrow.makeData({ type: type as arrow.Binary, length: values.length, nullCount: 0, valueOffsets, data })
}

/** Writes a file of the index (data/search.md) in batches of so many rows; the last one may have fewer. */
export class IndexWriter {
  readonly #handle: FileHandle
  readonly #layout: ColumnLayout
  readonly #rows_per_batch: number
  readonly #schema: arrow.Schema
  readonly #writer = new arrow.RecordBatchFileWriter()
  readonly #pending = new PendingBytes()
  #batch: Record<string, unknown[]> = {}
  #filled = 0
  rows = 0

  private constructor(handle: FileHandle, { layout, rows_per_batch }: IndexTable, metadata: Map<string, string>) {
    this.#handle = handle
    this.#layout = layout
    this.#rows_per_batch = rows_per_batch ?? Number.POSITIVE_INFINITY
    const fields = Object.entries(layout).map(([name, type]) => new arrow.Field(name, arrowType(type), false))
    this.#schema = new arrow.Schema(fields, metadata)
    this.#writer.reset(this.#pending, this.#schema)
    this.#clear()
  }

  static async create(path: string, table: IndexTable, metadata = new Map<string, string>()): Promise<IndexWriter> {
    return new IndexWriter(await open(path, 'wx'), table, metadata)
  }

  #clear(): void {
    for (const name of Object.keys(this.#layout)) this.#batch[name] = []
    this.#filled = 0
  }

  /** Adds rows of columns, numbers as typed arrays, texts and byte strings as a list. There may be other columns besides. */
  async add(columns: Columns, rows: number): Promise<void> {
    for (let begin = 0; begin < rows; ) {
      const end = Math.min(rows, begin + this.#rows_per_batch - this.#filled)
      for (const name of Object.keys(this.#layout)) {
        const values = columns[name] as ColumnPiece
        this.#batch[name]!.push('subarray' in values ? values.subarray(begin, end) : values.slice(begin, end))
      }
      this.#filled += end - begin
      begin = end
      if (this.#filled === this.#rows_per_batch) await this.endBatch()
    }
  }

  #dataOf(name: string, type: ColumnLayout[string]): arrow.Data {
    if (!isNumbers(type)) return bytesData(arrowType(type), (this.#batch[name] as (string | Uint8Array)[][]).flat())
    const values = new type(this.#filled)
    let at = 0
    for (const piece of this.#batch[name] as ArrayLike<never>[]) {
      values.set(piece, at)
      at += piece.length
    }
    return arrow.makeData({ type: arrowType(type), length: values.length, nullCount: 0, data: values } as never)
  }

  /** Writes the rows that were added since the last batch as one, unless there are none. */
  async endBatch(): Promise<void> {
    if (this.#filled === 0) return
    const children = Object.entries(this.#layout).map(([name, type]) => this.#dataOf(name, type))
    const type = new arrow.Struct(this.#schema.fields)
    const data = arrow.makeData({ type, length: this.#filled, nullCount: 0, children })
    this.#writer.write(new arrow.RecordBatch(this.#schema, data))
    this.rows += this.#filled
    this.#clear()
    if (this.#pending.bytes >= WRITE_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    await this.#handle.appendFile(this.#pending.take())
  }

  /** Completes the file. */
  async end(): Promise<void> {
    await this.endBatch()
    this.#writer.finish()
    await this.#flush()
    await this.close()
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
