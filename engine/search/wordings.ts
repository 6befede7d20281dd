import { unaccented } from '../contract/text.ts'

const words = (text: string): readonly string[] => text.split(' ')

/** Names of several words for one thing, by which none finds the other. */
const PHRASES: readonly (readonly string[])[] = [
  ...words('almond cashew hazelnut hemp oat rice soy soya').map((of) => [
    `${of} milk`,
    `${of} beverage`,
    `${of} drink`,
  ]),
  ...words('almendra arroz avellana avena soja').map((of) => [`leche de ${of}`, `bebida de ${of}`]),
  ['bath tissue', 'toilet paper', 'toilet tissue', 'toilet roll', 'bathroom tissue'],
  ['paper towel', 'kitchen towel', 'kitchen roll'],
  ['green onion', 'spring onion', 'scallion'],
  ['cat litter', 'kitty litter'],
  ['cauliflower rice', 'riced cauliflower'],
  ['alcohol free', 'non alcoholic', 'dealcoholized', 'de alcoholized', 'de alcoholised'],
  ['cpu', 'processor'],
  ['headset', 'headphone'],
  ['kid', 'children', 'kinder'],
  ['tv', 'telly'],
  ['sim free', 'unlocked'],
  ['walkie talkie', 'two way radio'],
  ['graphics card', 'video card', 'gpu'],
  ['dishwasher tablet', 'dishwasher pod', 'dishwasher pac', 'dishwasher tab'],
  ['dryer sheet', 'fabric softener sheet'],
  ['ground beef', 'minced beef', 'beef mince'],
  ['trash bag', 'garbage bag', 'bin bag', 'bin liner'],
  ['icing sugar', 'powdered sugar', 'confectioners sugar'],
  ['plastic wrap', 'cling film', 'cling wrap'],
  ['cell phone', 'mobile phone', 'cellular phone'],
  ['flash drive', 'thumb drive', 'usb stick', 'memory stick'],
  ['hot dog wiener', 'hot dog', 'wiener'],
  ['hamburger bun', 'hamburger roll', 'burger bun', 'burger roll'],
  ['hot dog bun', 'hot dog roll'],
  ['cinnamon roll', 'cinnamon bun'],
  ['potsticker', 'pot sticker', 'gyoza'],
  ['popsicle', 'ice pop', 'ice lolly', 'freezer pop'],
  ['cotton swab', 'cotton bud'],
  ['dish soap', 'dishwashing liquid', 'washing up liquid', 'dish liquid'],
  ['fabric softener', 'fabric conditioner'],
  ['body wash', 'shower gel'],
  ['mouse pad', 'mouse mat'],
  ['hard drive', 'hard disk'],
  ['ssd', 'solid state drive'],
  ['power supply', 'psu'],
  ['record player', 'turntable'],
  ['vacuum cleaner', 'vacuum'],
  ['tumble dryer', 'clothes dryer'],
  ['power bank', 'portable charger'],
  ...words('2 3 4 5').map((number) => [`ps${number}`, `playstation ${number}`]),
  ['presenter', 'presentation remote', 'presentation clicker'],
  ['thermal paste', 'thermal compound', 'thermal grease'],
  ['built in', 'integrated'],
  ['frost free', 'no frost'],
  ['plant based', 'vegan'],
  ['sugar free', 'sugarless'],
  ['whole wheat', 'wholemeal'],
  ['heavy cream', 'whipping cream'],
  ['skim milk', 'skimmed milk', 'nonfat milk', 'fat free milk'],
  ['sparkling water', 'seltzer water', 'carbonated water'],
  ['hefeweizen', 'weissbier', 'hefe weissebier'],
  ['agave nectar', 'agave syrup'],
  ['aluminum foil', 'aluminium foil', 'tin foil', 'kitchen foil'],
  ['all purpose flour', 'plain flour'],
  ['baking soda', 'bicarbonate of soda', 'bicarb'],
  ['caster sugar', 'superfine sugar'],
  ['coffee creamer', 'coffee whitener'],
  ['coffee pod', 'coffee capsule', 'k cup'],
  ['cotton candy', 'candy floss'],
  ['cpu cooler', 'heatsink', 'heat sink'],
  ['gps', 'sat nav'],
  ['grill', 'bbq grill', 'barbecue'],
  ['homogenized milk', 'homo milk', 'whole milk', 'full fat milk'],
  ['hundefutter', 'trockenfutter hund', 'nassfutter hund'],
  ['katzenfutter', 'trockenfutter katze', 'nassfutter katze'],
  ['laundry detergent', 'washing powder', 'laundry soap'],
  ['old fashioned oat', 'rolled oat', 'porridge oat'],
  ['paper shredder', 'document shredder'],
  ['partly skimmed milk', 'reduced fat milk', 'semi skimmed milk'],
  ['self raising flour', 'self rising flour'],
  ['snow pea', 'mangetout'],
  ['soda', 'soft drink', 'fizzy drink'],
  ['pasta de dientes', 'pasta dental', 'dentífrico'],
  ['cuchillas de afeitar', 'maquinillas de afeitar', 'rastrillos de afeitar'],
  ['cepillo de dientes', 'cepillo dental'],
  ['gel de ducha', 'gel de baño'],
  ['enjuague bucal', 'colutorio'],
  ['para niños', 'para niñas', 'infantil'],
  ['jamón cocido', 'jamón york', 'jamón de york'],
  ['toallitas húmedas', 'toallitas'],
  ['papel higiénico', 'papel de baño', 'papel de water'],
  ['papel de cocina', 'rollo de cocina', 'toalla de papel'],
  ['pan de molde', 'pan de caja', 'pan lactal'],
  ['crema de cacahuete', 'mantequilla de cacahuete', 'mantequilla de maní'],
  ['comida para perros', 'alimento para perros', 'pienso para perros'],
  ['comida para gatos', 'alimento para gatos', 'pienso para gatos'],
  ['carne picada', 'carne molida'],
  ['nata', 'crema de leche'],
  ['compresas', 'toallas sanitarias', 'toallas femeninas'],
  ['protector solar', 'crema solar', 'bloqueador solar'],
  ['pomme de terre', 'patate'],
  ['papier toilette', 'papier hygiénique'],
  ['essuie-tout', 'papier absorbant', 'sopalin'],
  ['pâte à dents', 'dentifrice'],
  ["blé d'inde", 'maïs'],
]

