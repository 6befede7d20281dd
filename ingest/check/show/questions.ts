import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { commandLine } from '../../../engine/index.ts'
import type { Column } from '../../feeds/columns.ts'
import { type Description, matchesGlob } from '../../feeds/mapping.ts'
import { countryOf, currencyOfCountry } from '../columns/countries.ts'
import type { FileGroup } from '../propose/groups.ts'
import type { FeedMapping } from '../propose/merge.ts'
import { platformKey } from '../propose/platform.ts'
import type { Proposal } from '../propose/propose.ts'

/** What files do not say: at most three questions, each with a default. */
export type Question = {
  key: 'place' | 'observed_at' | 'platform'
  text: string
  /** The default: `it EUR`, `2026-03-01`, `acme`. */
  default: string
  /** Whether nothing in the files decides for the default. */
  is_guess: boolean
}

export type Answers = Partial<Record<Question['key'], string>>

type Mappings = Proposal['mapping']

/** The command that reads the files below a folder with a mapping. */
export const nextCommand = (root: string, mapping: string, command = ''): string =>
  commandLine('refresh', `${command}--feeds ${/\s/.test(root) ? JSON.stringify(root) : root} --mapping ${mapping}`)

const isOfListings = ({ feed }: FileGroup): boolean => feed === 'price_observations' || feed === 'product_catalogue'

const isOpen = ({ stand_ins }: FileGroup, column: Column): boolean =>
  stand_ins.some((assumed) => assumed.column === column)

/** What to ask about files of prices and products that a proposed mapping leaves open. */
export const questionsFor = async (groups: readonly FileGroup[], root: string): Promise<Question[]> => {
  const ofListings = groups.filter(isOfListings)
  const isOpenIn = (column: Column) => ofListings.some((group) => isOpen(group, column))
  const suggested = (column: Column): string | undefined => {
    const suggestions = ofListings.flatMap(({ stand_ins }) => stand_ins.filter(({ isSuggested }) => isSuggested))
    const values = suggestions.flatMap((entry) => (entry.column === column ? entry.value : []))
    return values.find((value) => typeof value === 'string')
  }
  const isOneOfMany = ofListings.some((group) => group.stand_ins.some((assumed) => assumed.isOneOfMany))
  const question = (key: Question['key'], text: string, suggestion: string | undefined, guess: string): Question => ({
    key,
    text,
    default: suggestion ?? guess,
    is_guess: suggestion === undefined || (key === 'place' && isOneOfMany),
  })
  const questions: Question[] = []
  if (isOpenIn('country') || isOpenIn('currency')) {
    const [country, currency] = [suggested('country'), suggested('currency')]
    const suggestion = country && [country, ...(currency ? [currency] : [])].join(' ')
    const text = 'Country of the prices, and their currency where the files do not state it'
    questions.push(question('place', text, suggestion, currency ? `us ${currency}` : 'us'))
  }
  const undated = ofListings.find((group) => isOpen(group, 'observed_at'))
  if (undated) {
    const { mtime } = await stat(join(root, undated.files[0]!))
    const day = mtime.toISOString().slice(0, 10)
    questions.push(question('observed_at', 'Date of the prices', suggested('observed_at'), day))
  }
  const folder = platformKey(basename(root))
  if (isOpenIn('platform')) questions.push(question('platform', 'Retailer', suggested('platform'), folder || 'shop'))
  return questions
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00Z`).getTime())

/** Why an answer cannot be used; null if it can. */
export const answerProblem = (key: Question['key'], answer: string): string | null => {
  if (key === 'observed_at') return isDay(answer) ? null : 'expected a date such as 2026-03-01'
  if (key === 'platform') return platformKey(answer) === '' ? 'expected a name with letters a to z or digits' : null
  const [country = '', currency = 'EUR'] = answer.trim().split(/\s+/)
  if (countryOf(country) === undefined) return 'expected a country such as pt, and a currency if it has another: pt EUR'
  return /^[A-Za-z]{3}$/.test(currency) ? null : 'expected a currency such as EUR'
}

const constantsOf = (group: FileGroup, answers: Answers): Partial<Record<Column, string>> => {
  const [place = '', stated] = answers.place?.trim().split(/\s+/) ?? []
  const country = countryOf(place)
  const currency = stated?.toUpperCase() ?? (country && currencyOfCountry(country))
  const isUsual = (country === 'us' && currency === 'USD') || (country === 'ca' && currency === 'CAD')
  const { platform, observed_at } = answers
  return {
    ...(platform && isOpen(group, 'platform') ? { platform: platformKey(platform) } : {}),
    ...(country && isOpen(group, 'country') ? { country } : {}),
    ...(currency && group.needs_currency && !isUsual ? { currency } : {}),
    ...(observed_at && isOpen(group, 'observed_at') ? { observed_at } : {}),
  }
}

const withConstants = (mapping: FeedMapping, groups: readonly FileGroup[], answers: Answers): FeedMapping => {
  const constants = groups.map((group) => constantsOf(group, answers))
  if (new Set(constants.map((constants) => JSON.stringify(constants))).size === 1)
    return { ...mapping, constants: { ...mapping.constants, ...constants[0] } }
  const { files: listed } = mapping
  const globs: [string, Description][] = Array.isArray(listed)
    ? listed.map((glob) => [glob, {}])
    : Object.entries(listed)
  const files = globs.map(([glob, description]) => {
    const index = groups.findIndex((group) => group.files.some((file) => matchesGlob(file, glob)))
    return [glob, { ...description, constants: { ...description.constants, ...constants[index] } }] as const
  })
  return { ...mapping, files: Object.fromEntries(files) }
}

/** What is taken for lack of an answer although nothing in the files suggests it. */
export const guessNotes = (questions: readonly Question[]): string[] =>
  questions
    .filter(({ is_guess }) => is_guess)
    .map(({ text, default: preset }) => `${text}: ${preset} is a guess, nothing in the files decides it`)

/** A mapping with answers in place of what it left open, and notes of what was guessed. */
export const withAnswers = (
  mapping: Mappings,
  groups: readonly FileGroup[],
  answers: Answers,
  notes: readonly string[] = [],
): Mappings =>
  Object.fromEntries(
    Object.entries(mapping).map(([feed, entry]) => {
      const ofFeed = groups.filter((group) => group.feed === feed && isOfListings(group))
      if (ofFeed.length === 0) return [feed, entry]
      return [feed, { ...withConstants(entry, ofFeed, answers), ...(notes.length > 0 ? { notes: [...notes] } : {}) }]
    }),
  )
