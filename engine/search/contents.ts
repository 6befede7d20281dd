import { UNITS, unitsOf } from './sizes.ts'

/** The contents that a name states: the amount of one piece, how many pieces, and both together. */
export type Contents = { unit: 'g' | 'ml' | 'each'; amount: number; pack: number; total: number }

/** Further spellings, French ones too. They are not in `sizeOf`, whose results are part of entity ids. */
const MORE_UNITS = unitsOf([
  ['floz|fluidonce|fluidonces|onceliquide|oncesliquides', 'ml', 29.5735],
  ['once|onces', 'g', 28.3495],
  ['livre|livres', 'g', 453.592],
  ['kgs|kilogramme|kilogrammes', 'g', 1000],
  ['grs|gm|gms|gramme|grammes', 'g', 1],
  ['mls|milliliter|milliliters|millilitre|millilitres', 'ml', 1],
  ['ltrs', 'ml', 1000],
  ['gals', 'ml', 3785.41],
  ['qts|quart|quarts|pinte|pintes', 'ml', 946.353],
  ['pt|pint|pints', 'ml', 473.176],
])
const CONTENT_UNITS = new Map([...UNITS, ...MORE_UNITS].filter(([, { unit }]) => unit === 'g' || unit === 'ml'))
/** Titles state both ounces with the same amount: `16 OZ | 16 Fl Oz`. */
const [OUNCE, FLUID_OUNCE] = [28.3495, 29.5735]

/** Counted units. An amount beside packs may be that of one of them; what else holds it shares it. */
const COUNTED =
  'ct|cnt|count|counts|ea|each|un|unit|units|pk|pks|pack|packs|pc|pcs|pieces?|eggs?|rolls?|sheets?|bags?|pods?|tablets?|' +
  'capsules?|caplets?|softgels?|gummies|loads?|cans?|bottles?|bagels?|buns?|slices?|sachets?|bars?|sticks?|pouch(?:es)?|cups?|' +
  'wipes?|dozen|doz|dz'
const PACKS = /^(?:pks?|packs?|cans?|bottles?)$/
const HOLDERS = /^(?:pouch(?:es)?|cups?|sachets?)$/
const COUNTS_ALONE = /^(?:ct|cnt|counts?)$/
/** What an amount is in, each of several: `20 fl oz bottles`. */
const EACH_IN =
  '\\.? (?:(?:plastic|glass|aluminum|slim|mini|single serve) )?' +
  '(?:bags|bars|bottles|boxes|cans|cartons|cups|jars|packages|packets|packs|pouches|sachets|sticks|tubes|tubs)(?!\\w)'

const BEFORE = '(?<![\\w.$¢/,-])(?<!\\bper )'
const NUMBER = '(\\d+(?:[.,]\\d+)?(?:\\s+\\d/\\d)?|\\d/\\d|\\.\\d+)'
const SPELLED = [...CONTENT_UNITS.keys()]
  .filter((spelling) => !spelling.startsWith('fl') && !/liquide/.test(spelling))
  .join('|')
const UNIT = `(?:fl\\.?|fluid) ?(?:oz\\.?|ounces?|onces?)|oz\\.? fl|onces? liquides?|${SPELLED}`
/** Ingredients, whose grams are not the contents: `20 g of protein`. */
const INGREDIENT = '(?! (?:of )?(?:protein|sugars?|fat|carbs?|fib(?:er|re)|less|dogs?|cats?|thc|cbd))'
const AMOUNTS = new RegExp(
  `(?:${BEFORE}(\\d{1,3}) ?[x×*] ?|${BEFORE})${NUMBER}[ -]?(${UNIT})(?![a-wyz0-9])(?: ?[x×] ?(\\d{1,3})(?![\\w.%]))?(?!\\w)${INGREDIENT}(${EACH_IN})?`,
  'g',
)
/** Several of an amount before a dash: `24 - 20 fl oz bottles`. */
const DASHED = new RegExp(`${BEFORE}(\\d{1,3}) ?[-–] ?(?=${NUMBER}[ -]?(?:${UNIT})${EACH_IN})`, 'g')
/** A count before a slash: `12pk/12 fl oz`. */
const SLASHED = /(?<![\w.$/-])(\d{1,3}) ?-?(pks?|packs?|ct|count) ?\/ ?(?=[\d.])/g
const ROLLS = '(?:(?:double|family|giant|huge|jumbo|mega|regular|super|triple) )?'
const SAME_IN_ROLLS = /= ?\d{1,3} regular rolls?/
const COUNTS = new RegExp(`${BEFORE}(\\d{1,4})[ -]?${ROLLS}(${COUNTED})(?![a-z0-9])`, 'g')
const PACK_OF =
  /\b(?:pack|set|box|case|bag|pkg|package|carton) of (\d{1,4})\b|(?<![\w.$/-])(\d{1,3}) ?\/ ?(?:pack|pk|box|case|bag)\b/
