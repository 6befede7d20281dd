import { z } from 'zod'
import { brandNorm, fold, isPlaceholder } from '../../engine/index.ts'
import type { Value } from '../database.ts'

/** A brand of the catalogue. */
export const knownBrand = z.strictObject({ brand_norm: z.string(), brand: z.string() })
type KnownBrand = z.output<typeof knownBrand>
/** A brand in a post; `brand` is how a feed or a mapping writes it, null where the catalogue decides. */
type FoundBrand = { brand_norm: string; brand: string | null }
/** How feeds and mappings write brands, by key. */
export type Spellings = Map<string, string>
/** Finds the brands that a text mentions. */
export type FindBrands = (text: string) => FoundBrand[]

const MAX_WORDS = 5
const MAX_SHORT_LETTERS = 3
/** No brand extends across these, from a title into a tag or from one sentence into the next. */
const BREAKS = /[|;,:!?()[\]"“”]+|\s[-–—~/]+\s/

/** The words and, unless very short, the same as one word (a hashtag), both also in the plural or possessive. */
const formsOf = (words: string): string[] => {
  const joined = words.replaceAll(' ', '')
  const forms = joined.length > MAX_SHORT_LETTERS ? [words, joined] : [words]
  return forms.flatMap((form) =>
    joined.length > MAX_SHORT_LETTERS && !form.endsWith('s') ? [form, `${form}s`] : [form],
  )
}

/**
 * The brands of a mapping: those to look for, each with the words that mean it (its name where there are none), and phrases
 * that contain the name of a brand and mean something else.
 */
export type NamedBrands = {
  brands?: Readonly<Record<string, readonly string[]>> | undefined
  not_brands?: readonly string[] | undefined
}

/**
 * Looks for brands in texts by whole words; of several names or phrases at a place, the longest decides. Of the catalogue's
 * brands only names of several words are looked for: a single one is too often a common word or a person (`Target`,
 * `Wilson`). A mapping can name those.
 */
export const createBrandFinder = (known: readonly KnownBrand[], named: readonly NamedBrands[]): FindBrands => {
  const brands = new Map<string, FoundBrand | null>()
  const add = (text: string, found: FoundBrand | null) => {
    for (const form of formsOf(fold(text))) brands.set(form, found)
  }
  for (const { brand_norm, brand } of known) if (fold(brand).includes(' ')) add(brand, { brand_norm, brand: null })
  for (const [brand, words] of named.flatMap(({ brands }) => Object.entries(brands ?? {}))) {
    const found = { brand_norm: brandNorm(brand) ?? '', brand }
    for (const text of words.length > 0 ? words : [brand]) add(text, found)
  }
  for (const phrase of named.flatMap(({ not_brands }) => not_brands ?? [])) add(phrase, null)

  const findIn = (words: readonly string[]): FoundBrand[] => {
    const found: FoundBrand[] = []
    for (let index = 0; index < words.length; index++)
      for (let length = Math.min(MAX_WORDS, words.length - index); length > 0; length--) {
        const brand = brands.get(words.slice(index, index + length).join(' '))
        if (brand === undefined) continue
        if (brand) found.push(brand)
        index += length - 1
        break
      }
    return found
  }
  return (text) => text.split(BREAKS).flatMap((part) => findIn(fold(part).split(' ')))
}

/** The brand that a feed gives; none for a placeholder such as `generic`. */
const givenBrand = (text: string): FoundBrand[] => {
  const brand_norm = brandNorm(text)
  if (brand_norm === null || isPlaceholder(brand_norm, 'us')) return []
  return [{ brand_norm, brand: text === brand_norm ? null : text }]
}

/** Reads the brands that a feed gives and those that its texts mention: their keys, sorted, each once. */
export const readBrandSource =
  (find: FindBrands, spellings: Spellings) =>
  ({ brand_source }: { brand_source: string }): readonly Value[] => {
    const [keys = '', text = ''] = brand_source.split('\u001f')
    const found = [...keys.split('\u001e').flatMap(givenBrand), ...find(text)]
    for (const { brand_norm, brand } of found) {
      const spelling = spellings.get(brand_norm)
      if (brand !== null && (spelling === undefined || brand < spelling)) spellings.set(brand_norm, brand)
    }
    return [brand_source, [...new Set(found.map(({ brand_norm }) => brand_norm))].sort()]
  }
