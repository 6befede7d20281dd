import { fold } from '../../engine/index.ts'
import type { Value } from '../database.ts'
import { codesIn, readPartNumber } from './entities-code.ts'
import { packOf, sizeOf, withJoinedUnits } from './entities-size.ts'

/** What a listing says of its product: its title, and the attributes beside it where a feed has them. */
export type Told = {
  title: string
  brand: string | null
  mpn: string | null
  model: string | null
  size: string | null
  pack: string | null
  is_bundle: boolean
}

/** What a title must share with another's to be of the same product. */
export type TitleReading = {
  /** The first word of the brand, or else of the title: `Griffin Technology` and `Griffin` are one. */
  brand: string | null
  /** The manufacturer's part number, where a field has it. */
  part_number: string | null
  /** The model tokens of the title, those of what it is for or with left out. */
  codes: readonly string[]
  /** All its words but the brand's, sorted; null without a brand in its own field, or where they tell too little. */
  words: string | null
  pack: number
  /** Pack count and kind: `6`, `1 kit`, `1 case`. Differs where products of one model do. */
  kind: string
  /** Contents or capacity, `454 g`; null where several are named, or none. */
  size: string | null
}

const LEAST_WORDS = 3

/** Words before a brand. */
const OPENINGS: ReadonlySet<string> = new Set('the new brand genuine original oem official'.split(' '))

/** Words that make another product of a model: sold with more, in another box, or as a thing to go with it. */
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

/** What follows names another product: `case for X`, `camera with lens Y`. Up to a dash, comma or bracket. */
const PURPOSE =
  /\s(?:for|fits|replaces|compatible with|works with|designed for)\s.*?(?=\s[-\u2013\u2014]\s|[,;()|]|$)/gi
const COMPANY = /\s(?:with|w\/?|plus|includes?|including|\+)\s.*?(?=\s[-\u2013\u2014]\s|[,;()|]|$)/gi

const firstWord = (text: string): string | null =>
  fold(text)
    .split(' ')
    .find((word) => !OPENINGS.has(word)) || null

const wordsIn = (text: string): string[] => text.toLowerCase().split(/[^a-z0-9]+/)

/** Kinds are told by what is named itself, but for a kit, which what comes with it makes. */
const kindOf = (title: string, named: string, pack: number, isBundle: boolean): string => {
  const kinds = new Set(wordsIn(named).flatMap((word) => KINDS.get(word) ?? []))
  if (isBundle || wordsIn(title).some((word) => KINDS.get(word) === 'kit')) kinds.add('kit')
  return [pack, ...[...kinds].sort()].join(' ')
}

/** A model that is a code and no name. */
const readModel = (model: string | null, brand: string | null): string | null =>
  codesIn(model ?? '').length === 1 ? readPartNumber(model, brand) : null

/** Words tell a product where one is a number, of a model, size or pack: whole milk is sold by the quart and gallon. */
const wordsOf = (title: string, brand: string, isSized: boolean): string | null => {
  const own = new Set(fold(brand).split(' '))
  const words = [...new Set(fold(title).split(' '))].filter((word) => !own.has(word))
  return words.length >= LEAST_WORDS && (isSized || /\d/.test(title)) ? words.sort().join(' ') : null
}

/** Reads a listing's title and fields. Never throws. */
export const readTitle = ({ title, brand, mpn, model, size, pack, is_bundle }: Told): TitleReading => {
  const joined = withJoinedUnits(title)
  const apart = joined.replace(PURPOSE, ' ')
  const named = apart.replace(COMPANY, ' ')
  const codes = codesIn(named)
  const measure = sizeOf(size ?? '') ?? sizeOf(joined)
  const count = packOf(size === null ? joined : `${joined}, ${size}`, pack)
  return {
    brand: firstWord(brand ?? title),
    part_number: readPartNumber(mpn, brand) ?? readModel(model, brand),
    codes: codes.length > 0 ? codes : codesIn(apart),
    words: brand === null ? null : wordsOf(joined, brand, measure !== null || count > 1),
    pack: count,
    kind: kindOf(joined, named, count, is_bundle),
    size: measure,
  }
}

/** The reading as a row of `title_reading`. */
export const readListing = ({ listing_id, ...told }: Told & { listing_id: number }): readonly Value[] => {
  const { brand, part_number, codes, words, pack, kind, size } = readTitle(told)
  return [listing_id, brand, part_number, codes.join(' ') || null, words, pack, kind, size]
}
