const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML, for elements and attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!)