/** An `n` that means `and`: `half n half`. */
const AND = /(?<=[a-z]{3}) ['’]?n['’]? (?=[a-z]{3})/i
/** How a thing is kept, which names seldom say. */
const KEPT =
  /(?:^|\s)(?:frozen|canned|tinned|bottled|jarred|boxed|bagged|packaged|chilled|refrigerated|uncooked|tiefgekühlte?[nrs]?|tiefgefrorene?[nrs]?|tk|congelad[ao]s?|surgel[eé]e?s?)(?=\s|$)|(?<=^|\s)tiefkühl-?(?=\p{L}{4})/iu
/** What is fresh is another thing than what is dried or in jars, and fresh cheese and cream are things of their own. */
const FRESH = /(?:^|(?<!cr[eè]me|fromage|queso)\s)(?:fresh|fra[iî]s|fra[iî]ches?|fresc[ao]s?|frische?[nrs]?)(?=\s|$)/i
/** Whether a word says that a thing is fresh. */
export const isFreshness = (word: string): boolean => FRESH.test(word)
/** In what pieces it is sold, after two other words. */
const PIECES =
  /(?<=\S\s+\S+)\s+(?:(?:bite|burrito|club|family|fun|king|party|snack|taco|value)[ -]sized?|flakes?|rolls?|sticks?|loaf|loaves|blocks?|bunch|bunches|packets?|pieces?|portions?)$/i

/** What anyone may say of a thing, and names do not. */
const PRAISE = /(?:^|\s)(?:decent|delicious|favou?rite|good|juicy|nice|ripe|tasty|yummy)(?=\s+\S)/i

/** What says nothing more of a thing after two other words. */
const GENERAL =
  /(?<=\S\s+\S+)\s+(?:beverages?|brand|drinks?|(?:lunch|deli) ?meats?|meals?|only|products?|spread|units?)$/i

/** What contents are packed in, likewise or before a size: a bottle or jug may be what is meant, unless it follows a size. */
const PACKED =
  /(?<=\S\s+\S+)\s+(?:in (?:an? |the )?)?(?:bags?|box|boxes|cans?|cartons?|jars?|pouch|pouches|tins?|tubs?)$|\s+(?:bag|box|can|carton|jar|pouch|tin|tub)(?=\s+\d)|(?<=\d ?(?:cl|ml|l|lit(?:er|re)s?|oz|ounces?|gallons?))\s+(?:bottles?|jugs?)$/i

