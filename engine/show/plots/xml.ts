import { readable } from '../readable.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML, for elements and attributes, without characters that XML does not allow. */
export const escaped = (text: string): string => readable(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter]!)
