/** Units of sizes and packs with their other spellings, in the singular. */
const SPELLINGS = {
  oz: 'ounce floz',
  lb: 'lbs pound',
  g: 'gram gramme',
  kg: 'kilo kilogram',
  mg: 'milligram',
  ml: 'milliliter millilitre',
  l: 'liter litre',
  gal: 'gallon',
  qt: 'quart',
  pt: 'pint',
  ct: 'cnt count',
  pack: 'pk pck',
  pc: 'pcs piece',
  in: 'inch',
  ft: 'foot feet',
  yd: 'yard',
  mm: 'millimeter millimetre',
  cm: 'centimeter centimetre',
  m: 'meter metre',
  gb: 'gigabyte gig',
  tb: 'terabyte',
  mb: 'megabyte',
  mhz: 'megahertz',
  ghz: 'gigahertz',
  hz: 'hertz',
  w: 'watt',
  v: 'volt',
  mah: 'milliamp',
}

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([unit, others]) => [unit, ...others.split(' ')].map((word) => [word, unit])),
)

/** The unit that a folded word in the singular names: `ounce` is `oz`; undefined for other words. */
export const searchUnit = (word: string): string | undefined => UNITS.get(word)

/** Units of contents and counts, in which things are sold. */
const CONTENT_UNITS = ['oz', 'lb', 'g', 'kg', 'mg', 'ml', 'l', 'gal', 'qt', 'pt', 'ct', 'pack', 'pc']
const SIZE = new RegExp(`^\\d+(?:\\.\\d+)?(?:${CONTENT_UNITS.join('|')})$`)

/** Whether a word of words.ts is a size: `12oz`, `6pack`. */
export const isSizeWord = (word: string): boolean => SIZE.test(word)
