import type { DuckDBConnection } from '@duckdb/node-api'
import { groupBy } from '../../engine/index.ts'
import { didYouMean } from './nearest.ts'

/** One definition of a macro that DuckDB itself has. */
export type MacroBody = { parameters: readonly string[]; definition: string }

/** Whether a function may be called; of a macro, the definitions that decide it. */
export type Verdict =
  | { kind: 'allowed'; takesLambda: boolean }
  | { kind: 'macro'; bodies: readonly MacroBody[] }
  | { kind: 'refused'; reason: string }

type FunctionRow = {
  name: string
  type: string
  stability: string | null
  internal: boolean
  takes_lambda: boolean
  parameters: string[]
  definition: string | null
}

const FUNCTIONS = `
  SELECT DISTINCT lower(function_name) AS name, function_type AS type, stability, internal,
    list_contains(parameter_types, 'LAMBDA') AS takes_lambda,
    CASE WHEN function_type = 'macro' THEN parameters ELSE [] END AS parameters, macro_definition AS definition
  FROM duckdb_functions()
  ORDER BY ALL`

const TYPES = `SELECT DISTINCT lower(type_name) AS name FROM duckdb_types() WHERE internal ORDER BY name`

/** Functions that DuckDB declares consistent although they read the session, the clock or its internals. */
const SESSION = new Set([
  'current_localtime',
  'current_localtimestamp',
  'current_setting',
  'getvariable',
  'vector_type',
  'version',
])
const INTERNAL =
  /^(?:__internal_.*|create_sort_key|json_(?:de)?serialize_(?:sql|plan)|parse_duckdb_log_message|stats|write_log)$/
const READS_FILES = /^(?:read_|parquet_|glob$|sniff_csv$|scan_|arrow_scan|seq_scan$)/

/** Names that mean a value of the session or the clock if no column has that name. */
export const SESSION_VALUES: ReadonlySet<string> = new Set([
  'current_catalog',
  'current_database',
  'current_date',
  'current_role',
  'current_schema',
  'current_time',
  'current_timestamp',
  'current_user',
  'localtime',
  'localtimestamp',
  'session_user',
  'user',
])

/** Macros of ours that mappings may use; of others a mapping knows nothing. */
const FOR_MAPPINGS: ReadonlySet<string> = new Set(['html_unescaped'])

const refused = (reason: string): Verdict => ({ kind: 'refused', reason })

const notScalar = (name: string, types: ReadonlySet<string>): Verdict => {
  if (name === 'unnest') return refused('unnest() returns several rows')
  if (types.has('aggregate')) return refused(`${name}() is an aggregate function, which reads several rows`)
  if (READS_FILES.test(name)) return refused(`${name}() reads files`)
  return refused(`${name}() is a ${types.has('pragma') ? 'pragma' : 'table function'}`)
}

const scalarVerdict = (name: string, rows: readonly FunctionRow[]): Verdict => {
  if (INTERNAL.test(name)) return refused(`${name}() is internal to DuckDB`)
  const isOfSession = SESSION.has(name) || SESSION_VALUES.has(name)
  if (isOfSession || rows.some(({ stability }) => stability === 'CONSISTENT_WITHIN_QUERY'))
    return refused(`${name}() depends on the session or the clock`)
  if (rows.some(({ stability }) => stability !== 'CONSISTENT'))
    return refused(`${name}() has side effects or is not deterministic`)
  return { kind: 'allowed', takesLambda: rows.some(({ takes_lambda }) => takes_lambda) }
}

/** The functions and types of a connection that an expression may use. */
export type Functions = {
  verdict: (name: string) => Verdict
  isType: (name: string) => boolean
  /** ` (did you mean X?)`, or nothing. */
  nearTypes: (name: string) => string
}

const verdictOn = (name: string, rows: readonly FunctionRow[]): Verdict => {
  // A macro of the connection hides a function of DuckDB that has the same name.
  if (rows.some(({ internal }) => !internal) && !FOR_MAPPINGS.has(name))
    return refused(`${name}() is a macro of this connection`)
  const scalars = rows.filter(({ type }) => type === 'scalar')
  const macros = rows.filter(({ type }) => type === 'macro')
  if (scalars.length === 0 && macros.length === 0) return notScalar(name, new Set(rows.map(({ type }) => type)))
  const verdict = scalarVerdict(name, scalars)
  if (verdict.kind === 'refused' || macros.length === 0) return verdict
  return {
    kind: 'macro',
    bodies: macros.map(({ parameters, definition }) => ({ parameters, definition: definition ?? 'NULL' })),
  }
}

export const loadFunctions = async (connection: DuckDBConnection): Promise<Functions> => {
  const rows = (await connection.runAndReadAll(FUNCTIONS)).getRowObjectsJS() as FunctionRow[]
  const types = (await connection.runAndReadAll(TYPES)).getRows().map(([name]) => String(name))
  const byName = groupBy(rows, ({ name }) => name)
  const scalars = [...byName].flatMap(([name, overloads]) =>
    overloads.some(({ type }) => type === 'scalar') ? name : [],
  )
  return {
    verdict: (name) => {
      const overloads = byName.get(name)
      if (overloads !== undefined) return verdictOn(name, overloads)
      // The parser's own name of `(a, b)`, which is no function of the catalog.
      if (name === 'row') return { kind: 'allowed', takesLambda: false }
      return refused(`there is no scalar function ${name}()${didYouMean(name, scalars)}`)
    },
    isType: (name) => types.includes(name.toLowerCase()),
    nearTypes: (name) => didYouMean(name, types),
  }
}