/** What may be weighed together, as in `340 g, box of 8`. */
const BOXES = /box|bag|carton/
const PRICES =
  /[$€£] ?\d+(?:[.,]\d+)?(?: ?\/ ?\d*(?:\.\d+)? ?[a-z]+\.?)?|\d+(?:[.,]\d+)? ?¢(?: ?\/ ?\d*(?:\.\d+)? ?[a-z]+\.?)?/g
/** Sold by weight: `Bananas, per lb`. */
const BY_WEIGHT = /\bper (lb|kg|pound)\b/
const MAX_LETTERS = 300

const numberOf = (text: string): number => {
  const [whole = '0', part] = text.includes('/') && !/\s/.test(text) ? ['0', text] : text.split(/\s+/)
  const [over = 0, under = 1] = (part ?? '0/1').split('/').map(Number)
  return Number(/^\d{1,3},\d{3}$/.test(whole) ? whole.replace(',', '') : whole.replace(',', '.')) + over / under
}

/** Whether amounts are equal up to rounding and conversion, as 12 oz and 341 g. */
export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 0.035 * Math.max(a, b)

/** An amount at a place in the text; whether the text says that it is in each of several. */
type Amount = { unit: Contents['unit']; amount: number; pack: number; at: number; isEach: boolean }
type PackCount = { count: number; of: 'packs' | 'holders' | 'counts' | 'pieces'; at: number }

const amountsIn = (text: string): Amount[] => {
  const amounts = [...text.matchAll(AMOUNTS)].flatMap((found): Amount[] => {
    const [, before, number = '', spelling = '', after, each] = found
    const plain = spelling.replace(/[. ]/g, '')
    const measure = /^(?:fl|fluid|ozfl|onces?liquide)/.test(plain)
      ? { unit: 'ml', factor: FLUID_OUNCE }
      : CONTENT_UNITS.get(plain)
    const amount = numberOf(number) * (measure?.factor ?? 0)
    const pack = Number(before ?? after ?? 1)
    const unit = measure?.unit as Contents['unit']
    return amount > 0 ? [{ unit, amount, pack, at: found.index, isEach: each !== undefined }] : []
  })
  // Ounces of a drink are fluid ounces.
  const fluid = amounts.filter(({ unit }) => unit === 'ml').map(({ amount }) => amount / FLUID_OUNCE)
  return amounts.map((of) =>
    of.unit === 'g' && fluid.some((ounces) => isNear(ounces, of.amount / OUNCE))
      ? { ...of, unit: 'ml', amount: (of.amount / OUNCE) * FLUID_OUNCE }
      : of,
  )
}

const kindOf = (word: string): PackCount['of'] => {
  if (PACKS.test(word)) return 'packs'
  if (HOLDERS.test(word)) return 'holders'
  return COUNTS_ALONE.test(word) ? 'counts' : 'pieces'
}

const countsIn = (text: string): PackCount[] => {
  const counts = [...text.matchAll(COUNTS)].map(({ index, 1: count, 2: word = '' }) => ({
    count: Number(count) * (word.startsWith('d') ? 12 : 1),
    of: kindOf(word),
    at: index,
  }))
  const found = PACK_OF.exec(text)
  const count = Number(found?.[1] ?? found?.[2] ?? 0)
  const of = BOXES.test(found?.[0] ?? '') ? 'holders' : 'packs'
  return [...counts, { count, of, at: found?.index ?? 0 } as const].filter((one) => one.count > 0)
}

const ofCount = (counts: readonly PackCount[]): Contents | null => {
  const [count, ...others] = new Set(counts.map((of) => of.count))
  return count === undefined || others.length > 0 ? null : { unit: 'each', amount: 1, pack: count, total: count }
}

/** A smaller amount is that of one bottle of a pack: `6 pack, 12 fl oz`. */
const MAX_SINGLE_ML = 800
/** What weighs more is no pack of such amounts: `Snack Size 375 g, 32 pk`. */
const MAX_PACKED_G = 10_000

