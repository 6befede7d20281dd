import type { DuckDBConnection } from '@duckdb/node-api'

/** A node of DuckDB's syntax tree, as `json_serialize_sql` writes it. */
export type ExpressionNode = Readonly<Record<string, unknown>> & { class: string; type: string }

type Parsed = {
  error: boolean
  error_message?: string
  statements?: readonly { node: Readonly<Record<string, unknown>> }[]
}

const MAX_LENGTH = 10_000

/** Quoted texts, which may contain the start of a comment, or the start of a comment. */
const QUOTED_OR_COMMENT = /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--|\/\*/g

/** The clauses and modifiers of a SELECT that a sole expression leaves empty. */
const CLAUSES: Readonly<Record<string, string>> = {
  modifiers: 'DISTINCT, ORDER BY or LIMIT',
  where_clause: 'a WHERE clause',
  group_expressions: 'a GROUP BY clause',
  group_sets: 'a GROUP BY clause',
  having: 'a HAVING clause',
  qualify: 'a QUALIFY clause',
  sample: 'a sample clause',
}
const EXPECTED = ['type', 'cte_map', 'select_list', 'from_table', 'aggregate_handling']

/** The tree without locations in the text, which depend on parentheses. */
const withoutLocations = (tree: unknown): string =>
  JSON.stringify(tree, (key, value) => (key === 'query_location' ? undefined : value))

const parseSelect = async (connection: DuckDBConnection, text: string): Promise<Parsed> => {
  const result = await connection.runAndReadAll(
    'SELECT json_serialize_sql($1::VARCHAR, skip_default := true)::VARCHAR AS tree',
    [`SELECT ${text}`],
  )
  // A number too large for a double is written as Infinity, which is not JSON.
  const json = String(result.getRows()[0]?.[0]).replace(/"value":(?:-?Infinity|-?NaN)\b/g, '"value":null')
  return JSON.parse(json) as Parsed
}

const whyNotText = (text: string): string | null => {
  if (text.trim() === '') return 'is empty'
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`
  // The parser stops reading at a NUL.
  if (text.includes('\0')) return 'contains a NUL character'
  const quoted = text.match(QUOTED_OR_COMMENT) ?? []
  return quoted.some((part) => part === '--' || part === '/*') ? 'contains a comment' : null
}

const whyNotParsed = (message: string): string => {
  if (/expression depth|memory exhausted/.test(message)) return 'is nested too deeply'
  return /^Only SELECT/.test(message) ? 'contains another statement' : `cannot be parsed: ${message}`
}

const whyNotSole = ({ statements = [] }: Parsed): string | null => {
  const [{ node } = { node: {} }] = statements
  if (statements.length !== 1) return 'contains a semicolon'
  if (node.type !== 'SELECT_NODE') return 'contains a set operation or a clause'
  if ((node.from_table as ExpressionNode).type !== 'EMPTY') return 'contains a FROM clause'
  const extra = Object.keys(node).find((key) => !EXPECTED.includes(key))
  if (extra !== undefined) return `contains ${CLAUSES[extra] ?? 'a clause'}`
  const items = node.select_list as readonly ExpressionNode[]
  if (items.length !== 1) return `contains ${items.length} expressions; expected one`
  const { alias } = items[0]!
  return alias ? `gives its value the alias "${alias}"` : null
}

/**
 * Parses a text that must be one SQL expression, which it also is between parentheses. Returns its tree, or why it is
 * not one, as a predicate for a message.
 */
export const parseExpression = async (connection: DuckDBConnection, text: string): Promise<ExpressionNode | string> => {
  const whyNot = whyNotText(text)
  if (whyNot !== null) return whyNot
  const bare = await parseSelect(connection, text)
  if (bare.error) return whyNotParsed(bare.error_message ?? '')
  const why = whyNotSole(bare)
  if (why !== null) return why
  // A text that ends early, or continues after its end, parses differently between parentheses.
  const enclosed = await parseSelect(connection, `(${text})`)
  if (withoutLocations(enclosed) !== withoutLocations(bare)) return 'is not one expression; remove what surrounds it'
  return (bare.statements![0]!.node.select_list as readonly ExpressionNode[])[0]!
}
