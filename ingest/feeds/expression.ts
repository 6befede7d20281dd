import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../engine/index.ts'
import { type Functions, loadFunctions } from './expression-functions.ts'
import { parseExpression } from './expression-tree.ts'
import { Refusal, walk } from './expression-walk.ts'

export type ExpressionContext = {
  /** The place of the expression; every message begins with it, such as `feed.json: columns.price`. */
  where: string
  /** The source's columns, where they are known: any other name is refused. */
  columns?: readonly string[]
}

const ALLOWED =
  'An expression may use columns, constants, operators, casts, CASE and scalar functions that depend on their ' +
  'arguments alone.'

/** Checks the definition of a macro, and of those that it uses. Throws a Refusal. */
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
    if (typeof tree === 'string') throw new Refusal(`the definition of ${name}() ${tree}`)
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
  if (typeof tree === 'string') throw new Refusal(`the expression ${tree}`)
  const functions = await loadFunctions(connection)
  const found = walk(tree, functions, columns)
  const checked = new Set<string>()
  for (const name of found.macros)
    await checkMacro(connection, functions, name, checked).catch((cause) => {
      throw cause instanceof Refusal ? new Refusal(`${name}() is not allowed: ${cause.message}`) : cause
    })
  return found.columns
}

/**
 * Checks the SQL expression that a mapping gives for a column, and returns the columns of the source that it refers to,
 * as they are first written; of `a.b`, `a`.
 *
 * It must be one scalar expression for DuckDB's parser, alone and between parentheses, so that it cannot reach beyond
 * the place it is put in. Functions must be scalar, consistent and DuckDB's own, or macros of DuckDB made of such; the
 * connection's own macros are refused, since what they read is not known. Types must be DuckDB's own: an unknown type
 * or function could load an extension. Nothing of the expression is run.
 *
 * INVALID_PARAMS, naming what is refused, the nearest known name and what is allowed.
 */
export const checkExpression = async (
  connection: DuckDBConnection,
  sql: string,
  { where, columns }: ExpressionContext,
): Promise<readonly string[]> => {
  try {
    return await columnsOf(connection, sql, columns)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new EngineError('INVALID_PARAMS', `${where}: ${cause.message}. ${ALLOWED}`, { where, sql })
  }
}
