import { brandNorm, fold, isPlaceholder } from '../../engine/index.ts'
import type { Value } from '../database.ts'

/** The labels of brands that a feed or a mapping spells, by key. */
export type Spellings = Map<string, string>
type KnownBrand = { brand_norm: string; brand: string }
type FoundBrand = { brand_norm: string; brand: string | null }
/** Finds the brands that a text speaks of. */
export type FindBrands = (text: string) => FoundBrand[]

const MOST_WORDS = 5
const SHORT = 3
/** Brands are not read across these: a title is not continued by a tag, nor a sentence by the next. */
const BREAKS = /[|;,:!?()[\]"“”]+|\s[-–—~/]+\s/

/** As words, as one word (a hashtag) unless that is very short, and in the plural or the possessive. */
const formsOf = (words: string): string[] => {
  const joined = words.replaceAll(' ', '')
  const forms = joined.length > SHORT ? [words, joined] : [words]
  return forms.flatMap((form) => (joined.length > SHORT && !form.endsWith('s') ? [form, `${form}s`] : [form]))
}

/**
 * What a mapping says of brands: those to look for, each with the words that mean it (none: its name), and phrases that
 * hold the name of one and mean something else.
 */
export type NamedBrands = {
  brands?: Readonly<Record<string, readonly string[]>> | undefined
  not_brands?: readonly string[] | undefined
}

/**
 * Looks for brands in texts by whole words; the longest name or phrase at a place decides. Of the catalogue's brands only
 * names of several words are looked for: one word is too often a word or a person (`Target`, `Wilson`), which a mapping
 * knows better.
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
    for (let at = 0; at < words.length; at++)
      for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
        const brand = brands.get(words.slice(at, at + length).join(' '))
        if (brand === undefined) continue
        if (brand) found.push(brand)
        at += length - 1
        break
      }
    return found
  }
  return (text) => text.split(BREAKS).flatMap((part) => findIn(fold(part).split(' ')))
}

const stated = (text: string): FoundBrand[] => {
  const brand_norm = brandNorm(text)
  if (brand_norm === null || isPlaceholder(brand_norm, 'us')) return []
  return [{ brand_norm, brand: text === brand_norm ? null : text }]
}

/** Reads the brands that a feed states and those that its texts speak of: their keys, sorted, each once. */
export const readBrandSource =
  (find: FindBrands, spellings: Spellings) =>
  ({ brand_source }: { brand_source: string }): readonly Value[] => {
    const [keys = '', text = ''] = brand_source.split('\u001f')
    const found = [...keys.split('\u001e').flatMap(stated), ...find(text)]
    for (const { brand_norm, brand } of found) {
      const spelled = spellings.get(brand_norm)
      if (brand !== null && (spelled === undefined || brand < spelled)) spellings.set(brand_norm, brand)
    }
    return [brand_source, [...new Set(found.map(({ brand_norm }) => brand_norm))].sort()]
  }
