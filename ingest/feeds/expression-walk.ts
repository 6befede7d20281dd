import { type Functions, SESSION_VALUES } from './expression-functions.ts'
import type { ExpressionNode } from './expression-tree.ts'
import { didYouMean } from './nearest.ts'

/** Why an expression is refused. */
export class ExpressionError extends Error {}

/** What an expression refers to: columns as first written, and built-in macros of DuckDB. */
export type References = { columns: readonly string[]; macros: readonly string[] }

/** Parameters of lambdas and macros, in lower case, which are not columns. */
type Bound = ReadonlySet<string>

const MAX_DEPTH = 200

/** The keys that each kind of node may have. Other keys are refused, since they are not checked. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  CONSTANT: ['value'],
  COLUMN_REF: ['column_names'],
  COMPARISON: ['left', 'right'],
  CONJUNCTION: ['children'],
  OPERATOR: ['children'],
  BETWEEN: ['input', 'lower', 'upper'],
  CASE: ['case_checks', 'else_expr'],
  CAST: ['child', 'cast_type', 'try_cast'],
  FUNCTION: ['function_name', 'schema', 'catalog', 'children', 'order_bys', 'is_operator'],
  LAMBDA: ['lhs', 'expr'],
}
const COMMON_KEYS = ['class', 'type', 'alias', 'query_location']
const SINGLE_CHILDREN = ['child', 'left', 'right', 'input', 'lower', 'upper', 'else_expr', 'lhs', 'expr']

const OPERATORS = new Set([
  'OPERATOR_NOT',
  'OPERATOR_IS_NULL',
  'OPERATOR_IS_NOT_NULL',
  'OPERATOR_COALESCE',
  'OPERATOR_TRY',
  'COMPARE_IN',
  'COMPARE_NOT_IN',
  'ARRAY_CONSTRUCTOR',
  'ARRAY_EXTRACT',
  'ARRAY_SLICE',
  'STRUCT_EXTRACT',
])

const REASONS: Readonly<Record<string, string>> = {
  SUBQUERY: 'a subquery is not allowed',
  STAR: '* and COLUMNS() are not allowed; name each column',
  PARAMETER: 'a parameter ($1, ?) is not allowed',
  WINDOW: 'a window function reads several rows',
  COLLATE: 'COLLATE is not allowed',
  POSITIONAL_REFERENCE: 'a column number is not allowed; name the column',
  DEFAULT: 'DEFAULT is not allowed',
  LAMBDA: 'a lambda is only allowed as an argument of a list function such as list_transform()',
  GROUPING_FUNCTION: 'grouping() is an aggregate function, which reads several rows',
  OPERATOR_UNPACK: '* and COLUMNS() are not allowed; name each column',
}

const refuse: (reason: string) => never = (reason) => {
  throw new ExpressionError(reason)
}

const nodes = (value: unknown): readonly ExpressionNode[] => (value ?? []) as readonly ExpressionNode[]

/**
 * `a -> b` outside a list function extracts from JSON; a lambda with the keyword has no location for its parameters.
 */
const isJsonArrow = ({ lhs }: ExpressionNode): boolean =>
  [lhs as ExpressionNode, ...nodes((lhs as ExpressionNode).children)].every((name) => 'query_location' in name)

/** The names that a lambda binds: `lambda x: ...`, `x -> ...`, `(x, i) -> ...`. */
const lambdaNames = (lhs: ExpressionNode): string[] =>
  (lhs.class === 'FUNCTION' ? nodes(lhs.children) : [lhs]).map(({ column_names }) =>
    Array.isArray(column_names) && column_names.length === 1
      ? String(column_names[0]).toLowerCase()
      : refuse('the parameters of a lambda must be plain names'),
  )

const checkKeys = (node: ExpressionNode): void => {
  const keys = KEYS[node.class]
  if (node.class === 'OPERATOR' && !OPERATORS.has(node.type))
    refuse(REASONS[node.type] ?? `${node.type} is not allowed`)
  if (keys === undefined) refuse(REASONS[node.class] ?? `${node.class} is not allowed`)
  const extra = Object.keys(node).find((key) => !keys.includes(key) && !COMMON_KEYS.includes(key))
  if (extra === 'distinct' || extra === 'filter')
    refuse(`${extra.toUpperCase()} is only for aggregate functions, which read several rows`)
  if (extra !== undefined) refuse(`${extra} is not allowed`)
}