/** Whether the amount is that of one of the count: in each, of a drink, or before the packs, as in `16 oz (Pack of 8)`. */
const isOfOne = ({ unit, amount, at, isEach }: Amount, { count, of, at: countAt }: PackCount): boolean => {
  const isBefore = at < countAt
  const isDrink = unit === 'ml' && amount < MAX_SINGLE_ML
  if (isEach || (isDrink && (isBefore || of === 'packs'))) return true
  return of === 'packs' && isBefore && (unit === 'ml' || amount * count <= MAX_PACKED_G)
}

/** Combines an amount with the counts of the same text. */
const withCounts = (stated: Amount, counts: readonly PackCount[]): Contents => {
  const { unit, amount, pack } = stated
  const several = pack > 1 ? [] : counts.filter(({ count, of }) => count > 1 && of !== 'pieces')
  const found = several.find(({ of }) => of !== 'counts') ?? several.find((one) => isOfOne(stated, one))
  if (!found) return { unit, amount, pack, total: amount * pack }
  const { count } = found
  // Other amounts are totals, as in `6 Pack 450 g`.
  return isOfOne(stated, found)
    ? { unit, amount, pack: count, total: amount * count }
    : { unit, amount: amount / count, pack: count, total: amount }
}

/**
 * The one size that a text states: `6 x 355 ml`, `1.89 L`, `12 ct`, `2 lb`. Null where it states none, or several that
 * contradict each other. Bounded, and never throws.
 */
export const readContents = (text: string): Contents | null => {
  const plain = text
    .slice(0, MAX_LETTERS)
    .normalize('NFKD')
    .replaceAll('\u2044', '/')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(PRICES, ' ')
    .replace(BY_WEIGHT, '1 $1')
    .replace(/\s+/g, ' ')
    .replace(SLASHED, '$1 $2, ')
    .replace(DASHED, '$1 x ')
    .replace(SAME_IN_ROLLS, ' ')
  const [amounts, counts] = [amountsIn(plain), countsIn(plain)]
  const [first] = amounts
  if (!first) return ofCount(counts)
  const best = amounts.find(({ pack }) => pack > 1) ?? first
  const alike = amounts.filter(({ unit }) => unit === best.unit)
  if (best.pack > 1) {
    const total = best.amount * best.pack
    const isConsistent = ({ amount, pack }: Amount) => isNear(amount, best.amount) || isNear(amount * pack, total)
    return alike.every(isConsistent) ? withCounts(best, counts) : null
  }
  const [least, most] = [Math.min(...alike.map(({ amount }) => amount)), Math.max(...alike.map(({ amount }) => amount))]
  if (isNear(least, most)) return withCounts(best, counts)
  // The size of one piece and the total: `12 cans, 355 ml, 4.26 L`.
  const pieces = counts.find(({ count }) => isNear(count, most / least))?.count
  return pieces === undefined ? null : { unit: best.unit, amount: least, pack: pieces, total: most }
}

/** The size of a listing: the contents of one piece in thousandths of its unit, and how many pieces; null without one. */
export type StoredSize = { size_milli: number | null; size_unit: string | null; pack_count: number | null }

/** The contents of a listing by its size; null where none is known. */
export const storedContents = ({ size_milli, size_unit, pack_count }: StoredSize): Contents | null => {
  if (size_milli === null) return null
  const [amount, pack] = [size_milli / 1000, pack_count ?? 1]
  return { unit: size_unit as Contents['unit'], amount, pack, total: amount * pack }
}

/** How well contents match the expected ones: 2 the same total, 1 the same piece, 0 neither. */
export const contentsFit = (expected: Contents, { unit, amount, pack, total }: Contents): 0 | 1 | 2 => {
  if (unit === expected.unit && isNear(total, expected.total)) return 2
  if (expected.unit === 'each') return pack === expected.total ? 2 : 0
  return unit === expected.unit && isNear(amount, expected.amount) ? 1 : 0
}

/** A price for a standard amount. */
export type UnitPrice = { value: number; per: '100 g' | '100 ml' | 'each' }

/** The unit price for given contents, in the unit of the price; null without contents. */
export const unitPriceOf = (price: number, contents: Contents | null): UnitPrice | null => {
  if (contents === null) return null
  const { unit, total } = contents
  return unit === 'each' ? { value: price / total, per: 'each' } : { value: (100 * price) / total, per: `100 ${unit}` }
}
