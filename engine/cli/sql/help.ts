import { commandLine } from '../../program.ts'
import { labelled, type Style, titled, wrap } from '../terminal.ts'
import { sqlOptions } from './command.ts'

const INDENT = 26
const EXIT_CODES = 'Exit codes: 0 done, 1 refused, 2 wrong usage or SQL, 3 internal failure, 130 interrupted.'

const usage: readonly (readonly [line: string, about: string])[] = [
  ['GROUP NAME [--param value ...]', 'Prints the SQL of a query as a script that any DuckDB runs as it is.'],
  ['"SELECT ..."', 'Runs SQL over the tables of the lake, with the macros of the queries.'],
  ['FILE.sql', 'Runs the statements of a file and prints the last result.'],
  ['--into FILE.duckdb', 'Writes a DuckDB file with the views and macros.'],
]

const examples = [
  'analyst inflation --category coffee | duckdb',
  '"SELECT platform, product_count FROM retailers"',
  'prices.sql --parquet prices.parquet',
]

const notes = [
  'Tables are views of their names (data/README.md, data/sql.md), prices are in cents, times in UTC. Statements may make',
  'tables, views and macros in memory; they read no other file and write none.',
].join(' ')

/** Help of `shelfmark sql`. */
export const sqlHelp = (width: number, style: Style): string[] => [
  ...titled('shelfmark sql', 'SQL that stands alone, and SQL of your own over the lake', width, style),
  '',
  style.bold('Usage'),
  ...usage.flatMap(([line, about]) => [
    `  ${commandLine('shelfmark', `sql ${line}`)}`,
    ...labelled('', about, 6, width),
  ]),
  '',
  ...wrap(notes, width),
  '',
  style.bold('Options'),
  ...Object.entries(sqlOptions).flatMap(([name, { takes = '', about }]) =>
    labelled(`  --${name} ${takes}`, about, INDENT, width),
  ),
  ...labelled('  --as-of TIME', 'With GROUP NAME: as for the query itself.', INDENT, width),
  '',
  style.bold('Examples'),
  ...examples.map((example) => `  ${commandLine('shelfmark', `sql ${example}`)}`),
  '',
  ...wrap(EXIT_CODES, width),
]
