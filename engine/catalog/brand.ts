import { fold } from '../contract/text.ts'

const LEGAL_WORDS: ReadonlySet<string> = new Set(
  'inc incorporated llc ltd ltee limited corp corporation gmbh plc co srl bv nv pty oy kg sarl lp llp'.split(' '),
)

const PLACEHOLDERS: ReadonlySet<string> = new Set(
  `0 na na0 nan none null nil undefined unknown unbranded nonbranded unbrandedgeneric generic genericbrand nobrand
  notapplicable notavailable notspecified unspecified other others misc miscellaneous various assorted multiple default
  test tbd brand brandname doesnotapply doesntapply oem whitelabel privatelabel storebrand housebrand manufacturer
  seedescription seller handmade sansmarque generique inconnu aucun aucune autre autres nonspecifie sinmarca
  noaplica`.split(/\s+/),
)

/** A brand without the decoration of feeds: `Visit the Tiffany & Co.® Store` and `Brand: Tiffany & Co.` are `Tiffany & Co.`. */
export const brandLabel = (raw: string): string =>
  raw
    .replace(/[®™©℠]|\((?:r|tm)\)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^visit the (.+) store$/i, '$1')
    .replace(/^brand\s*:\s*/i, '')
    .replace(/^by\s+(?=\S)/i, '')

/** So that `L.L.C.` is one legal word, not three letters. */
const withoutDotsInInitials = (label: string): string => label.replace(/(?<=\b[a-z])\.(?=[a-z]\b)/gi, '')

const withoutLegalWords = (words: readonly string[]): readonly string[] => {
  let count = words.length
  while (count > 1 && LEGAL_WORDS.has(words[count - 1]!) && words[count - 2] !== 'the') {
    count -= 1
    if (count > 1 && words[count - 1] === 'and') count -= 1
  }
  return words.slice(0, count)
}

/**
 * The key that all spellings of a brand share: `Tiffany & Co.`, `TIFFANY` and `Visit the Tiffany Store` are `tiffany`.
 * Null when no letter or digit is left. Placeholders have a key too: see `isPlaceholder`.
 */
export const brandNorm = (raw: string): string | null =>
  withoutLegalWords(fold(withoutDotsInInitials(brandLabel(raw))).split(' ')).join('') || null

/** Whether a brand key is a placeholder for a missing brand. `No Name` is a real brand in Canada. */
export const isPlaceholder = (brand_norm: string, country: string): boolean =>
  PLACEHOLDERS.has(brand_norm) || (brand_norm === 'noname' && country !== 'ca')
