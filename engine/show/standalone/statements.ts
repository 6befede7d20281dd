import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api'
import { EngineError } from '../../contract/errors.ts'
import { StatementType } from '../../lake/duckdb.ts'
import { positionOf, sqlError } from './sql-error.ts'

/** A part of an SQL text with one statement, and its offset in the text. */
export type Piece = { sql: string; start: number }

/** The number of statements in a text. Throws the error of DuckDB's parser. */
const countOf = async (connection: DuckDBConnection, sql: string): Promise<number> => {
  try {
    return (await connection.extractStatements(sql)).count
  } catch (cause) {
    // A text without statements causes an error too, but not a parser error.
    if (!String(cause).includes('Parser Error')) return 0
    throw cause
  }
}

const countOrNone = (connection: DuckDBConnection, sql: string): Promise<number> =>
  countOf(connection, sql).catch(() => Number.NaN)

const semicolons = function* (sql: string, start: number) {
  for (let offset = sql.indexOf(';', start); offset !== -1; offset = sql.indexOf(';', offset + 1)) yield offset
}

/**
 * Splits an SQL text into its statements, at semicolons for which both sides together have as many statements as the whole;
 * semicolons within quotes and comments do not. Throws EngineError INVALID_PARAMS if the text is not valid SQL.
 */
export const piecesOf = async (connection: DuckDBConnection, sql: string): Promise<Piece[]> => {
  let remaining = await countOf(connection, sql).catch((cause: unknown) => {
    throw sqlError(cause, sql)
  })
  const pieces: Piece[] = []
  let start = 0
  const endOfFirst = async (): Promise<number> => {
    for (const semicolon of semicolons(sql, start)) {
      const before = await countOrNone(connection, sql.slice(start, semicolon))
      if (!(before > 0)) continue
      const after = await countOrNone(connection, sql.slice(semicolon + 1))
      if (before + after !== remaining) continue
      remaining = after
      return semicolon
    }
    remaining = 0
    return sql.length
  }
  while (remaining > 0) {
    start += /^\s*/.exec(sql.slice(start))![0].length
    const end = await endOfFirst()
    pieces.push({ sql: sql.slice(start, end), start })
    start = end + 1
  }
  return pieces
}

/** Statements that only read or change memory. Others could write files, read other files or change settings. */
const allowed: ReadonlySet<StatementType> = new Set([
  StatementType.SELECT,
  StatementType.SET,
  StatementType.CREATE,
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
  StatementType.ALTER,
  StatementType.DROP,
])

/** EXPLAIN with its options, after optional line comments. What does not match is refused. */
const EXPLAIN = /^(?:\s|--[^\r\n]*[\r\n])*EXPLAIN\s+(?:ANALYZE\s+)?(?:\([\w\s,]*\)\s*)?/i

/** A function that ends the process if the log cannot be written. */
const LOGGING = /enable_logging/i

const notAllowed = (name: string, text: string, { start }: Piece): EngineError =>
  new EngineError(
    'INVALID_PARAMS',
    `${positionOf(text, start)}: ${name} is not allowed: sql only reads the lake; use --parquet FILE to write a result`,
    { statement: name },
  )

/** Throws INVALID_PARAMS, naming the statement, if it could do more than read. */
export const requireReading = async (
  connection: DuckDBConnection,
  { statementType }: DuckDBPreparedStatement,
  piece: Piece,
  text: string,
): Promise<void> => {
  if (LOGGING.test(piece.sql)) throw notAllowed('enable_logging', text, piece)
  if (allowed.has(statementType)) return
  if (statementType !== StatementType.EXPLAIN) throw notAllowed(nameOf(statementType), text, piece)
  const explained = piece.sql.replace(EXPLAIN, '')
  const inner = await connection.extractStatements(explained).catch(() => null)
  const statement = inner?.count === 1 && explained !== piece.sql ? await inner.prepare(0).catch(() => null) : null
  if (statement?.statementType !== StatementType.SELECT) throw notAllowed('EXPLAIN of other than SELECT', text, piece)
}

const nameOf = (type: StatementType): string => (StatementType[type] ?? 'This statement').replaceAll('_', ' ')
