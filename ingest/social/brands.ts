import { z } from 'zod'
import { brandNorm, fold, isPlaceholder } from '../../engine/index.ts'
import type { Value } from '../database.ts'

/** A brand of the catalogue. */
export const catalogueBrand = z.strictObject({ brand_norm: z.string(), brand: z.string() })
type CatalogueBrand = z.output<typeof catalogueBrand>
/** A brand in a post; `brand` is the spelling of a feed or a mapping, null if the catalogue's is used. */
type FoundBrand = { brand_norm: string; brand: string | null }
/** The spellings of brands in feeds and mappings, by key. */
export type BrandSpellings = Map<string, string>
/** Finds the brands that a text mentions. */
export type FindBrands = (text: string) => FoundBrand[]

const MAX_WORDS = 5
const MAX_SHORT_LETTERS = 3
/** Brands do not extend across these separators of sentences, titles and tags. */
const BREAKS = /[|;,:!?()[\]"“”]+|\s[-–—~/]+\s/

/**
 * The forms of a name: the words and, unless very short, the same as one word (a hashtag), both also with a final s.
 */
const formsOf = (words: string): string[] => {
  const joined = words.replaceAll(' ', '')
  const forms = joined.length > MAX_SHORT_LETTERS ? [words, joined] : [words]
  return forms.flatMap((form) =>
    joined.length > MAX_SHORT_LETTERS && !form.endsWith('s') ? [form, `${form}s`] : [form],
  )
}

/**
 * The brands of a mapping: those to search for, each with the words that mean it (by default its name), and phrases
 * that contain the name of a brand and mean something else.
 */
export type NamedBrands = {
  brands?: Readonly<Record<string, readonly string[]>> | undefined
  not_brands?: readonly string[] | undefined
}

/**
 * Searches texts for brands by whole words; of several names or phrases at one position, the longest counts. Of the
 * catalogue's brands only names of several words are used: a single word is too often a common word or a person
 * (`Target`, `Wilson`). A mapping can name those.
 */
export const createBrandFinder = (catalogue: readonly CatalogueBrand[], fields: readonly NamedBrands[]): FindBrands => {
  const brands = new Map<string, FoundBrand | null>()
  const add = (text: string, brand: FoundBrand | null) => {
    for (const form of formsOf(fold(text))) brands.set(form, brand)
  }
  for (const { brand_norm, brand } of catalogue) if (fold(brand).includes(' ')) add(brand, { brand_norm, brand: null })
  for (const [brand, words] of fields.flatMap(({ brands }) => Object.entries(brands ?? {}))) {
    const entry = { brand_norm: brandNorm(brand) ?? '', brand }
    for (const text of words.length > 0 ? words : [brand]) add(text, entry)
  }
  for (const phrase of fields.flatMap(({ not_brands }) => not_brands ?? [])) add(phrase, null)

  const findIn = (words: readonly string[]): FoundBrand[] => {
    const mentioned: FoundBrand[] = []
    for (let index = 0; index < words.length; index++)
      for (let length = Math.min(MAX_WORDS, words.length - index); length > 0; length--) {
        const brand = brands.get(words.slice(index, index + length).join(' '))
        if (brand === undefined) continue
        if (brand) mentioned.push(brand)
        index += length - 1
        break
      }
    return mentioned
  }
  return (text) => text.split(BREAKS).flatMap((part) => findIn(fold(part).split(' ')))
}

/** The brand in a field of a feed; none for a placeholder such as `generic`. */
const fieldBrand = (text: string): FoundBrand[] => {
  const brand_norm = brandNorm(text)
  if (brand_norm === null || isPlaceholder(brand_norm, 'us')) return []
  return [{ brand_norm, brand: text === brand_norm ? null : text }]
}

/** Reads the brands in a feed's fields and texts: their keys, sorted, without duplicates. */
export const readBrandSource =
  (find: FindBrands, spellings: BrandSpellings) =>
  ({ brand_source }: { brand_source: string }): readonly Value[] => {
    const [keys = '', text = ''] = brand_source.split('\u001f')
    const mentioned = [...keys.split('\u001e').flatMap(fieldBrand), ...find(text)]
    for (const { brand_norm, brand } of mentioned) {
      const spelling = spellings.get(brand_norm)
      if (brand !== null && (spelling === undefined || brand < spelling)) spellings.set(brand_norm, brand)
    }
    return [brand_source, [...new Set(mentioned.map(({ brand_norm }) => brand_norm))].sort()]
  }
