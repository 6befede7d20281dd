/** Units as titles write them, in the order to look for them, with what one is worth in the unit of its kind. */
const UNITS: readonly (readonly [spelling: string, unit: string, worth: number])[] = [
  ['fl(?:uid)?\\.? ?(?:oz|ounces?)', 'ml', 29.5735],
  ['(?:oz|ounces?)', 'g', 28.3495],
  ['(?:lbs?|pounds?)', 'g', 453.592],
  ['(?:kg|kilos?|kilograms?)', 'g', 1000],
  ['(?:g|gr|grams?)', 'g', 1],
  ['mg', 'mg', 1],
  ['ml', 'ml', 1],
  ['cl', 'ml', 10],
  ['(?:l|lt|ltr|lit(?:er|re)s?)', 'ml', 1000],
  ['(?:gal|gallons?)', 'ml', 3785.41],
  ['(?:qt|quarts?)', 'ml', 946.353],
  ['tb', 'gb', 1000],
  ['gb', 'gb', 1],
]

const AMOUNT = '(\\d+(?:[.,]\\d+)?)'
const patterns = UNITS.map(
  ([spelling, unit, worth]) => [new RegExp(`(?<![\\w.])${AMOUNT}[ -]?${spelling}(?!\\w)`, 'gi'), unit, worth] as const,
)
const APART =
  /(?<![\w.])(\d+(?:\.\d+)?)[ -](tb|gb|mb|oz|ounces?|lbs?|kg|g|mg|ml|cl|l|lit(?:er|re)s?|inch(?:es)?|in|cm|mm|ft|feet|watts?|w|volts?|v|ct|count|packs?|pk)(?!\w)/gi

const COUNTED = 'packs?|pk|pks|ct|count|pcs|pieces?|cans|bottles|rolls|sheets|bags|pods|sachets|tablets|capsules'
const PACKS: readonly RegExp[] = [
  new RegExp(`(?<![\\w.])(\\d{1,4})[ -]?(?:${COUNTED})(?!\\w)`, 'i'),
  /\b(?:pack|set|box|case|lot|carton|bag|pkg) of (\d{1,4})\b/i,
  /(?<![\w.])(\d{1,4})[ ]?(?:per|\/) ?(?:pack|pk|box|case|carton|bag)\b/i,
  /(?<![\w.])(\d{1,3}) ?x ?(?=\d+(?:\.\d+)? ?(?:g|kg|ml|cl|l|oz|fl)\b)/i,
]
const PAIRS = /\b(?:twin|double|2)[ -]?pack\b|\bpair\b/i

/** Numbers written apart from their units, together: `64 GB` is `64GB`. */
export const withJoinedUnits = (title: string): string => title.replace(APART, '$1$2')

/** The pack count that a field tells, or else the title; 1 where neither does. */
export const packOf = (title: string, field: string | null): number => {
  const told = Number(field)
  if (field !== null && Number.isInteger(told) && told > 0) return told
  for (const pattern of PACKS) {
    const count = Number(pattern.exec(title)?.[1] ?? 0)
    if (count > 0) return count
  }
  return PAIRS.test(title) ? 2 : 1
}

/**
 * The one amount of contents (whole grams or millilitres) or capacity (gigabytes) a text names: `16 oz (454 g)` is
 * `454 g`. Null where it names none or several.
 */
export const sizeOf = (text: string): string | null => {
  const sizes = new Set<string>()
  let rest = text
  for (const [pattern, unit, worth] of patterns)
    rest = rest.replace(pattern, (_, amount: string) => {
      sizes.add(
        `${Math.round(Number(amount.replace(',', '.')) * worth * (unit === 'gb' ? 100 : 1)) / (unit === 'gb' ? 100 : 1)} ${unit}`,
      )
      return ' '
    })
  return sizes.size === 1 ? [...sizes][0]! : null
}
