const ENTITY = /&(?:#x([\da-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A text of XML with references to characters decoded; entities that a document declares stay as they are. */
export const unescaped = (text: string): string =>
  text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) =>
    name ? NAMED[name.toLowerCase()]! : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
