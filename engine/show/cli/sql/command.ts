import { groups } from '../../../queries/query.ts'
import { describedTables } from '../../standalone/describe.ts'
import { readArgv } from '../argv.ts'
import { type HelpRequest, isFlag, type QueryCommand, readCommand, unknownName } from '../command.ts'
import { globalOptions } from '../global-options.ts'
import { type CommandOutput, readOptions, type Settings, single, usageError } from '../options.ts'

/** A parsed command line of `shelfmark sql`. */
export type SqlCommand =
  | { kind: 'usage' }
  | HelpRequest
  /** Prints the script of a query. */
  | { kind: 'script'; queryCommand: QueryCommand }
  /** Runs SQL, from the command line or a file. */
  | { kind: 'run'; lake: string; source: SqlSource; output: CommandOutput }
  /** Describes the tables, or one. */
  | { kind: 'describe'; lake: string; table: string | undefined; output: CommandOutput }
  /** Writes a DuckDB file. */
  | { kind: 'database'; lake: string; file: string; overwrite: boolean }

export type SqlSource = { text: string } | { file: string }

type SqlOptions = Record<string, string | string[]>

const { lake, help } = globalOptions

/** The options for running SQL and for `--into`; those without `value` are flags. */
export const sqlOptions: typeof globalOptions = {
  lake: lake!,
  json: { description: 'The rows as a JSON array of objects; the default when standard output is not a terminal.' },
  csv: { description: 'The rows as CSV (RFC 4180) with a header.' },
  arrow: { description: 'The rows as an Arrow IPC stream; not to a terminal.' },
  parquet: { value: 'FILE', description: 'Writes the rows to a Parquet file, in their types.' },
  describe: { description: 'Every table with its columns and what they mean, or only the table named.' },
  into: {
    value: 'FILE',
    description: 'Writes a DuckDB file with the views and macros, for any tool that opens such files.',
  },
  overwrite: { description: 'With --into: replaces a file that exists.' },
  help: help!,
}

const isSqlFlag = (name: string): boolean => {
  const option = sqlOptions[name]
  return option ? option.value === undefined : isFlag(name)
}

/** Refuses options that the kind of command does not accept. */
const requireOnly = (options: SqlOptions, accepted: readonly string[], what: string): void => {
  const extra = Object.keys(options).find((name) => !accepted.includes(name))
  if (extra === undefined) return
  if (Object.hasOwn(sqlOptions, extra)) throw usageError(`--${extra} cannot be combined with ${what}`, extra)
  throw unknownName('option', extra, Object.keys(sqlOptions), '--')
}

/** Options that do not apply to the script of a query. */
const nonScriptOptions = ['json', 'csv', 'arrow', 'explain', 'parquet', 'svg', 'each', 'describe', 'into', 'overwrite']

const requireScriptOptions = (options: SqlOptions): void => {
  const extra = nonScriptOptions.find((name) => options[name] !== undefined)
  if (extra !== undefined)
    throw usageError(`--${extra} cannot be combined with a script, which is printed as SQL`, extra)
}

const readDescribe = (
  words: readonly string[],
  options: SqlOptions,
  settings: Settings,
  isTerminal: boolean,
): SqlCommand => {
  requireOnly(options, ['describe', 'lake', 'json', 'csv', 'arrow', 'parquet'], '--describe')
  const [table, ...others] = words
  if (others.length > 0) throw usageError(`unexpected argument "${others[0]}"; send one table or none`)
  if (table !== undefined && !describedTables.includes(table)) throw unknownName('table', table, describedTables)
  const { lake, output } = readOptions(options, { lake: settings.lake }, isTerminal)
  return { kind: 'describe', lake, table, output }
}

const readRun = (word: string, options: SqlOptions, settings: Settings, isTerminal: boolean): SqlCommand => {
  requireOnly(options, ['lake', 'json', 'csv', 'arrow', 'parquet'], 'your own SQL')
  const { lake, output } = readOptions(options, { lake: settings.lake }, isTerminal)
  const source = /\.sql$/i.test(word) ? { file: word } : { text: word }
  return { kind: 'run', lake, source, output }
}

/** Reads the arguments after `shelfmark sql`. Throws INVALID_PARAMS, with what to send instead. */
export const readSqlCommand = (argv: readonly string[], settings: Settings, isTerminal: boolean): SqlCommand => {
  const { words, options } = readArgv(argv, isSqlFlag)
  const [word, ...others] = words
  if (options.help !== undefined && word === undefined) return { kind: 'usage' }
  if (options.describe !== undefined) return readDescribe(words, options, settings, isTerminal)
  const into = single('into', options.into)
  if (into !== undefined) {
    if (word !== undefined) throw usageError(`"${word}" cannot be combined with --into; send one`)
    requireOnly(options, ['into', 'overwrite', 'lake'], '--into')
    const { lake } = readOptions(options, { lake: settings.lake }, isTerminal)
    return { kind: 'database', lake, file: into, overwrite: options.overwrite === 'true' }
  }
  if (word === undefined) {
    requireOnly(options, [], 'sql alone; add a query, SQL or a file')
    return { kind: 'usage' }
  }
  if (others.length === 0 && !groups.some((group) => group === word))
    return options.help === undefined ? readRun(word, options, settings, isTerminal) : { kind: 'usage' }
  if (/\s/.test(word)) throw usageError(`unexpected argument "${others[0]}"; send all SQL as one argument, in quotes`)
  requireScriptOptions(options)
  const command = readCommand(argv, settings, isTerminal)
  if (command.kind === 'query') return { kind: 'script', queryCommand: command }
  return command.kind === 'help' ? command : { kind: 'usage' }
}
