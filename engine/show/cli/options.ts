import { z } from 'zod'
import { endOfDay } from '../../contract/as-of.ts'
import { EngineError } from '../../contract/errors.ts'
import { DEFAULT_LAKE } from './global-options.ts'

/** Settings from the environment, which options of the command line override. */
export type Settings = { lake?: string | undefined; as_of?: string | undefined }

export type Format = 'page' | 'json' | 'csv' | 'arrow'
/** The format on standard output, or the Parquet file to write instead. */
export type CommandOutput = { format: Format } | { parquet: string }
export type Options = {
  output: CommandOutput
  /** The SVG file to draw instead. */
  svg: string | undefined
  explain: boolean
  /** Whether a page has all figures, columns and tables. */
  is_all: boolean
  lake: string
  as_of: Date | undefined
  /** Whether as_of is an option of the command line rather than a setting of the environment. */
  is_as_of_option: boolean
}

/** The refusal of a command line, with the option that it is about. */
export const usageError = (message: string, parameter?: string): EngineError =>
  new EngineError('INVALID_PARAMS', message, parameter === undefined ? {} : { parameter })

/** The value of an option. Refuses a repeated option, and an empty value: most often it was forgotten. */
export const single = (name: string, text: string | string[] | undefined): string | undefined => {
  if (Array.isArray(text)) throw usageError(`${name}: is given more than once; send it once`, name)
  if (text?.trim() === '') throw usageError(`${name}: is empty; send a value or omit the option`, name)
  return text
}

const truths: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

const readFlag = (name: string, text = 'false'): boolean => {
  const truth = truths[text.toLowerCase()]
  if (truth === undefined) throw usageError(`${name}: expected true or false, got "${text}"`, name)
  return truth
}

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success
const isTime = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success

/** The moment to answer for. A day as an option means its end, like as_of over HTTP; a day as a setting means its start. */
const readMoment = (option: string | undefined, setting: string | undefined): Date | undefined => {
  if (option !== undefined && isDay(option)) return endOfDay(option)
  const text = option ?? setting
  if (text === undefined) return undefined
  if (isDay(text) || isTime(text)) return new Date(text)
  const name = option === undefined ? 'SHELFMARK_AS_OF' : '--as-of'
  throw usageError(`${name} "${text}" is not a time; send one such as 2026-10-31 or 2026-10-31T12:00:00Z`, 'as_of')
}

const readOutput = (
  isOn: (flag: string) => boolean,
  parquet: string | undefined,
  svg: string | undefined,
  isTerminal: boolean,
): CommandOutput => {
  const [format, ...others] = (['json', 'csv', 'arrow'] as const).filter(isOn)
  const [first, second] = [format, ...others, parquet !== undefined && 'parquet', svg !== undefined && 'svg'].filter(
    Boolean,
  )
  if (second) throw usageError(`--${first} and --${second} cannot be combined; send one`)
  if (isOn('explain') && first && first !== 'json')
    throw usageError(`--explain and --${first} cannot be combined; send --explain --json`)
  if (format === 'arrow' && isTerminal)
    throw usageError('--arrow cannot write to a terminal; redirect it, as in --arrow > answer.arrows')
  return parquet === undefined ? { format: format ?? (isTerminal ? 'page' : 'json') } : { parquet }
}

/** Reads the global options, with the environment's settings as defaults. Throws INVALID_PARAMS. */
export const readOptions = (
  given: Record<string, string | string[]>,
  settings: Settings,
  isTerminal: boolean,
): Options => {
  const option = (name: string) => single(name, given[name])
  const svg = option('svg')
  const isOn = (flag: string) => readFlag(flag, option(flag))
  return {
    output: readOutput(isOn, option('parquet'), svg, isTerminal),
    svg,
    explain: isOn('explain'),
    is_all: isOn('all'),
    lake: option('lake') ?? (settings.lake || DEFAULT_LAKE),
    as_of: readMoment(option('as_of'), settings.as_of || undefined),
    is_as_of_option: given.as_of !== undefined,
  }
}