/** The same in German, before the thing or after it, and in Spanish and French before it, and cases of so many. */
const BOXED =
  /^(?:becher|beutel|dose|flasche|glas|kasten|kiste|packung|tüte)\s+(?=\p{L}{3})|^(?:una?\s+|une\s+)?(?:bolsa|bote|botella|caja|lata|paquete|tarr(?:o|ina)|bo[iî]te|bouteille|paquet|sachet)s?\s+d(?:e\s+|['’])(?=\p{L}{3})|(?<=\S)\s+(?:im|in der|aus der|en)\s+(?:becher|beutel|dose|flasche|glas|karton|tüte|bo[iî]te|bolsa|bote|botella|caja|conserva|lata|paquete|tarro)$|\s+(?:case|kasten|kiste)(?:\s+of)?(?=\s+\d)/iu

/** What is said besides the thing: a sentence after a comma, and who or what it is for, but no being or device that it may be made for. */
const BESIDES =
  /,\s+(?:any|are|but|can|do|does|i|if|is|whatever|whichever)\s.+$|(?<=\S)\s+to\s+\p{L}+\s+(?:a|an|my|our|some|the)\s.+$/iu
const PURPOSE =
  /(?<=\S)\s+(?:as\s+a\s+)?(?:(?:gift|present)\s+)?for\s+(?:(?:my|our|the)\s[\p{L} ]+|\p{L}+ing|(?:a |the )?(?:beginners?|birthdays?|breakfast|camping|christmas|college|dinner|guests|home|lunch|office|part(?:y|ies)|salads?|sandwich(?:es)?|school|soups?|tacos|travel|work))$|(?<=\S)\s+(?:para\s+\p{L}+[aei]r|pour\s+\p{L}+(?:er|ir)|zum\s+\p{L}+n)$/iu

/** What two words are for does not make them another thing, unless it is a being. */
const AIM =
  /(?<=\S\s+\S+)\s+for\s+(?!(?:.*\s)?(?:adults?|bab(?:y|ies)|birds?|boys?|cats?|children|dogs?|girls?|horses?|infants?|kids?|kittens?|men|pets?|pupp(?:y|ies)|seniors?|teens?|toddlers?|women)$)\p{L}+(?:\s\p{L}+)?$/iu

/** Bottles by their names. */
const BOTTLES = {
  mickey: '375 ml',
  miniature: '50 ml',
  'half bottle': '375 ml',
  magnum: '1.5 l',
  jeroboam: '3 l',
} as const
const BOTTLE = new RegExp(
  `(?<=\\S\\s+)(${Object.keys(BOTTLES).join('|')})s?(?=\\s+\\d|$)|^(${Object.keys(BOTTLES).join('|')})s? of (?=\\S)`,
  'i',
)

/**
 * Another text for what a request may mean, the words of the request that it leaves out, whether they say how a thing is kept
 * or that it is fresh, whether it may mean only what has a weight or volume, and whether it may be another form of a thing, which is meant only where the
 * catalogue lacks the first, and whether it only has the words in another order, in which nothing is found if nothing has them all.
 */
export type Wording = {
  text: string
  left_out: readonly string[]
  isKept?: true
  isFresh?: true
  isOfContents?: true
  isOtherForm?: true
  isReordered?: true
}

const NAMES = PHRASES.map((names) =>
  names.map((name) => ({ name, pattern: new RegExp(`\\b${unaccented(name).replaceAll(' ', '[ -]')}(?:e?s)?\\b`) })),
)

const otherPhrases = (request: string): string[] => {
  const text = unaccented(request)
  return NAMES.flatMap((names) =>
    names
      .filter(({ pattern }) => pattern.test(text))
      .flatMap((same) => names.flatMap((one) => (one === same ? [] : text.replace(same.pattern, one.name)))),
  )
}

const without = (text: string, pattern: RegExp): Wording[] => {
  const [word] = pattern.exec(text) ?? []
  const rest = text.replace(pattern, '').trim()
  return word === undefined || rest === '' ? [] : [{ text: rest, left_out: [word.trim()] }]
}

const inMillilitres = (text: string): Wording[] => {
  const [found, after, before] = BOTTLE.exec(text) ?? []
  const name = (after ?? before)?.toLowerCase() as keyof typeof BOTTLES | undefined
  if (found === undefined || name === undefined) return []
  const rest = text.replace(BOTTLE, '').trim()
  return [{ text: /\d\s*m?l\b/i.test(rest) ? rest : `${rest} ${BOTTLES[name]}`, left_out: [], isOfContents: true }]
}

const sameWithout = (text: string): readonly Wording[] => [
  ...inMillilitres(text),
  ...(AND.test(text) ? [{ text: text.replace(AND, ' and '), left_out: [] }] : []),
  ...otherPhrases(text).map((other) => ({ text: other, left_out: [] })),
  ...without(text, KEPT).map((wording) => ({ ...wording, isKept: true as const })),
  ...without(text, FRESH).map((wording) => ({ ...wording, isFresh: true as const })),
  ...without(text, PIECES),
  ...without(text, PRAISE),
  ...without(text, GENERAL),
  ...without(text, PACKED).map((wording) => ({ ...wording, isOfContents: true as const })),
  ...without(text, BOXED),
]

/**
 * What a request may mean where nothing is what it says: other names for the thing first, then without how it is kept
 * and cut; all without what is said besides.
 */
export const otherWordings = (text: string): readonly Wording[] => {
  const [alone] = [BESIDES, PURPOSE].flatMap((pattern) => without(text, pattern))
  if (!alone) return sameWithout(text)
  const others = sameWithout(alone.text).map((one) => ({ ...one, left_out: [...alone.left_out, ...one.left_out] }))
  return [alone, ...others]
}

/** What a request may mean without what it says the thing is for. */
export const withoutAim = (text: string): readonly Wording[] =>
  without(text, AIM).flatMap((alone) => [
    alone,
    ...sameWithout(alone.text).map((one) => ({ ...one, left_out: [...alone.left_out, ...one.left_out] })),
  ])
