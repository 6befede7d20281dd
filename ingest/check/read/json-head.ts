import { parseJson } from '../../text/json-document.ts'
import type { Json } from '../../text/json-path.ts'

/** Cuts a JSON text after the end of its first value, or if that is truncated, after its last complete one with all brackets closed. */
const repaired = (text: string): string => {
  const open: string[] = []
  let [lastClosed, closing] = [0, '']
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],]/gs)) {
    if (token === '{' || token === '[') open.push(token === '{' ? '}' : ']')
    else if (token === '}' || token === ']') open.pop()
    // A value is complete before a comma and after a closing bracket.
    if (!/^[,}\]]$/.test(token)) continue
    lastClosed = token === ',' ? index : index + 1
    closing = open.toReversed().join('')
    // What follows is another document.
    if (open.length === 0) break
  }
  return text.slice(0, lastClosed) + closing
}

/** Parses a JSON text that may be truncated, without its incomplete last value; undefined if it is not JSON. */
export const parseJsonHead = (text: string): Json | undefined => {
  for (const read of [(source: string) => source, repaired])
    try {
      return parseJson(read(text)) as Json
    } catch {
      // Truncated, or not JSON.
    }
  return undefined
}
