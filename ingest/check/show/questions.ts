import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Column, Feed } from '../../feeds/columns.ts'
import { matchesGlob } from '../../feeds/mapping.ts'
import { countryOf, currencyOfCountry } from '../columns/countries.ts'
import { platformKey } from '../propose/describe-place.ts'
import type { DraftDescription } from '../propose/draft.ts'
import type { FileGroup } from '../propose/groups.ts'
import type { FeedMapping } from '../propose/merge-drafts.ts'

/** What files do not say: at most three questions, each with a default. */
export type Question = {
  key: 'place' | 'observed_at' | 'platform'
  text: string
  /** The default: `it EUR`, `2026-03-01`, `acme`. */
  default: string
}

export type Answers = Partial<Record<Question['key'], string>>

type Mappings = Partial<Record<Feed, FeedMapping>>

const isOfListings = ({ feed }: FileGroup): boolean => feed === 'price_observations' || feed === 'product_catalogue'

const isOpen = ({ stand_ins }: FileGroup, column: Column): boolean =>
  stand_ins.some((assumed) => assumed.column === column)

/** The value that the files suggest for an open column. */
const suggestedFor = (groups: readonly FileGroup[], column: Column): string | null => {
  for (const { stand_ins } of groups) {
    const found = stand_ins.find((assumed) => assumed.column === column && assumed.isSuggested)
    if (typeof found?.value === 'string') return found.value
  }
  return null
}

const dayOf = async (root: string, { files }: FileGroup): Promise<string> => {
  const { mtime } = await stat(join(root, files[0]!))
  return mtime.toISOString().slice(0, 10)
}

/** What to ask about files of prices and products that a proposed mapping leaves open. */
export const questionsFor = async (groups: readonly FileGroup[], root: string): Promise<Question[]> => {
  const listingGroups = groups.filter(isOfListings)
  const questions: Question[] = []
  const open = (column: Column) => listingGroups.filter((group) => isOpen(group, column))
  if (open('country').length > 0 || open('currency').length > 0) {
    const country = suggestedFor(listingGroups, 'country') ?? 'us'
    const currency = suggestedFor(listingGroups, 'currency')
    const text = 'Country of the prices, and their currency where the files do not state it'
    questions.push({ key: 'place', text, default: currency ? `${country} ${currency}` : country })
  }
  const [undated] = open('observed_at')
  if (undated) questions.push({ key: 'observed_at', text: 'Date of the prices', default: await dayOf(root, undated) })
  if (open('platform').length > 0) {
    const folder = platformKey(basename(root))
    const fallback = /^[a-z0-9]/.test(folder) ? folder : 'shop'
    questions.push({ key: 'platform', text: 'Retailer', default: suggestedFor(listingGroups, 'platform') ?? fallback })
  }
  return questions
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00Z`).getTime())

/** Why an answer cannot be used; null if it can. */
export const answerProblem = (key: Question['key'], answer: string): string | null => {
  if (key === 'observed_at') return isDay(answer) ? null : 'expected a date such as 2026-03-01'
  if (key === 'platform') return platformKey(answer) === '' ? 'expected a name with letters a to z or digits' : null
  const [country = '', currency] = answer.trim().split(/\s+/)
  if (countryOf(country) === undefined) return 'expected a country such as pt, and a currency if it has another: pt EUR'
  return currency === undefined || /^[A-Za-z]{3}$/.test(currency) ? null : 'expected a currency such as EUR'
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
  const own = groups.map((group) => constantsOf(group, answers))
  const [first = {}] = own
  if (own.every((constants) => JSON.stringify(constants) === JSON.stringify(first)))
    return { ...mapping, constants: { ...mapping.constants, ...first } }
  const globs = Array.isArray(mapping.files)
    ? mapping.files.map((glob): [string, DraftDescription] => [glob, {}])
    : Object.entries(mapping.files)
  const files = globs.map(([glob, description]) => {
    const index = groups.findIndex((group) => group.files.some((file) => matchesGlob(file, glob)))
    return [glob, { ...description, constants: { ...description.constants, ...own[index] } }] as const
  })
  return { ...mapping, files: Object.fromEntries(files) }
}

/** A mapping with answers in place of what it left open. */
export const withAnswers = (mapping: Mappings, groups: readonly FileGroup[], answers: Answers): Mappings =>
  Object.fromEntries(
    Object.entries(mapping).map(([feed, entry]) => {
      const own = groups.filter((group) => group.feed === feed && isOfListings(group))
      return [feed, own.length === 0 ? entry : withConstants(entry, own, answers)]
    }),
  )
