import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../engine/index.ts'
import { type Functions, loadFunctions } from './expression-functions.ts'
import { parseExpression } from './expression-tree.ts'
import { ExpressionError, walk } from './expression-walk.ts'

export type ExpressionContext = {
  /** The location of the expression, such as `feed.json: columns.price`; every message begins with it. */
  where: string
  /** The source's columns, if given; any other name is refused. */
  columns?: readonly string[]
}

const ALLOWED =
  'An expression may use columns, constants, operators, casts, CASE and scalar functions that depend only ' +
  'on their arguments.'

/** Checks the definition of a macro, and of those that it uses. Throws ExpressionError. */
const checkMacro = async (
  connection: DuckDBConnection,
  functions: Functions,
  name: string,
  checked: Set<string>,
): Promise<void> => {
  const verdict = functions.verdict(name)
  if (checked.has(name) || verdict.kind !== 'macro') return
  checked.add(name)
  for (const { parameters, definition } of verdict.bodies) {
    const tree = await parseExpression(connection, definition)
    if (typeof tree === 'string') throw new ExpressionError(`the definition of ${name}() ${tree}`)
    const { macros } = walk(tree, functions, [], parameters)
    for (const macro of macros) await checkMacro(connection, functions, macro, checked)
  }
}

const columnsOf = async (
  connection: DuckDBConnection,
  sql: string,
  columns: readonly string[] | undefined,
): Promise<readonly string[]> => {
  const tree = await parseExpression(connection, sql)
  if (typeof tree === 'string') throw new ExpressionError(`the expression ${tree}`)
  const functions = await loadFunctions(connection)
  const used = walk(tree, functions, columns)
  const checked = new Set<string>()
  for (const name of used.macros)
    await checkMacro(connection, functions, name, checked).catch((cause) => {
      throw cause instanceof ExpressionError ? new ExpressionError(`${name}() is not allowed: ${cause.message}`) : cause
    })
  return used.columns
}

/**
 * Checks the SQL expression that a mapping gives for a column, and returns the columns of the source that it refers to,
 * as they are first written; of `a.b`, `a`.
 *
 * It must be one scalar expression for DuckDB's parser, both alone and between parentheses, so that it cannot affect
 * the statement that contains it. Functions must be scalar, consistent and built in, or built-in macros that use only
 * such functions; user-defined macros are refused, since they may read anything. Types must be built in: an unknown
 * type or function could load an extension. The expression is not run.
 *
 * INVALID_PARAMS, naming what is refused, the nearest valid name and what is allowed.
 */
export const checkExpression = async (
  connection: DuckDBConnection,
  sql: string,
  { where, columns }: ExpressionContext,
): Promise<readonly string[]> => {
  try {
    return await columnsOf(connection, sql, columns)
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause
    throw new EngineError('INVALID_PARAMS', `${where}: ${cause.message}. ${ALLOWED}`, { where, sql })
  }
}