const childrenOf = (node: ExpressionNode): ExpressionNode[] => {
  const checks = (node.case_checks ?? []) as readonly { when_expr: ExpressionNode; then_expr: ExpressionNode }[]
  const single = SINGLE_CHILDREN.flatMap((key) => (node[key] === undefined ? [] : [node[key] as ExpressionNode]))
  return [...nodes(node.children), ...checks.flatMap(({ when_expr, then_expr }) => [when_expr, then_expr]), ...single]
}

const checkType = (type: unknown, functions: Functions): void => {
  if (typeof type !== 'object' || type === null) return
  const { id, type_info } = type as { id?: string; type_info?: { name?: string; schema?: string; catalog?: string } }
  const { name = '', schema = '', catalog = '' } = type_info ?? {}
  if (id === 'UNBOUND' && (schema !== '' || catalog !== '')) refuse(`the type ${schema}.${name} names a schema`)
  if (id === 'UNBOUND' && !functions.isType(name)) refuse(`there is no type ${name}${functions.nearTypes(name)}`)
  for (const inner of Object.values(type)) checkType(inner, functions)
}

const checkCall = (name: string, { schema, catalog, order_bys, children }: ExpressionNode): void => {
  const isQualified =
    !['', 'main', 'pg_catalog'].includes(String(schema ?? '')) || !['', 'system'].includes(String(catalog ?? ''))
  if (isQualified) refuse(`${schema}.${name}() names a schema; if ${schema} is a column, write ${name}(${schema}, ...)`)
  if (nodes((order_bys as ExpressionNode | undefined)?.orders).length > 0)
    refuse('ORDER BY is only for aggregate functions, which read several rows')
  // With one argument it is the age up to today.
  if (name === 'age' && nodes(children).length < 2) refuse('age() of one argument depends on the clock')
}

/**
 * Checks the tree of an expression and returns what it refers to. `columns` are the names it may use, if given;
 * `parameters` are those of the macro that it defines. Throws ExpressionError.
 */
export const walk = (
  tree: ExpressionNode,
  functions: Functions,
  columns?: readonly string[],
  parameters: readonly string[] = [],
) => {
  const allowed = columns && new Set(columns.map((name) => name.toLowerCase()))
  const used = { columns: new Map<string, string>(), macros: new Set<string>() }

  const visitColumn = ({ column_names }: ExpressionNode, bound: Bound): void => {
    const [name = '', ...fields] = column_names as readonly string[]
    const key = name.toLowerCase()
    if (bound.has(key)) return
    if (!allowed?.has(key)) {
      if (fields.length === 0 && SESSION_VALUES.has(key)) refuse(`${name} depends on the session or the clock`)
      if (columns) refuse(`there is no column ${name}${didYouMean(name, columns)}`)
    }
    if (!used.columns.has(key)) used.columns.set(key, name)
  }

  const visitFunction = (node: ExpressionNode, bound: Bound, depth: number): void => {
    const name = String(node.function_name).toLowerCase()
    checkCall(name, node)
    const verdict = functions.verdict(name)
    if (verdict.kind === 'refused') refuse(verdict.reason)
    if (verdict.kind === 'macro') used.macros.add(name)
    const takesLambda = verdict.kind === 'allowed' && verdict.takesLambda
    for (const [index, child] of nodes(node.children).entries()) {
      if (child.class !== 'LAMBDA' || index === 0 || !takesLambda) visit(child, bound, depth + 1)
      else
        visit(child.expr as ExpressionNode, new Set([...bound, ...lambdaNames(child.lhs as ExpressionNode)]), depth + 1)
    }
  }

  const visit = (node: ExpressionNode, bound: Bound, depth: number): void => {
    if (depth > MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} levels deep`)
    checkKeys(node)
    if (node.class === 'LAMBDA' && !isJsonArrow(node)) refuse(REASONS.LAMBDA!)
    if (node.class === 'CAST') checkType(node.cast_type, functions)
    if (node.class === 'COLUMN_REF') visitColumn(node, bound)
    else if (node.class === 'FUNCTION') visitFunction(node, bound, depth)
    else for (const child of childrenOf(node)) visit(child, bound, depth + 1)
  }

  visit(tree, new Set(parameters.map((name) => name.toLowerCase())), 0)
  return { columns: [...used.columns.values()], macros: [...used.macros] }
}
