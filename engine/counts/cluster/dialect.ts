/** The types of placeholders and casts. All may be null, as in DuckDB. */
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'Int32',
  BIGINT: 'Int64',
  HUGEINT: 'Int128',
  DOUBLE: 'Float64',
  DATE: 'Date',
  VARCHAR: 'String',
}

/** Functions of DuckDB that have another name in ClickHouse, or mean something else there. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  round: 'half_away',
  isoyear: 'toISOYear',
  week: 'toISOWeek',
  strftime: 'formatDateTime',
  // In ClickHouse these are 0 without rows.
  min: 'minOrNull',
  max: 'maxOrNull',
  sum: 'sumOrNull',
  avg: 'avgOrNull',
  arg_max: 'argMaxOrNull',
  bool_or: 'maxOrNull',
  bool_and: 'minOrNull',
}

type Rule = readonly [pattern: RegExp, replacement: string | ((match: string, ...groups: string[]) => string)]

const RULES: readonly Rule[] = [
  [/--.*/g, ''],
  [
    /\(SELECT unnest\(string_split\(\$(\w+)::VARCHAR, ','\)\)::INTEGER\)/g,
    (_, name) => `arrayMap(id -> toInt32OrZero(id), splitByChar(',', coalesce({${name}:Nullable(String)}, '')))`,
  ],
  [/(\w+) & (\w+)/g, 'bitAnd($1, $2)'],
  [/([\w:]+) << (\w+)/g, 'bitShiftLeft($1, $2)'],
  [/(\w+) >> (\$?[\w:]+)/g, 'bitShiftRight($1, $2)'],
  [/(\$?[\w:]+) \/\/ (\w+)/g, 'intDiv($1, $2)'],
  [/\bSEMI JOIN\b/g, 'LEFT SEMI JOIN'],
  [/\$(\w+)::(\w+)/g, (_, name, type) => `{${name}:Nullable(${TYPES[type!]})}`],
  [/::(\w+)/g, (_, type) => `::Nullable(${TYPES[type!]})`],
  [/\bMATERIALIZED /g, ''],
  [/\bFILTER \(/g, 'FILTER (WHERE '],
  // Without a row before or after, the default of a type that cannot be null.
  [/\b(lag|lead)\((\w+)\)/g, '$1(toNullable($2))'],
  [/\bquantile_disc\((\w+(?:\.\w+)?), 0\.5\)/g, 'quantileExactLowOrNull(0.5)($1)'],
  [/\barg_max_null\((\w+), (\w+)\)/g, 'argMax(tuple($1), $2).1'],
  [new RegExp(`\\b(${Object.keys(FUNCTIONS).join('|')})\\(`, 'g'), (_, name) => `${FUNCTIONS[name!]}(`],
  // Macros without parameters are constants.
  [/\b(\w+_days)\(\)/g, '$1'],
]

/**
 * A relation or a function in the SQL of ClickHouse, from that of DuckDB, as far as relations use it: names of columns come
 * before those of results (prefer_column_name_to_alias).
 */
export const inClickhouse = (sql: string): string =>
  RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement as string), sql)

/** The macros of DuckDB as the items of a WITH in ClickHouse: functions, or constants without parameters. */
export const functionsOf = (macros: string): string[] =>
  [...macros.matchAll(/CREATE MACRO (\w+)\(([^)]*)\) AS\s+([^;]+);/g)].map(([, name, params, body]) =>
    params === '' ? `${inClickhouse(body!)} AS ${name}` : `(${params}) -> ${inClickhouse(body!)} AS ${name}`,
  )
