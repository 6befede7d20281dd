import { findQuery } from '../engine.ts'
import { EngineError } from '../errors.ts'
import { readParams } from '../params.ts'
import { queries } from '../queries/index.ts'
import { type AnyQuery, type Group, groups } from '../query.ts'
import { readArgv } from './argv.ts'
import { nearest } from './nearest.ts'
import { globalOptions, type Options, readOptions, type Settings, single } from './options.ts'
import { paramsOf } from './schema.ts'

export type Question = Options & { kind: 'question'; query: AnyQuery; params: Record<string, unknown> }
export type VersionRequest = { kind: 'version' }
export type HelpRequest = { kind: 'help'; group?: Group | undefined; query?: AnyQuery | undefined }

/** A name that is not in a list, with the nearest one that is. */
export const unknown = (what: string, text: string, known: readonly string[], option = ''): EngineError => {
  const near = nearest(text, known)
  const hint = near === undefined ? '' : `; did you mean ${option}${near}?`
  return new EngineError('INVALID_PARAMS', `unknown ${what} ${option}${text}${hint}`, {
    parameter: text,
    accepted: known,
  })
}

const readGroup = (text: string): Group => {
  const group = groups.find((known) => known === text)
  if (!group) throw unknown('group', text, groups)
  return group
}

const readQuery = (group: Group, text: string): AnyQuery => {
  const names = queries.filter((query) => query.group === group).map(({ name }) => name)
  const query = findQuery(group, text)
  if (!query) throw unknown(`${group} command`, text, names)
  return query
}

/** Whether an option takes no value. */
export const isFlag = (name: string): boolean => {
  const option = globalOptions[name]
  if (option) return option.takes === undefined
  return queries.some((query) => paramsOf(query)[name]?.type === 'boolean')
}

/**
 * Reads a command line as a question or a call for help or the version. Throws INVALID_PARAMS, saying what to send instead, for an
 * unknown group, command or option and for values that the query refuses.
 */
export const readCommand = (
  argv: readonly string[],
  settings: Settings,
  isTerminal: boolean,
): Question | HelpRequest | VersionRequest => {
  const { words, given } = readArgv(argv, isFlag)
  if (given.version !== undefined) return { kind: 'version' }
  const [groupWord, queryWord, stray] = words
  const group = groupWord === undefined ? undefined : readGroup(groupWord)
  const query = group && queryWord !== undefined ? readQuery(group, queryWord) : undefined
  if (given.help !== undefined) return { kind: 'help', group, query }

  const known = [...Object.keys(query ? paramsOf(query) : {}), ...Object.keys(globalOptions)]
  const stranger = Object.keys(given).find((name) => !known.includes(name))
  if (stranger !== undefined) throw unknown('option', stranger, known, '--')
  if (!query) return { kind: 'help', group }
  if (stray !== undefined)
    throw new EngineError('INVALID_PARAMS', `"${stray}" belongs to no option; quote a value that has spaces`)

  const sent = Object.keys(given).filter((name) => !Object.hasOwn(globalOptions, name))
  const params = readParams(query, Object.fromEntries(sent.map((name) => [name, single(name, given[name])])))
  return { kind: 'question', query, params, ...readOptions(given, settings, isTerminal) }
}
