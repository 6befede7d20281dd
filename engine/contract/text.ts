/** Letters that NFKD does not decompose, with their plain equivalents. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
}

const STOP_WORDS: ReadonlySet<string> = new Set(['and', 'the', 'of', 'for'])

const IRREGULAR_SINGULARS: ReadonlyMap<string, string> = new Map([
  ['shelves', 'shelf'],
  ['scarves', 'scarf'],
  ['knives', 'knife'],
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['halves', 'half'],
])

/** Text that is folded already, as most of it is. */
const FOLDED = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const BEYOND_ASCII = /[^ -~]/
/** Words with the marks that are part of letters, as in Thai and Hindi. */
const WORDS_AND_SIGNS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|[&+]/gu
/**
 * Accents of Latin, Greek and Cyrillic letters, points of Hebrew and vowels of Arabic, which are often left out, and
 * variants of signs. Other marks make another letter: \u30cf and \u30d1 are two.
 */
const ACCENTS =
  /(?:[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u06d6-\u06ed]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe00-\ufe0f]|[\ufe20-\ufe2f])+/g

const isSign = (word: string | undefined): boolean => word === '&' || word === '+'

/** Lower case, without accents and apostrophes beyond ASCII; letters such as `ø` become their plain equivalents. */
export const unaccented = (text: string): string =>
  BEYOND_ASCII.test(text)
    ? text
        .replaceAll('´', '')
        .normalize('NFKD')
        .toLowerCase()
        .replace(ACCENTS, '')
        .normalize('NFC')
        .replace(/[øłßæœđðþıħ]/g, (letter) => PLAIN_LETTERS[letter]!)
        .replace(/[’‘ʼ]/g, '')
    : text.toLowerCase()

/**
 * The text as lower-case words with single spaces, without marks, apostrophes or punctuation; `&` and `+` between words
 * are `and`. Empty when no letter or digit is left.
 */
export const fold = (text: string): string => {
  if (FOLDED.test(text)) return text
  const words = unaccented(text).replace(/['`]/g, '').match(WORDS_AND_SIGNS) ?? []
  const lastWord = words.length - 1
  return (
    words
      // A sign that does not join two words is punctuation: `Disney+` is `disney`.
      .filter(
        (word, position) =>
          !isSign(word) ||
          (position > 0 && position < lastWord && !isSign(words[position - 1]) && !isSign(words[position + 1])),
      )
      .map((word) => (isSign(word) ? 'and' : word))
      .join(' ')
  )
}

/** The text as one part of a slug path: folded words joined by `-`, empty when nothing is left. */
export const slug = (text: string): string => fold(text).replaceAll(' ', '-')

/** A path with each part as a slug, the form in which paths are compared. */
export const slugPath = (path: string): string => path.split('/').map(slug).filter(Boolean).join('/')

/** The singular of a folded English word. */
export const singular = (word: string): string => {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2)
  return IRREGULAR_SINGULARS.get(word) ?? word.slice(0, -1)
}

/** The form in which names are compared: folded words without `and`, `the`, `of`, `for`, each in the singular. */
export const nameKey = (text: string): string =>
  fold(text)
    .split(' ')
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular)
    .join(' ')

/** The key of a product-type phrase: folded, with the last word in the singular. */
export const phraseKey = (phrase: string): string => fold(phrase).replace(/[^ ]+$/, singular)
