import { EngineError } from '../../errors.ts'
import { groups } from '../../query.ts'
import { readArgv } from '../argv.ts'
import { type HelpRequest, isFlag, type Question, readCommand, unknown } from '../command.ts'
import { globalOptions, type Options, readOptions, type Settings } from '../options.ts'

/** A command line of `shelfmark sql`, read. */
export type SqlCommand =
  | { kind: 'usage' }
  | HelpRequest
  /** Prints the script of a query. */
  | { kind: 'script'; question: Question }
  /** Runs SQL, from the command line or a file. */
  | { kind: 'run'; lake: string; source: SqlSource; output: SqlOutput }
  /** Writes a DuckDB file. */
  | { kind: 'database'; lake: string; file: string; overwrite: boolean }

export type SqlSource = { text: string } | { file: string }
export type SqlOutput = { format: Options['format'] } | { parquet: string }

type Given = Record<string, string | string[]>

const invalid = (message: string, parameter?: string): EngineError =>
  new EngineError('INVALID_PARAMS', message, parameter === undefined ? {} : { parameter })

const { lake, help } = globalOptions

/** The options of SQL of one's own and of `--into`; those without `takes` are flags. */
export const sqlOptions: typeof globalOptions = {
  lake: lake!,
  json: { about: 'The rows as a JSON array of objects; the default when standard output is not a terminal.' },
  csv: { about: 'The rows as CSV (RFC 4180) with a header.' },
  arrow: { about: 'The rows as an Arrow IPC stream; not to a terminal.' },
  parquet: { takes: 'FILE', about: 'Writes the rows to a Parquet file, in their types.' },
  into: { takes: 'FILE', about: 'Writes a DuckDB file with the views and macros, for any tool that opens such files.' },
  overwrite: { about: 'With --into: replaces a file that exists.' },
  help: help!,
}

const isSqlFlag = (name: string): boolean => {
  const option = sqlOptions[name]
  return option ? option.takes === undefined : isFlag(name)
}

/** The one file that an option names. */
const fileOf = (given: Given, name: string): string | undefined => {
  const value = given[name]
  if (Array.isArray(value)) throw invalid(`${name}: is given more than once; send it once`, name)
  if (value?.trim() === '') throw invalid(`${name}: is empty; name a file`, name)
  return value
}

/** Refuses options that do not go with what the command does. */
const requireOnly = (given: Given, accepted: readonly string[], what: string): void => {
  const extra = Object.keys(given).find((name) => !accepted.includes(name))
  if (extra === undefined) return
  if (Object.hasOwn(sqlOptions, extra)) throw invalid(`--${extra} does not go with ${what}`, extra)
  throw unknown('option', extra, Object.keys(sqlOptions), '--')
}

/** Options of the other uses, which a query's script has no use for. */
const notOfScripts = ['json', 'csv', 'arrow', 'explain', 'parquet', 'into', 'overwrite']

const requireScriptOptions = (given: Given): void => {
  const extra = notOfScripts.find((name) => given[name] !== undefined)
  if (extra !== undefined) throw invalid(`--${extra} does not go with a script, which is printed as SQL`, extra)
}

const readRun = (word: string, given: Given, settings: Settings, isTerminal: boolean): SqlCommand => {
  requireOnly(given, ['lake', 'json', 'csv', 'arrow', 'parquet'], 'SQL of your own')
  const parquet = fileOf(given, 'parquet')
  const other = ['json', 'csv', 'arrow'].find((name) => given[name] !== undefined)
  if (parquet !== undefined && other !== undefined)
    throw invalid(`--parquet and --${other} exclude each other; send one`)
  const { lake, format } = readOptions(given, { lake: settings.lake }, isTerminal)
  const source = /\.sql$/i.test(word) ? { file: word } : { text: word }
  return { kind: 'run', lake, source, output: parquet === undefined ? { format } : { parquet } }
}

/** Reads what follows `shelfmark sql`. Throws INVALID_PARAMS, saying what to send instead. */
export const readSqlCommand = (argv: readonly string[], settings: Settings, isTerminal: boolean): SqlCommand => {
  const { words, given } = readArgv(argv, isSqlFlag)
  const [word, ...others] = words
  if (given.help !== undefined && word === undefined) return { kind: 'usage' }
  const into = fileOf(given, 'into')
  if (into !== undefined) {
    if (word !== undefined) throw invalid(`"${word}" does not go with --into; send one`)
    requireOnly(given, ['into', 'overwrite', 'lake'], '--into')
    const { lake } = readOptions(given, { lake: settings.lake }, isTerminal)
    return { kind: 'database', lake, file: into, overwrite: given.overwrite === 'true' }
  }
  if (word === undefined) {
    requireOnly(given, [], 'sql alone; name a query, SQL or a file')
    return { kind: 'usage' }
  }
  if (others.length === 0 && !groups.some((group) => group === word))
    return given.help === undefined ? readRun(word, given, settings, isTerminal) : { kind: 'usage' }
  requireScriptOptions(given)
  const command = readCommand(argv, settings, isTerminal)
  if (command.kind === 'question') return { kind: 'script', question: command }
  return command.kind === 'help' ? command : { kind: 'usage' }
}
