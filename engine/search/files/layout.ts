type ColumnArray =
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

export type NumberType<T extends ColumnArray = ColumnArray> = {
  new (length: number): T
  new (buffer: ArrayBuffer, offset: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
  readonly name: string
}

/** The type of a column of texts. */
export const TEXT = 'Utf8'
/** The type of a column of byte strings. */
export const BYTES = 'Binary'

/** Texts, in UTF-8, or byte strings as they lie in a file: `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export type BytesColumn = { bytes: Uint8Array<ArrayBuffer>; offsets: Int32Array<ArrayBuffer> }

type ColumnType = NumberType | typeof TEXT | typeof BYTES

/** The columns of a file by name, each with its type. One of texts or byte strings is the last. */
export type ColumnLayout = Readonly<Record<string, ColumnType>>

/** Columns of equal length. */
export type ColumnsOf<L extends ColumnLayout> = {
  [Name in keyof L]: L[Name] extends NumberType<infer T> ? T : BytesColumn
}

/** A table of the index: its columns, and how many rows each record batch has; the last one may have fewer. */
export type IndexTable<L extends ColumnLayout = ColumnLayout> = {
  layout: L
  /** Null: as many as there are listings. */
  rows_per_batch: number | null
}

export const isNumbers = (type: ColumnType): type is NumberType => typeof type !== 'string'

/** The name of a column's type in Arrow. */
export const arrowTypeOf = (type: ColumnType): string =>
  isNumbers(type) ? type.name.replace('Big', '').replace('Array', '') : type

export const textAt = ({ bytes, offsets }: BytesColumn, position: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', offsets[position], offsets[position + 1])
