import type { DuckDBConnection, DuckDBDataChunk, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api'
import { EngineError } from '../contract/errors.ts'
import { giveWay, turn } from '../contract/turn.ts'
import { byName, type Columns, chunkColumns, columnsFor, fill, TEXTS_AT_ONCE } from './columns.ts'
import { interruptUntilEnded } from './interrupt.ts'
import { createTexts, type Texts } from './texts.ts'

/** Values bound to the `$name` placeholders of a statement; dates are `YYYY-MM-DD` strings. */
export type Bindings = Record<string, string | number | boolean | null>

export type RunOptions = {
  /** Cancels the statement, queued or running, when a client disconnects or a deadline passes. */
  signal?: AbortSignal | undefined
}

export type { Columns }
export type Row = Record<string, unknown>
/** Takes the next rows of a result as columns, which it may keep only until it ends. */
export type TakeColumns = (columns: Columns, rows: number) => Promise<void>

/** Chunks of 2,048 rows that are copied before yielding to the event loop. */
const CHUNKS_AT_ONCE = 32

/** Binds the placeholders of a statement. A variant of a relation may use only some of the query's bindings. */
const bind = (statement: DuckDBPreparedStatement, bindings: Bindings): void => {
  for (let i = 1; i <= statement.parameterCount; i += 1) {
    const name = statement.parameterName(i)
    const value = bindings[name]
    if (value === undefined) throw new Error(`$${name} is not bound`)
    statement.bindValue(i, value)
  }
}

class PooledConnection {
  readonly connection: DuckDBConnection
  readonly #prepared = new Map<string, DuckDBPreparedStatement>()

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const statement = this.#prepared.get(sql) ?? (await this.connection.prepare(sql))
    this.#prepared.set(sql, statement)
    return statement
  }

  async #runToEnd(sql: string, bindings: Bindings): Promise<DuckDBResult> {
    const statement = await this.prepare(sql)
    bind(statement, bindings)
    return statement.run()
  }

  async #count(sql: string, bindings: Bindings): Promise<number> {
    const counted = await this.#runToEnd(`SELECT count(*)::INTEGER FROM (${sql})`, bindings)
    const [[rows]] = (await counted.getRowsJS()) as [[number]]
    return rows
  }

  /**
   * Streams a result of `rows` rows that is too long to keep in memory twice. DuckDB ends a failed stream without an
   * error, so the rows are counted.
   */
  async *#stream(sql: string, bindings: Bindings, rows: number): AsyncGenerator<[DuckDBDataChunk, DuckDBResult]> {
    const statement = await this.prepare(sql)
    bind(statement, bindings)
    let read = 0
    let chunks = 0
    const result = await statement.stream()
    for await (const chunk of result) {
      read += chunk.rowCount
      chunks += 1
      // A result that is read faster than it is used would let nothing else run.
      if (chunks % CHUNKS_AT_ONCE === 0) await turn()
      yield [chunk, result]
    }
    if (read === rows) return
    // Run to the end, the statement throws its error.
    await this.#runToEnd(sql, bindings)
    throw new Error(`${read} of ${rows} rows were read`)
  }

  async columns(sql: string, bindings: Bindings, options: RunOptions = {}): Promise<Columns> {
    const result = await this.#untilAborted(options, () => this.#runToEnd(sql, bindings))
    const chunks: DuckDBDataChunk[] = []
    for await (const chunk of result) chunks.push(chunk)
    const rows = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
    const columns = columnsFor(result, rows)
    let read = 0
    for (const [number, chunk] of chunks.entries()) {
      if (number % CHUNKS_AT_ONCE === 0) await turn()
      for (const [index, { values }] of columns.entries()) await fill(values, read, chunk.getColumnVector(index))
      read += chunk.rowCount
    }
    return byName(columns)
  }

  async each(sql: string, bindings: Bindings, take: TakeColumns): Promise<void> {
    for await (const [chunk, result] of this.#stream(sql, bindings, await this.#count(sql, bindings))) {
      await take(await chunkColumns(result, chunk), chunk.rowCount)
    }
  }

  async texts(sql: string, bindings: Bindings): Promise<Texts> {
    const texts = createTexts()
    for await (const [chunk] of this.#stream(sql, bindings, await this.#count(sql, bindings))) {
      const column = chunk.getColumnVector(0)
      for (let i = 0; i < column.itemCount; i += 1) {
        texts.add(column.getItem(i) as string)
        if (i % TEXTS_AT_ONCE === 0) await giveWay()
      }
    }
    return texts.end()
  }

  async run(sql: string, bindings: Bindings, options: RunOptions): Promise<Row[]> {
    const result = await this.#untilAborted(options, () => this.#runToEnd(sql, bindings))
    const rows: Row[] = []
    for await (const chunk of result.yieldRowObjectJs()) {
      rows.push(...chunk)
      await giveWay()
    }
    return rows
  }

  /** Waits for a statement, which is interrupted if the signal aborts. */
  async #untilAborted<T>({ signal }: RunOptions, run: () => Promise<T>): Promise<T> {
    if (signal?.aborted) throw cancelled()
    const interrupt = interruptUntilEnded(this.connection)
    signal?.addEventListener('abort', interrupt.start, { once: true })
    try {
      return await run()
    } catch (error) {
      throw signal?.aborted ? cancelled() : error
    } finally {
      signal?.removeEventListener('abort', interrupt.start)
      interrupt.stop()
    }
  }
}

