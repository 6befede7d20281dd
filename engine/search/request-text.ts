/** How a thing is packed or measured out, before what it is: `cans of chickpeas`. `pack of 2` is a size. */
const QUANTITY =
  /\b(?:(?:a|an|one|some|\d+) )?(?:bag|bottle|box|bunch|can|carton|case|jar|jug|packet|pack|piece|roll|slice|tin|tube|tub)(?:e?s)? of (?!\d)/gi
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const COUNTED =
  /\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=[ -](?:dozen|pounds?|lbs?|ounces?|oz|kilos?|grams?|litres?|liters?|gallons?|quarts?|pints?|packs?)\b)/gi

/** A request as names put it: numbers as digits, and without what only says how a thing is packed. */
export const plainRequest = (text: string): string =>
  text.replace(QUANTITY, '').replace(COUNTED, (count) => String(COUNTS.indexOf(count.toLowerCase()) + 1 || 1))

/** Words that connect others: a name that lacks them has what a text says as well. */
const CONNECTIVES: ReadonlySet<string> = new Set(
  'a an any at by from my on or some to al au aux avec con d de del du des en et mit para pour und y'.split(' '),
)
/** Articles, which connect only between other words: they begin brands, as in `La Marca`. */
const ARTICLES: ReadonlySet<string> = new Set('el la las le les los'.split(' '))

/** The words of a text that a name must have, if it has others than connectives. */
export const withoutConnectives = <T extends { word: string }>(words: readonly T[]): readonly T[] =>
  words.filter(
    ({ word }, position) =>
      position === words.length - 1 || !(CONNECTIVES.has(word) || (position > 0 && ARTICLES.has(word))),
  )
