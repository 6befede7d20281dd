import type { DuckDBConnection } from '@duckdb/node-api'
import { confine } from '../../duckdb/database.ts'
import { interruptUntilEnded } from '../../duckdb/interrupt.ts'
import { literal } from '../../duckdb/tables.ts'
import { type DuckDBInstance, ResultReturnType } from '../../lake/duckdb.ts'
import { type SnapshotFiles, statementOf } from './definitions.ts'
import type { SqlResult } from './result.ts'
import { openScratch } from './scratch.ts'
import { isInterrupt, sqlError } from './sql-error.ts'
import { type Piece, piecesOf, requireReading } from './statements.ts'
import { analystDefinitions } from './views.ts'

/** The statement was interrupted. */
export class SqlInterrupted extends Error {
  override readonly name = 'SqlInterrupted'
}

/**
 * A DuckDB for an analyst's own SQL, with the views and macros of a snapshot. It can only open the snapshot's files. What
 * statements create is in memory and is dropped with the session.
 */
export class SqlSession {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  /** Opens a session; `limits` are settings of DuckDB, such as memory_limit. */
  static async open(files: SnapshotFiles, limits: Readonly<Record<string, string>> = {}): Promise<SqlSession> {
    const instance = await openScratch(limits)
    const connection = await instance.connect()
    for (const definition of analystDefinitions(files)) await connection.run(statementOf(definition))
    const paths = files.files.map(({ path }) => literal(`${files.folder}/${path}`))
    await connection.run('SET errors_as_json = true')
    // Paths rather than folders, so that no file can be created in the snapshot's folder.
    await confine(connection, `allowed_paths = [${paths.join()}]`)
    return new SqlSession(instance, connection)
  }

  /**
   * Runs statements one after the other and passes the last result to `use`; null if no statement returns one. Throws
   * INVALID_PARAMS with the position of an error or of a statement that could write, and SqlInterrupted if `signal` aborts.
   */
  async run<T>(sql: string, signal: AbortSignal, use: (result: SqlResult | null) => Promise<T>): Promise<T> {
    const interrupt = interruptUntilEnded(this.#connection)
    signal.addEventListener('abort', interrupt.start, { once: true })
    let piece: Piece | undefined
    try {
      let result: SqlResult | null = null
      for (piece of await piecesOf(this.#connection, sql)) {
        signal.throwIfAborted()
        result = (await this.#runPiece(piece, sql)) ?? result
      }
      const used = await use(result)
      signal.throwIfAborted()
      return used
    } catch (cause) {
      if (signal.aborted || isInterrupt(cause)) throw new SqlInterrupted()
      throw sqlError(cause, sql, piece?.start)
    } finally {
      signal.removeEventListener('abort', interrupt.start)
      interrupt.stop()
    }
  }

  /** The result of a piece, which DuckDB may split into several statements; null if there is none. */
  async #runPiece(piece: Piece, text: string): Promise<SqlResult | null> {
    const extracted = await this.#connection.extractStatements(piece.sql)
    let result: SqlResult | null = null
    for (let i = 0; i < extracted.count; i += 1) {
      const statement = await extracted.prepare(i)
      await requireReading(this.#connection, statement, piece, text)
      // Not streamed, since DuckDB ends a failed stream without an error.
      const ran = await statement.run()
      if (ran.returnType === ResultReturnType.QUERY_RESULT) result = ran
    }
    return result
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}
