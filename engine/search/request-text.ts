import { withoutGeneral } from './general-words.ts'

/** How a thing is packed or measured out, before what it is: `cans of chickpeas`. `pack of 2` is a size. */
const QUANTITY =
  /\b(?:(?:a|an|one|some|\d+) )?(?:bag|bottle|box|bunch|can|carton|case|jar|jug|packet|pack|piece|roll|slice|tin|tube|tub)(?:e?s)? of (?!\d)/gi
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const COUNTED =
  /\b(?<!half )(a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=[ -](?:dozen|pounds?|lbs?|ounces?|oz|kilos?|grams?|litres?|liters?|gallons?|quarts?|pints?|packs?)\b)/gi

/** Between two words: `Zahnpasta für Kinder`, `Messgerät für den Oberarm`. */
const GERMAN_FOR = /(?<=\S) für(?:s| (?:das|den|die|einen?|eine))? (?=\S)/gi

/** Pieces and containers that are counted, which sizes state in other words: `24 cans` is `24 pack`. */
const PIECES =
  /(?<![\w.,$-])(\d{1,4}) (?:(cans|bottles)|bags|bars|capsules|cups|pods|pouches|rolls|sachets|sheets|sticks|tablets|wipes)\b(?! of )/gi

/** What is said around the product in a question about its price: `cheapest`, `how much is`, `price of`, `for sale`. */
const BEFORE_PRODUCT = new RegExp(
  `^(?:${[
    "(?:what is|what's|(?:find|show|get|tell|give)(?: me)?)(?: (?:a|an|the))?",
    '(?:i (?:want|need|would like)|i am looking for|looking for|where (?:can i|do i|to))(?: (?:to )?(?:buy|get|find))?(?: (?:a|an|the|some))?',
    'how much (?:is|are|does|do|for)(?: (?:a|an|the|some))?',
    '(?:do you (?:have|sell|stock|carry)|have you got|is there|are there|can i (?:buy|get))(?: (?:a|an|any|some))?',
    '(?:the )?(?:cheap|cheapest|lowest|lowest priced?|best priced?|least expensive|most affordable|affordable)',
    '(?:the )?(?:(?:best|lowest|cheapest|current) )?(?:prices?|costs?|deals?|offers?) (?:of|for|on)(?: (?:a|an|the|some))?',
    'buy',
    '(?:(?:(?:ich )?suche|ich brauche|gibt es|habt ihr|haben sie|wo gibt es|was kosten|(?:was|wie viel) kostet)(?: (?:das|den|die|der|eine?n?))?)',
    '(?:billigste[nrs]?|günstigste[nrs]?|preise? (?:von|für)|le moins cher|la moins chère|prix (?:du|de la|des|de))',
    '(?:(?:el |la )?(?:más barat[oa]|mejor precio)(?: de)?|precios? (?:del|de(?: (?:el|la|los|las))?)|cuánto (?:cuestan?|valen?)(?: (?:el|la|los|las|una?))?)',
    '(?:(?:quiero|busco|necesito|dónde)(?: comprar)?(?: una?)?|je (?:cherche|veux)(?: (?:une?|du|de la|des))?|combien coûtent?(?: (?:le|la|les|une?))?)',
  ].join('|')})[ ]+(?=\\S)`,
  'i',
)
const AFTER_PRODUCT =
  /(?<=\S)(?:[ ]+(?:(?:best |lowest |cheapest )?prices?|costs?|for sale|on sale|near me|cheap|please)|[ ]*\?+)$/i

/** A measure without a number, which means one, before what is measured or after it: `gallon of milk`, `large eggs dozen`. */
const ONE_MEASURE =
  /(?<=^|[^\d\s.,-] )(half (?:a )?)?(gallon|quart|pint|dozen|litre|liter)(?=$| of )|^(half (?:a )?)?(gallon|dozen)(?= )/gi

/** What says of a thing what the words after it say alone: `crumbs that are gluten free`. */
const RELATIVE = /(?<=\S) (?:that|which) (?:are|is)(?= \S)/gi
/** Letters that are said rather than written: `triple a batteries`. */
const LETTERS = /\b(double|triple)[ -]([a-z])(?= )/gi
/** An age, which names say in fewer words: `12 yo` is `12 years old`. */
const AGE = /\b(\d{1,3}[ -]?)(?:years?|yrs?)[ -]old\b/gi

/** A pack that states its count first: `12 pack of root beer`. */
const PACK_OF = /\b(\d{1,3})[ -](?:pack|count|ct|pk)(?:e?s)? of (?!\d)(.+)$/i

/** Dozens, which names may say as a count. */
const DOZENS = /(?<![\w.,$-])(\d{1,2}(?:\.5)?) dozens?\b/gi

/** Removes a pattern as long as it matches. */
const without = (text: string, pattern: RegExp): string => {
  const rest = text.replace(pattern, '')
  return rest === text ? text : without(rest, pattern)
}

/**
 * A request as names put it: without what only asks for a price, says how a thing is packed or repeats what
 * it is, and numbers as digits.
 */
export const plainRequest = (text: string): string =>
  withoutGeneral(without(without(text.trim(), AFTER_PRODUCT), BEFORE_PRODUCT))
    .replace(RELATIVE, '')
    .replace(LETTERS, (_, times, letter) => letter.repeat(times.toLowerCase() === 'double' ? 2 : 3))
    .replace(AGE, '$1year')
    .replace(PACK_OF, '$2 $1 pack')
    .replace(QUANTITY, '')
    .replace(GERMAN_FOR, ' ')
    .replace(PIECES, (_, count, packed) => `${count} ${packed ? 'pack' : 'count'}`)
    .replace(COUNTED, (count) => String(COUNTS.indexOf(count.toLowerCase()) + 1 || 1))
    .replace(
      ONE_MEASURE,
      (_, half, unit, firstHalf, firstUnit) => `${half || firstHalf ? 0.5 : 1} ${unit ?? firstUnit}`,
    )

/** A text with counts for dozens. */
export const withoutDozens = (text: string): string =>
  text.replace(DOZENS, (_, dozens) => `${12 * Number(dozens)} count`)

/** Words that connect others: a name that lacks them has what a text says as well. */
const CONNECTIVES: ReadonlySet<string> = new Set(
  'a an any at by from my on or some to al au aux avec con d de del du des en et mit para pour und y'.split(' '),
)
/** Articles, which connect only between other words: they begin brands, as in `La Marca`. */
const ARTICLES: ReadonlySet<string> = new Set('el la las le les los'.split(' '))

/** The words of a text that a name must have, if it has others than connectives; the `d` of `d7200` connects nothing. */
export const withoutConnectives = <T extends { word: string; term: number }>(words: readonly T[]): readonly T[] =>
  words.filter(
    ({ word, term }, position) =>
      position === words.length - 1 ||
      words[position + 1]!.term === term ||
      !(CONNECTIVES.has(word) || (position > 0 && ARTICLES.has(word))),
  )
