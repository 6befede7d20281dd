type Spellings = readonly (readonly [spellings: string, unit: string, factor: number])[]
/** Spellings of units, each with the unit it is converted to and the factor. */
const SPELLINGS: Spellings = [
  ['floz|fluidoz|fluidounce|fluidounces|flounce|flounces', 'ml', 29.5735],
  ['oz|ounce|ounces', 'g', 28.3495],
  ['lb|lbs|pound|pounds', 'g', 453.592],
  ['kg|kilo|kilos|kilogram|kilograms', 'g', 1000],
  ['g|gr|gram|grams', 'g', 1],
  ['mg', 'mg', 1],
  ['ml', 'ml', 1],
  ['cl', 'ml', 10],
  ['l|lt|ltr|liter|liters|litre|litres', 'ml', 1000],
  ['gal|gallon|gallons', 'ml', 3785.41],
  ['qt|quart|quarts', 'ml', 946.353],
  ['tb', 'gb', 1000],
  ['gb', 'gb', 1],
]

/** The target unit and factor of each spelling, without dots and spaces. */
export const unitsOf = (table: Spellings): ReadonlyMap<string, { unit: string; factor: number }> =>
  new Map(
    table.flatMap(([spellings, unit, factor]) =>
      spellings.split('|').map((spelling) => [spelling, { unit, factor }] as const),
    ),
  )
export const UNITS = unitsOf(SPELLINGS)

const BEFORE = '(?<![\\w.])'
const FLUID = '(?:fl\\.?|fluid) ?'
const SIZES = new RegExp(`${BEFORE}(\\d+(?:[.,]\\d+)?)[ -]?((?:${FLUID})?[a-z]+)`, 'gi')
const APART = new RegExp(
  `${BEFORE}(\\d+(?:\\.\\d+)?)[ -](${[...UNITS.keys(), 'mb|inch|inches|in|cm|mm|ft|feet|watts?|w|volts?|v'].join('|')})(?!\\w)`,
  'gi',
)

const COUNTED = 'packs?|pks?|ct|count|pcs|pieces?|cans|bottles|rolls|sheets|bags|pods|sachets|tablets|capsules'
const PACK = new RegExp(
  [
    `${BEFORE}(\\d{1,4})[ -]?(?:${COUNTED})(?!\\w)`,
    '\\b(?:pack|set|box|case|lot|carton|bag|pkg) of (\\d{1,4})\\b',
    `${BEFORE}(\\d{1,4}) ?(?:per|/) ?(?:pack|pk|box|case|carton|bag)\\b`,
    `${BEFORE}(\\d{1,3}) ?x ?(?=\\d+(?:\\.\\d+)? ?(?:k?g|[mc]?l|oz|fl)\\b)`,
    '\\b(?:twin|double)[ -]?(pack)\\b|\\b(pair)\\b',
  ].join('|'),
  'i',
)

/** The title with numbers joined to their units: `64 GB` becomes `64GB`. */
export const withJoinedUnits = (title: string): string => title.replace(APART, '$1$2')

/** The pack count of the field, else of the title; 1 if neither has one. */
export const packOf = (title: string, field: string | null): number => {
  const given = Number(field)
  if (field !== null && Number.isInteger(given) && given > 0) return given
  const count = PACK.exec(title)?.slice(1).find(Boolean)
  if (count === undefined) return 1
  return /\d/.test(count) ? Math.max(Number(count), 1) : 2
}

/**
 * The one amount of contents (whole grams or millilitres) or capacity (gigabytes) that a text states: `16 oz (454 g)` is
 * `454 g`. Null if it states none or several.
 */
export const sizeOf = (text: string): string | null => {
  const sizes = new Set<string>()
  for (const [, amount = '', spelling = ''] of text.matchAll(SIZES)) {
    const measure = UNITS.get(spelling.toLowerCase().replace(/[. ]/g, ''))
    if (measure === undefined) continue
    const { unit, factor } = measure
    const size = Number(amount.replace(',', '.')) * factor
    sizes.add(`${unit === 'gb' ? size : Math.round(size)} ${unit}`)
  }
  return sizes.size === 1 ? [...sizes][0]! : null
}
