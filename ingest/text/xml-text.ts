const ENTITY = /&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Whether a number is that of a character: not beyond the last one, nor half of a pair of UTF-16. */
const isCharacter = (code: number): boolean => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

/**
 * A text of XML with references to characters decoded; entities that a document declares, and numbers of no character, stay
 * as they are.
 */
export const unescaped = (text: string): string => {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (reference, hex?: string, decimal?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()]!
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return isCharacter(code) ? String.fromCodePoint(code) : reference
  })
}
