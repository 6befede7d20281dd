import { z } from 'zod'
import { fold, packOf, sizeOf, withJoinedUnits } from '../../engine/index.ts'
import { codesIn, readPartNumber } from './codes.ts'

/** A title with the other attributes that identify its product, if a feed has them. */
export const titleRow = z.strictObject({
  title_id: z.int(),
  title: z.string(),
  brand: z.string().nullable(),
  mpn: z.string().nullable(),
  model: z.string().nullable(),
  size: z.string().nullable(),
  pack: z.string().nullable(),
  is_bundle: z.boolean(),
})
export type TitleFields = Omit<z.output<typeof titleRow>, 'title_id'>

/** The features that titles of the same product share. */
export type TitleReading = {
  /** The first word of the brand, or else of the title: `Griffin Technology` and `Griffin` are one. */
  brand: string | null
  /** The manufacturer's part number, if a field has it. */
  part_number: string | null
  /** The model codes of the title, without those of compatible or included products. */
  codes: readonly string[]
  /** All words except the brand's, sorted; null if there is no brand field or there are too few words. */
  words: string | null
  pack: number
  /** Pack count and kind: `6`, `1 kit`, `1 case`. Products of one model differ in it. */
  kind: string
  /** Contents or capacity, `454 g`; null if the title has several, or none. */
  size: string | null
}

const MIN_WORDS = 3

/** Words that may precede a brand. */
const OPENINGS: ReadonlySet<string> = new Set('the new brand genuine original oem official'.split(' '))

/** Words that distinguish products of one model: kits, other packaging, and accessories. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    kit: 'kit kits bundle bundles combo bonus',
    bulk: 'oem tray bulk',
    case: 'case cases cover covers sleeve skin pouch holster bumper shell',
    power: 'charger chargers battery batteries adapter adapters adaptor cable cables cord',
    mount: 'mount mounts bracket holder cradle strap straps',
    part: 'protector replacement refill refills filter filters lamp bulb compatible',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
)

/** After these words, up to a dash, comma or bracket, another product is named: `case for X`, `camera with lens Y`. */
const PURPOSE =
  /\s(?:for|fits|replaces|compatible with|works with|designed for)\s.*?(?=\s[-\u2013\u2014]\s|[,;()|]|$)/gi
const INCLUDED = /\s(?:with|w\/?|plus|includes?|including|\+)\s.*?(?=\s[-\u2013\u2014]\s|[,;()|]|$)/gi

/** The first word of a folded text that can be a brand. */
const firstWord = (folded: string): string | null => folded.split(' ').find((word) => !OPENINGS.has(word)) || null

const kindsIn = (text: string): string[] => {
  const kinds: string[] = []
  for (const word of text.toLowerCase().split(/[^a-z0-9]+/)) {
    const kind = KINDS.get(word)
    if (kind !== undefined && !kinds.includes(kind)) kinds.push(kind)
  }
  return kinds
}

/** The kind by the product's own words, except that a product sold with others is a kit. */
const kindOf = (title: string, product: string, pack: number, isBundle: boolean): string => {
  const kinds = kindsIn(product)
  const isKit = isBundle || (product !== title && kindsIn(title).includes('kit'))
  if (isKit && !kinds.includes('kit')) kinds.push('kit')
  return [pack, ...kinds.sort()].join(' ')
}

/** The model if it is a code, not a name. */
const readModel = (model: string | null, brand: string | null): string | null =>
  model !== null && codesIn(model).length === 1 ? readPartNumber(model, brand) : null

/**
 * Words identify a product only with a number, of a model, size or pack: whole milk is sold by the quart and gallon.
 */
const wordsOf = (title: string, foldedBrand: string, isSized: boolean): string | null => {
  if (!isSized && !/\d/.test(title)) return null
  const ofBrand = foldedBrand.split(' ')
  const words = [...new Set(fold(title).split(' '))].filter((word) => !ofBrand.includes(word))
  return words.length >= MIN_WORDS ? words.sort().join(' ') : null
}

/** Reads a title and its other fields. Never throws. */
export const readTitle = ({ title, brand, mpn, model, size, pack, is_bundle }: TitleFields): TitleReading => {
  const joined = withJoinedUnits(title)
  const withoutPurpose = joined.replace(PURPOSE, ' ')
  const product = withoutPurpose.replace(INCLUDED, ' ')
  const codes = codesIn(product)
  const measure = (size === null ? null : sizeOf(size)) ?? sizeOf(joined)
  const count = packOf(size === null ? joined : `${joined}, ${size}`, pack)
  // Folding is the most expensive part, so that the brand is folded once.
  const foldedBrand = brand === null ? null : fold(brand)
  return {
    brand: firstWord(foldedBrand ?? fold(title)),
    part_number: readPartNumber(mpn, foldedBrand) ?? readModel(model, foldedBrand),
    codes: codes.length > 0 ? codes : codesIn(withoutPurpose),
    words: foldedBrand === null ? null : wordsOf(joined, foldedBrand, measure !== null || count > 1),
    pack: count,
    kind: kindOf(joined, product, count, is_bundle),
    size: measure,
  }
}
