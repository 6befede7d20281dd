import { readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { EngineError } from '../../contract/errors.ts'
import { giveWay, inTurn } from '../../contract/turn.ts'
import { codeOf } from '../../lake/lake-error.ts'
import { lowerBound } from '../lower-bound.ts'
import type { BlockCache } from './block-cache.ts'
import { type ColumnLayout, type ColumnsOf, type IndexTable, isNumbers, type NumberType } from './layout.ts'
import { type FileShape, readShape } from './shape.ts'

/** What is read at a time when all of a file is. */
const PIECE_BYTES = 4 << 20
/** Above the number of batches of any file, so that a file and a batch are one number. */
const BATCHES = 2 ** 32

const EMPTY_BATCH = { rows: 0, begins: [], bytes_begin: 0 }
const NO_ROWS: FileShape = {
  rows: 0,
  rows_per_batch: 1,
  begins: new Float64Array(),
  lengths: new Float64Array(),
  full: EMPTY_BATCH,
  last: EMPTY_BATCH,
  metadata: new Map(),
}

let opened = 0

/**
 * A file of the index (data/search.md): record batches of a fixed number of rows, whose columns are used where they lie. It
 * is read as a whole or batch by batch. A read that fails, or finds what cannot be in such a file, throws an Error that
 * names the file as DuckDB's do, whereupon its hash is checked.
 */
export class IndexFile<L extends ColumnLayout> {
  readonly #path: string
  readonly #layout: L
  readonly #columns: readonly (readonly [string, ColumnLayout[string]])[]
  readonly #handle: FileHandle | null
  readonly #shape: FileShape
  readonly #cache: BlockCache
  readonly #number = ++opened
  /** All batches, in pieces of so many, and those of them that were used. */
  #pieces: ArrayBuffer[] | null = null
  #used: ColumnsOf<L>[] = []
  #isClosed = false

  private constructor(path: string, layout: L, handle: FileHandle | null, shape: FileShape, cache: BlockCache) {
    this.#path = path
    this.#layout = layout
    this.#columns = Object.entries(layout)
    this.#handle = handle
    this.#shape = shape
    this.#cache = cache
  }

  /** Opens a file. Throws an Error with what is wrong if it is not one of this table. */
  static async open<L extends ColumnLayout>(
    path: string,
    table: IndexTable<L>,
    cache: BlockCache,
  ): Promise<IndexFile<L>> {
    const handle = await open(path)
    try {
      return new IndexFile(path, table.layout, handle, await readShape(handle, table), cache)
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  /** In place of the file of a country without listings. */
  static empty<L extends ColumnLayout>({ layout }: IndexTable<L>, cache: BlockCache): IndexFile<L> {
    return new IndexFile('', layout, null, NO_ROWS, cache)
  }

  get rows(): number {
    return this.#shape.rows
  }

  get rows_per_batch(): number {
    return this.#shape.rows_per_batch
  }

  get batch_count(): number {
    return this.#shape.begins.length
  }

  get metadata(): ReadonlyMap<string, string> {
    return this.#shape.metadata
  }

  /** A batch, from memory or from the cache if possible. */
  get(index: number): ColumnsOf<L> {
    const used = this.#used[index]
    if (used) return used
    if (this.#pieces) {
      const piece = Math.floor(index / this.#perPiece)
      const begin = this.#begin(index) - this.#begin(piece * this.#perPiece)
      const batch = this.#decode(index, this.#pieces[piece]!, begin)
      this.#used[index] = batch
      return batch
    }
    const key = this.#number * BATCHES + index
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached as ColumnsOf<L>
    const batch = this.scan(index)
    this.#cache.set(key, { block: batch, bytes: this.#shape.lengths[index]! })
    return batch
  }

  /** A batch that is not kept in the cache, as when many are read in turn. */
  scan(index: number): ColumnsOf<L> {
    return this.#pieces
      ? this.get(index)
      : this.#decode(index, this.#readNow(this.#begin(index), this.#shape.lengths[index]!), 0)
  }

  /** A batch that is kept by whoever reads it. */
  async read(index: number): Promise<ColumnsOf<L>> {
    return this.#decode(index, await this.#read(this.#begin(index), this.#shape.lengths[index]!), 0)
  }

  /** All batches, in turn. */
  async *batches(): AsyncGenerator<ColumnsOf<L>> {
    for (let index = 0; index < this.batch_count; ) {
      const end = Math.min(this.batch_count, index + this.#perPiece)
      const first = this.#begin(index)
      const piece = this.#pieces?.[index / this.#perPiece] ?? (await this.#readPiece(index))
      for (; index < end; index += 1) yield this.#decode(index, piece, this.#begin(index) - first)
      await giveWay()
    }
  }

  /** The numbers of all rows, without texts. The file is closed: nothing else of it is needed then. */
  async columns(): Promise<ColumnsOf<L>> {
    const numbers = Object.entries(this.#layout).flatMap(([name, type], column) =>
      isNumbers(type) ? { name, type, column } : [],
    )
    const columns = await inTurn(numbers, (of) => ({ ...of, values: new of.type(this.rows) }))
    let buffer = new ArrayBuffer(0)
    for (let index = 0; index < this.batch_count; index += this.#perPiece) {
      const end = Math.min(this.batch_count, index + this.#perPiece)
      const first = this.#begin(index)
      // One buffer for all pieces: what is allocated for each makes the garbage collector run.
      buffer = await this.#readPiece(index, buffer)
      for (const { type, column, values } of columns) {
        const view = new type(buffer, 0, Math.floor(buffer.byteLength / type.BYTES_PER_ELEMENT))
        for (let batch = index; batch < end; batch += 1) {
          const { rows, begins } = this.#shapeOf(batch)
          const at = (this.#begin(batch) - first + begins[column]!) / type.BYTES_PER_ELEMENT
          values.set(view.subarray(at, at + rows) as never, batch * this.rows_per_batch)
        }
      }
      await giveWay()
    }
    this.close()
    return Object.fromEntries(columns.map(({ name, values }) => [name, values])) as ColumnsOf<L>
  }

  /** Reads all batches into memory, where `get` then takes them from. */
  async load(): Promise<void> {
    const pieces: ArrayBuffer[] = []
    for (let index = 0; index < this.batch_count; index += this.#perPiece) pieces.push(await this.#readPiece(index))
    this.#pieces = pieces
    this.close()
  }

  /** The first value of a column in each batch. */
  async firsts<Name extends keyof L & string>(name: Name): Promise<ColumnsOf<L>[Name]> {
    const firsts = new (this.#layout[name] as NumberType)(this.batch_count)
    for (let index = 0; index < firsts.length; index += 1) {
      firsts.set(this.#numbersAt(name, index * this.rows_per_batch, 1) as never, index)
      if (index % 64 === 0) await giveWay()
    }
    return firsts as ColumnsOf<L>[Name]
  }

  /** The row that has a value in a column of ascending numbers, by the `firsts` of its batches; -1 without one. */
  rowOf<Name extends keyof L & string>(name: Name, value: number, firsts: ArrayLike<number>): number {
    const index = lowerBound(firsts, value + 1) - 1
    if (index < 0) return -1
    const values = this.#numbersAt(name, index * this.rows_per_batch, this.#shapeOf(index).rows) as ArrayLike<number>
    const place = lowerBound(values, value)
    return values[place] === value ? index * this.rows_per_batch + place : -1
  }

  /** The byte string of a row, which is read alone. */
  bytesAt(row: number): Uint8Array {
    const { index, place, begin, begins, bytes_begin } = this.#placeOf(row)
    const [from = 0, to = -1] = new Int32Array(this.#readNow(begin + begins.at(-1)! + 4 * place, 8))
    if (from < 0 || to < from || bytes_begin + to > this.#shape.lengths[index]!)
      throw this.failure(`bytes of batch ${index} are outside it`)
    return new Uint8Array(this.#readNow(begin + bytes_begin + from, to - from))
  }

  #placeOf(row: number) {
    const index = Math.floor(row / this.rows_per_batch)
    return { index, place: row % this.rows_per_batch, begin: this.#begin(index), ...this.#shapeOf(index) }
  }

  /** So many values of a column of numbers, from those of a row on within its batch. */
  #numbersAt<Name extends keyof L & string>(name: Name, row: number, count: number): ColumnsOf<L>[Name] {
    const column = this.#columns.findIndex(([own]) => own === name)
    const type = this.#columns[column]![1]
    if (!isNumbers(type)) throw new Error(`${name} is no column of numbers`)
    const { place, begin, begins } = this.#placeOf(row)
    const size = type.BYTES_PER_ELEMENT
    const read = this.#readNow(begin + begins[column]! + place * size, count * size)
    return new type(read, 0, count) as ColumnsOf<L>[Name]
  }

  /** Reads as many batches as a piece has, into a buffer if they fit. */
  #readPiece(index: number, into?: ArrayBuffer): Promise<ArrayBuffer> {
    const last = Math.min(this.batch_count, index + this.#perPiece) - 1
    const first = this.#begin(index)
    return this.#read(first, this.#begin(last) + this.#shape.lengths[last]! - first, into)
  }

  /** As many batches as are read at a time. */
  get #perPiece(): number {
    const { begins, lengths } = this.#shape
    const end = this.batch_count === 0 ? 0 : begins.at(-1)! + lengths.at(-1)!
    return Math.max(1, Math.floor((PIECE_BYTES * this.batch_count) / Math.max(1, end)))
  }

  #begin(index: number): number {
    const begin = this.#shape.begins[index]
    if (begin === undefined) throw this.failure(`there is no batch ${index}`)
    return begin
  }

  #shapeOf(index: number): FileShape['full'] {
    return index === this.batch_count - 1 ? this.#shape.last : this.#shape.full
  }

  /** The columns of a batch whose body begins in a buffer at `begin`. */
  #decode(index: number, buffer: ArrayBuffer, begin: number): ColumnsOf<L> {
    const { rows, begins, bytes_begin } = this.#shapeOf(index)
    const columns: Record<string, unknown> = {}
    let column = 0
    for (const [name, type] of this.#columns) {
      const at = begin + begins[column]!
      column += 1
      if (isNumbers(type)) {
        columns[name] = new type(buffer, at, rows)
        continue
      }
      const offsets = new Int32Array(buffer, at, rows + 1)
      const length = this.#shape.lengths[index]! - bytes_begin
      if (length < 0 || offsets[0] !== 0 || offsets[rows]! < 0 || offsets[rows]! > length)
        throw this.failure(`texts of batch ${index} are outside it`)
      columns[name] = { offsets, bytes: new Uint8Array(buffer, begin + bytes_begin, offsets[rows]) }
    }
    return columns as ColumnsOf<L>
  }

  #requireOpen(): FileHandle {
    if (this.#isClosed || !this.#handle) throw new EngineError('NOT_READY', 'The snapshot is closed.')
    return this.#handle
  }

  async #read(position: number, length: number, into?: ArrayBuffer): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(into && into.byteLength >= length ? into : new ArrayBuffer(length))
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.#requireOpen()
        .read(bytes, read, length - read, position + read)
        .catch((cause: unknown) => {
          throw this.failure(codeOf(cause))
        })
      if (bytesRead === 0) throw this.failure('it ends early')
      read += bytesRead
    }
    return bytes.buffer
  }

  #readNow(position: number, length: number): ArrayBuffer {
    const { fd } = this.#requireOpen()
    const bytes = new Uint8Array(length)
    let read: number
    try {
      read = readSync(fd, bytes, 0, length, position)
    } catch (cause) {
      throw this.failure(codeOf(cause))
    }
    if (read < length) throw this.failure('it ends early')
    return bytes.buffer
  }

  /** What is thrown if the file is not what a refresh wrote. */
  failure(reason: string): Error {
    return new Error(`IO Error: ${this.#path}: ${reason}`)
  }

  /** Closes the file; what is in memory can still be used. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    void this.#handle?.close()
  }
}
