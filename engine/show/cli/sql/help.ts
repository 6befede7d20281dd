import { commandLine } from '../../../contract/program.ts'
import { labelled, type Style, titled, wrap } from '../terminal.ts'
import { sqlOptions } from './command.ts'

const INDENT = 26
const EXIT_CODES = 'Exit codes: 0 done, 1 refused, 2 wrong usage or SQL, 3 internal failure, 130 interrupted.'

const usage: readonly (readonly [args: string, description: string])[] = [
  ['GROUP NAME [--param value ...]', 'Prints the SQL of a query as a standalone DuckDB script.'],
  ['"SELECT ..."', 'Runs SQL over the tables of the lake, with the macros of the queries.'],
  ['FILE.sql', 'Runs the statements of a file and prints the last result.'],
  ['--describe [TABLE]', 'Prints every table and column with its meaning.'],
  ['--into FILE.duckdb', 'Writes a DuckDB file with the views and macros.'],
]

const examples = [
  'analyst inflation --category coffee | duckdb',
  '"SELECT platform, product_count FROM retailers"',
  '--describe listings',
  'prices.sql --parquet prices.parquet',
]

const notes = [
  'Each table is a view of the same name (--describe, data/sql.md); prices are in the smallest unit of the currency, such as',
  'cents, times in UTC. Statements may create tables, views and macros in memory; they cannot read other files or write any.',
].join(' ')

/** Help of `shelfmark sql`. */
export const sqlHelp = (width: number, style: Style): string[] => [
  ...titled('shelfmark sql', 'Queries as standalone SQL, and your own SQL over the lake', width, style),
  '',
  style.bold('Usage'),
  ...usage.flatMap(([args, description]) => [
    `  ${commandLine('shelfmark', `sql ${args}`)}`,
    ...labelled('', description, 6, width),
  ]),
  '',
  ...wrap(notes, width),
  '',
  style.bold('Options'),
  ...Object.entries(sqlOptions).flatMap(([name, { value = '', description }]) =>
    labelled(`  --${name} ${value}`, description, INDENT, width),
  ),
  ...labelled('  --as-of TIME', 'With GROUP NAME: as for the query itself.', INDENT, width),
  '',
  style.bold('Examples'),
  ...examples.map((example) => `  ${commandLine('shelfmark', `sql ${example}`)}`),
  '',
  ...wrap(EXIT_CODES, width),
]
