type ColumnArray =
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

type ColumnType<T extends ColumnArray = ColumnArray> = {
  new (length: number): T
  new (buffer: ArrayBuffer, offset: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** The columns of a table by name, each with its type. */
export type ColumnLayout = Readonly<Record<string, ColumnType>>

/** Columns of equal length. */
export type ColumnsOf<L extends ColumnLayout> = { [Name in keyof L]: L[Name] extends ColumnType<infer T> ? T : never }

/** The columns in the order in which a block holds them: the widest first, so that each begins at a multiple of its width. */
const ordered = (layout: ColumnLayout) =>
  Object.entries(layout).sort(([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT)

/** Reads the columns of a block that `createBatches` made. */
export const columnsIn = <L extends ColumnLayout>(layout: L) => {
  const columns = ordered(layout)
  const row_bytes = columns.reduce((sum, [, { BYTES_PER_ELEMENT }]) => sum + BYTES_PER_ELEMENT, 0)
  return (block: ArrayBuffer): ColumnsOf<L> => {
    const rows = block.byteLength / row_bytes
    let offset = 0
    const read = columns.map(([name, type]) => {
      const values = new type(block, offset, rows)
      offset += values.byteLength
      return [name, values]
    })
    return Object.fromEntries(read) as ColumnsOf<L>
  }
}

/** Collects rows into blocks of `rows_per_block`; the last one has fewer. */
export const createBatches = <L extends ColumnLayout>(
  layout: L,
  rows_per_block: number,
  append: (block: Uint8Array, columns: ColumnsOf<L>) => Promise<void>,
) => {
  const types = ordered(layout)
  const make = () => types.map(([name, type]) => ({ name, values: new type(rows_per_block) }))
  let batch = make()
  let filled = 0

  const flush = async (): Promise<void> => {
    const parts = batch.map(({ name, values }) => ({ name, values: values.subarray(0, filled) }))
    const bytes = parts.map(({ values }) => new Uint8Array(values.buffer, 0, values.byteLength))
    const columns = Object.fromEntries(parts.map(({ name, values }) => [name, values])) as ColumnsOf<L>
    await append(Buffer.concat(bytes), columns)
    batch = make()
    filled = 0
  }

  return {
    /** Adds the rows of columns, which may have others besides. */
    async add(columns: ColumnsOf<L>, rows: number): Promise<void> {
      for (let start = 0; start < rows; ) {
        const count = Math.min(rows - start, rows_per_block - filled)
        for (const { name, values } of batch) values.set(columns[name]!.subarray(start, start + count) as never, filled)
        filled += count
        start += count
        if (filled === rows_per_block) await flush()
      }
    },
    async end(): Promise<void> {
      if (filled > 0) await flush()
    },
  }
}