export const cancelled = () => new EngineError('NOT_READY', 'The query timed out or was cancelled; retry.')

/** A fixed number of connections with their prepared statements; statements wait for a free one in order of arrival. */
export class Pool {
  readonly #free: PooledConnection[]
  readonly #all: readonly PooledConnection[]
  readonly #waiting = new Set<(connection: PooledConnection) => void>()

  private constructor(connections: readonly PooledConnection[]) {
    this.#all = connections
    this.#free = [...connections]
  }

  /** Opens `size` connections. */
  static async open(connect: () => Promise<DuckDBConnection>, size: number): Promise<Pool> {
    const connections: PooledConnection[] = []
    for (let i = 0; i < size; i++) connections.push(new PooledConnection(await connect()))
    return new Pool(connections)
  }

  /** The number of statements that wait for a connection. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** The statement's rows as plain objects. Throws EngineError NOT_READY when cancelled. */
  run(sql: string, bindings: Bindings, options: RunOptions = {}): Promise<Row[]> {
    return this.#lend((connection) => connection.run(sql, bindings, options), options)
  }

  /** The statement's columns, for results with too many rows for objects. */
  columns(sql: string, bindings: Bindings, options: RunOptions = {}): Promise<Columns> {
    return this.#lend((connection) => connection.columns(sql, bindings, options), options)
  }

  /** Passes on the statement's columns in pieces of a few thousand rows, in row order. */
  each(sql: string, bindings: Bindings, take: TakeColumns): Promise<void> {
    return this.#lend((connection) => connection.each(sql, bindings, take))
  }

  /** The statement's first column, which must be text, in row order. */
  texts(sql: string, bindings: Bindings): Promise<Texts> {
    return this.#lend((connection) => connection.texts(sql, bindings))
  }

  async #lend<T>(use: (connection: PooledConnection) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const connection = this.#free.pop() ?? (await this.#nextFree(options.signal))
    try {
      return await use(connection)
    } finally {
      const [next] = this.#waiting
      if (next) next(connection)
      else this.#free.push(connection)
    }
  }

  /** Waits for a connection; leaves the queue as soon as the signal aborts. */
  #nextFree(signal: AbortSignal | undefined): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      const take = (connection: PooledConnection) => {
        this.#waiting.delete(take)
        signal?.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        this.#waiting.delete(take)
        reject(cancelled())
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(take)
    })
  }

  close(): void {
    for (const { connection } of this.#all) connection.closeSync()
  }
}
