import { z } from 'zod'
import { endOfDay } from '../as-of.ts'
import { EngineError } from '../errors.ts'

/** What the environment sets where the command line does not. */
export type Settings = { lake?: string | undefined; as_of?: string | undefined }

export type Format = 'page' | 'json' | 'csv' | 'arrow'
export type Options = {
  format: Format
  explain: boolean
  lake: string
  as_of: Date | undefined
  /** Whether as_of is given on the command line, not by the environment. */
  is_as_of_option: boolean
}

const DEFAULT_LAKE = 'data/lake'

/** The options of every command; those without `takes` are flags. */
export const globalOptions: Record<string, { takes?: string; about: string }> = {
  lake: { takes: 'DIR', about: `Lake to read. Default ${DEFAULT_LAKE}, or SHELFMARK_LAKE.` },
  as_of: {
    takes: 'TIME',
    about: 'A fixed "now": the end of a UTC day, or an RFC 3339 time. Default the clock, or SHELFMARK_AS_OF.',
  },
  json: { about: 'The answer as HTTP gives it; the default when standard output is not a terminal.' },
  csv: { about: "The answer's main table as CSV (RFC 4180) with a header." },
  arrow: { about: "The answer's main table as an Arrow IPC stream; not to a terminal." },
  explain: {
    about: 'Instead of the answer: definition, plan, values, macros, SQL, files and rows read; with --json as JSON.',
  },
  version: { about: 'The version of this package.' },
  help: { about: 'This text; of a group or command where one is named.' },
}

const invalid = (message: string, parameter?: string) =>
  new EngineError('INVALID_PARAMS', message, parameter === undefined ? {} : { parameter })

/** One text of an option. A repeated one is refused, and an empty one: most often its value was forgotten. */
export const single = (name: string, text: string | string[] | undefined): string | undefined => {
  if (Array.isArray(text)) throw invalid(`${name}: is given more than once; send it once`, name)
  if (text?.trim() === '') throw invalid(`${name}: is empty; send a value or leave it out`, name)
  return text
}

const truths: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

const readFlag = (name: string, text = 'false'): boolean => {
  const truth = truths[text.toLowerCase()]
  if (truth === undefined) throw invalid(`${name}: expected true or false, got "${text}"`, name)
  return truth
}

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success
const isTime = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success

/** The "now" of the command line: as the parameter as_of of HTTP where it is a day. That of the environment is a moment. */
const readMoment = (option: string | undefined, setting: string | undefined): Date | undefined => {
  if (option !== undefined && isDay(option)) return endOfDay(option)
  const text = option ?? setting
  if (text === undefined) return undefined
  if (isDay(text) || isTime(text)) return new Date(text)
  const name = option === undefined ? 'SHELFMARK_AS_OF' : '--as-of'
  throw invalid(`${name} "${text}" is no time; send one like 2026-10-31 or 2026-10-31T12:00:00Z`, 'as_of')
}

const readFormat = (isOn: (flag: string) => boolean, isTerminal: boolean): Format => {
  const [format = isTerminal ? 'page' : 'json', other] = (['json', 'csv', 'arrow'] as const).filter(isOn)
  if (other) throw invalid(`--${format} and --${other} exclude each other; send one`)
  if (isOn('explain') && (format === 'csv' || format === 'arrow'))
    throw invalid(`--explain and --${format} exclude each other; --explain goes with --json`)
  if (format === 'arrow' && isTerminal)
    throw invalid('--arrow is not for a terminal; redirect it, as in --arrow > answer.arrows')
  return format
}

/** Reads the options of every command, then the environment's settings. Throws INVALID_PARAMS. */
export const readOptions = (
  given: Record<string, string | string[]>,
  settings: Settings,
  isTerminal: boolean,
): Options => {
  const option = (name: string) => single(name, given[name])
  const isOn = (flag: string) => readFlag(flag, option(flag))
  return {
    format: readFormat(isOn, isTerminal),
    explain: isOn('explain'),
    lake: option('lake') ?? (settings.lake || DEFAULT_LAKE),
    as_of: readMoment(option('as_of'), settings.as_of || undefined),
    is_as_of_option: given.as_of !== undefined,
  }
}
