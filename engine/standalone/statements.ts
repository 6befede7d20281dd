import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { EngineError } from '../errors.ts'
import { positionOf, sqlError } from './sql-error.ts'

/** A part of a text of SQL that holds one statement, and where in the text it begins. */
export type Piece = { sql: string; start: number }

/** How many statements a text holds; throws what DuckDB's parser says of it. */
const countOf = async (connection: DuckDBConnection, sql: string): Promise<number> => {
  try {
    return (await connection.extractStatements(sql)).count
  } catch (cause) {
    // Without any statement there is an error, too, but not one of the parser.
    if (!String(cause).includes('Parser Error')) return 0
    throw cause
  }
}

const countOrNone = (connection: DuckDBConnection, sql: string): Promise<number> =>
  countOf(connection, sql).catch(() => Number.NaN)

const semicolons = function* (sql: string, start: number) {
  for (let at = sql.indexOf(';', start); at !== -1; at = sql.indexOf(';', at + 1)) yield at
}

/**
 * Cuts a text of SQL into its statements: at semicolons that leave as many statements on both sides together as there are
 * in the whole, which those within quotes and comments do not. Throws EngineError INVALID_PARAMS for what is no SQL.
 */
export const piecesOf = async (connection: DuckDBConnection, sql: string): Promise<Piece[]> => {
  let left = await countOf(connection, sql).catch((cause: unknown) => {
    throw sqlError(cause, sql)
  })
  const pieces: Piece[] = []
  let start = 0
  const endOfFirst = async (): Promise<number> => {
    for (const at of semicolons(sql, start)) {
      const before = await countOrNone(connection, sql.slice(start, at))
      if (!(before > 0)) continue
      const after = await countOrNone(connection, sql.slice(at + 1))
      if (before + after !== left) continue
      left = after
      return at
    }
    left = 0
    return sql.length
  }
  while (left > 0) {
    start += /^\s*/.exec(sql.slice(start))![0].length
    const end = await endOfFirst()
    pieces.push({ sql: sql.slice(start, end), start })
    start = end + 1
  }
  return pieces
}

/** Statements that read, or change what is in memory alone. The rest could write files, read others or change settings. */
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

/** EXPLAIN with its options; line comments may come before. Whatever this misses is refused. */
const EXPLAIN = /^(?:\s|--[^\r\n]*[\r\n])*EXPLAIN\s+(?:ANALYZE\s+)?(?:\([\w\s,]*\)\s*)?/i

/** A function that a SELECT may call; it ends the process where the log cannot be written. */
const LOGGING = /enable_logging/i

const refused = (name: string, text: string, { start }: Piece): EngineError =>
  new EngineError(
    'INVALID_PARAMS',
    `${positionOf(text, start)}: ${name} is not allowed: sql reads the lake, and only --parquet FILE writes a result`,
    { statement: name },
  )

/** Refuses a statement that could do more than read. INVALID_PARAMS, naming it. */
export const requireReading = async (
  connection: DuckDBConnection,
  { statementType }: DuckDBPreparedStatement,
  piece: Piece,
  text: string,
): Promise<void> => {
  if (LOGGING.test(piece.sql)) throw refused('enable_logging', text, piece)
  if (allowed.has(statementType)) return
  if (statementType !== StatementType.EXPLAIN) throw refused(nameOf(statementType), text, piece)
  const explained = piece.sql.replace(EXPLAIN, '')
  const inner = await connection.extractStatements(explained).catch(() => null)
  const statement = inner?.count === 1 && explained !== piece.sql ? await inner.prepare(0).catch(() => null) : null
  if (statement?.statementType !== StatementType.SELECT) throw refused('EXPLAIN of other than SELECT', text, piece)
}

const nameOf = (type: StatementType): string => (StatementType[type] ?? 'This statement').replaceAll('_', ' ')
