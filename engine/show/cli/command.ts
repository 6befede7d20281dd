import { EngineError, invalidParam } from '../../contract/errors.ts'
import { paramFields, paramNamed } from '../../contract/param-fields.ts'
import { readParams } from '../../contract/params.ts'
import { queries } from '../../queries/index.ts'
import { type AnyQuery, type Group, groups, queryId } from '../../queries/query.ts'
import { findQuery } from '../../query/plan-query.ts'
import { editDistance } from '../../search/edit-distance.ts'
import { unplotted } from '../plots/unplotted.ts'
import { readArgv } from './argv.ts'
import { type Each, readEach } from './each-param.ts'
import { globalOptions } from './global-options.ts'
import { type Options, readOptions, type Settings, single, usageError } from './options.ts'

export type QueryCommand = Options & { kind: 'query'; query: AnyQuery; params: Record<string, unknown> }
/** A query that is run for each value of one of its parameters; `given` has the others as text. */
export type EachCommand = Options & {
  kind: 'each'
  query: AnyQuery
  each: Each
  given: Record<string, string | undefined>
}
export type HelpRequest = { kind: 'help'; group?: Group | undefined; query?: AnyQuery | undefined }

/** The name that a misspelt one most likely means; undefined if none is similar. */
const nearest = (text: string, names: readonly string[]): string | undefined => {
  const limit = Math.max(2, Math.floor(text.length / 3))
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(text) ? 0 : editDistance(text, name, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}

/** The refusal of a name that is not accepted, with the nearest accepted one. */
export const unknownName = (what: string, text: string, accepted: readonly string[], option = ''): EngineError => {
  const near = nearest(text, accepted)
  const hint = near === undefined ? '' : `; did you mean ${option}${near}?`
  return new EngineError('INVALID_PARAMS', `unknown ${what} ${option}${text}${hint}`, {
    parameter: text,
    accepted,
  })
}

const readGroup = (text: string): Group => {
  const group = groups.find((name) => name === text)
  if (!group) throw unknownName('group', text, groups)
  return group
}

const readQuery = (group: Group, text: string): AnyQuery => {
  const names = queries.filter((query) => query.group === group).map(({ name }) => name)
  const query = findQuery(group, text)
  if (!query) throw unknownName(`${group} command`, text, names)
  return query
}

const cannotCombine = (option: string, other: string): EngineError =>
  usageError(`--${option} and --${other} cannot be combined; send one`)

/** Refuses `--svg` with `--each`, and for a query whose answers have no plot. */
const requirePlot = (query: AnyQuery, each: Each | null): void => {
  if (each) throw cannotCombine('each', 'svg')
  const reason = unplotted.get(queryId(query))
  if (reason !== undefined) throw invalidParam('svg', `${queryId(query)} has no plot: ${reason}`)
}

/** Whether an option takes no value. */
export const isFlag = (name: string): boolean => {
  const option = globalOptions[name]
  if (option) return option.value === undefined
  // A parameter has one type in all queries, whose schemas take long to make.
  const query = queries.find(({ params }) => Object.hasOwn(params.shape, name))
  return query !== undefined && paramNamed(query, name)?.type === 'boolean'
}

/**
 * Reads a command line as a query, once or for each value of a parameter, or a request for help. Throws INVALID_PARAMS, with what to send instead,
 * for an unknown group, command or option and for invalid values.
 */
export const readCommand = (
  argv: readonly string[],
  settings: Settings,
  isTerminal: boolean,
): QueryCommand | EachCommand | HelpRequest => {
  const { words, options } = readArgv(argv, isFlag)
  const [groupWord, queryWord, extraArgument] = words
  const group = groupWord === undefined ? undefined : readGroup(groupWord)
  const query = group && queryWord !== undefined ? readQuery(group, queryWord) : undefined
  if (options.help !== undefined) return { kind: 'help', group, query }

  const accepted = [...(query ? paramFields(query).map(({ name }) => name) : []), ...Object.keys(globalOptions)]
  const unknownOption = Object.keys(options).find((name) => !accepted.includes(name))
  if (unknownOption !== undefined) throw unknownName('option', unknownOption, accepted, '--')
  if (!query) return { kind: 'help', group }
  if (extraArgument !== undefined)
    throw usageError(`unexpected argument "${extraArgument}"; quote values that contain spaces`)

  const sent = Object.keys(options).filter((name) => !Object.hasOwn(globalOptions, name))
  const given = Object.fromEntries(sent.map((name) => [name, single(name, options[name])]))
  const read = readOptions(options, settings, isTerminal)
  const each = readEach(single('each', options.each), query, given)
  if (read.svg !== undefined) requirePlot(query, each)
  if (!each) return { kind: 'query', query, params: readParams(query, given), ...read }
  if (read.explain) throw cannotCombine('each', 'explain')
  return { kind: 'each', query, each, given, ...read }
}
