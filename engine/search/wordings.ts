/** Names of several words for one thing, by which none finds the other. */
const PHRASES = [
  ['bath tissue', 'toilet paper', 'toilet tissue', 'toilet roll', 'bathroom tissue'],
  ['paper towel', 'kitchen towel', 'kitchen roll'],
  ['green onion', 'spring onion', 'scallion'],
  ['cat litter', 'kitty litter'],
  ['cauliflower rice', 'riced cauliflower'],
  ['alcohol free', 'non alcoholic', 'non-alcoholic', 'dealcoholized', 'de-alcoholized'],
  ['graphics card', 'video card'],
  ['dryer sheet', 'fabric softener sheet'],
  ['ground beef', 'minced beef', 'beef mince'],
  ['trash bag', 'garbage bag', 'bin bag', 'bin liner'],
  ['icing sugar', 'powdered sugar', 'confectioners sugar'],
  ['plastic wrap', 'cling film', 'cling wrap'],
  ['cell phone', 'mobile phone'],
  ['flash drive', 'thumb drive', 'usb stick', 'memory stick'],
  ['hot dog wiener', 'hot dog', 'wiener'],
] as const

/** Between nouns a single letter stands for `and`. */
const AND = /(?<=[a-z]{3}) ['’]?n['’]? (?=[a-z]{3})/i
/** How a thing is kept, which names seldom say. What is fresh is another thing than what is dried or in jars. */
const KEPT =
  /(?:^|\s)(?:frozen|canned|tinned|bottled|jarred|boxed|bagged|packaged|chilled|refrigerated|uncooked)(?=\s|$)/i
/** In what pieces it is sold, after two other words. */
const PIECES = /(?<=\S\s+\S+)\s+(?:rolls?|sticks?|loaf|loaves|bunch|bunches|packets?|pieces?|portions?)$/i

/** What contents are packed in, likewise: a bottle or jug may be what is meant. */
const PACKED = /(?<=\S\s+\S+)\s+(?:bags?|box|boxes|cans?|cartons?|jars?|pouch|pouches|tins?|tubs?)$/i

/** Another text for what a request may mean, the words of the request that it leaves out, and whether it may mean only what has a weight or volume. */
export type Wording = { text: string; left_out: readonly string[]; isOfContents?: true }

const otherPhrases = (text: string): string[] =>
  PHRASES.flatMap((names) => {
    const same = names.find((name) => new RegExp(`\\b${name}s?\\b`, 'i').test(text))
    if (same === undefined) return []
    const pattern = new RegExp(`\\b${same}s?\\b`, 'i')
    return names.filter((name) => name !== same).map((name) => text.replace(pattern, name))
  })

const without = (text: string, pattern: RegExp): Wording[] => {
  const [word] = pattern.exec(text) ?? []
  const rest = text.replace(pattern, '').trim()
  return word === undefined || rest === '' ? [] : [{ text: rest, left_out: [word.trim()] }]
}

/** What a request may mean where nothing is what it says: other names for the thing first, then without how it is kept and cut. */
export const otherWordings = (text: string): readonly Wording[] => [
  ...(AND.test(text) ? [{ text: text.replace(AND, ' and '), left_out: [] }] : []),
  ...otherPhrases(text).map((other) => ({ text: other, left_out: [] })),
  ...without(text, KEPT),
  ...without(text, PIECES),
  ...without(text, PACKED).map((wording) => ({ ...wording, isOfContents: true as const })),
]
