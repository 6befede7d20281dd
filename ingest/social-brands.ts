import { brandNorm, fold, isPlaceholder } from '../engine/index.ts'
import type { Value } from './database.ts'
import { isCommonWord } from './social-common-words.ts'

/** The labels of brands that a feed or a mapping spells, by key. */
export type Spellings = Map<string, string>
type KnownBrand = { brand_norm: string; brand: string }
type FoundBrand = { brand_norm: string; brand: string | null }
/** Finds the brands that a text speaks of. */
export type FindBrands = (text: string) => FoundBrand[]

const MOST_WORDS = 5
const LEAST_LETTERS = 3
/** Brands are not read across these: a title is not continued by a tag, nor a sentence by the next. */
const BREAKS = /[|;,.:!?()[\]"“”/]+(?=\s|$)|[|;,:!?()[\]"“”]+|\s[-–—~]+\s/

/** A brand of one word that people also mean otherwise (`target`, `dove`) is not read out of a sentence. */
const isDoubtful = (words: string): boolean =>
  !words.includes(' ') && (words.length <= LEAST_LETTERS || /^\d+$/.test(words) || isCommonWord(words))

/** As words, as one word (a hashtag), and in the plural or the possessive. */
const formsOf = (words: string): string[] => {
  const forms = [words, words.replaceAll(' ', '')]
  return forms.flatMap((form) => (form.length > LEAST_LETTERS && !form.endsWith('s') ? [form, `${form}s`] : [form]))
}

/**
 * Looks for brands in texts by whole words, the longest name first. Of the catalogue's brands those of one common word
 * or of at most three letters are left out; `named` are brands with further words for them, which are taken as they are.
 */
export const createBrandFinder = (
  known: readonly KnownBrand[],
  named: Readonly<Record<string, readonly string[]>>,
): FindBrands => {
  const brands = new Map<string, FoundBrand>()
  for (const { brand_norm, brand } of known) {
    const forms = formsOf(fold(brand))
    if (!forms.some(isDoubtful)) for (const form of forms) brands.set(form, { brand_norm, brand: null })
  }
  for (const [brand, others] of Object.entries(named)) {
    const brand_norm = brandNorm(brand)
    const wordings = isDoubtful(fold(brand)) ? others : [brand, ...others]
    if (brand_norm) for (const words of wordings.map(fold).flatMap(formsOf)) brands.set(words, { brand_norm, brand })
  }

  const findIn = (words: readonly string[]): FoundBrand[] => {
    const found: FoundBrand[] = []
    for (let at = 0; at < words.length; at++)
      for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
        const brand = brands.get(words.slice(at, at + length).join(' '))
        if (!brand) continue
        found.push(brand)
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
