import { unescaped } from '../text/xml-text.ts'
import type { GpcEntry } from './gpc-release.ts'

/** The elements of the official XML, with their level; `attType` is an attribute of a brick. */
const LEVELS: ReadonlyMap<string, number> = new Map([
  ['segment', 1],
  ['family', 2],
  ['class', 3],
  ['brick', 4],
  ['attType', 5],
  ['attValue', 6],
])

const TAG = /<!--[\s\S]*?-->|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [name, unescaped(double ?? single ?? '')]),
  )

/**
 * The nodes of an official XML release, in document order: elements nest like nodes, with all data in attributes.
 * Throws if there is no such element.
 */
export const entriesOfXml = function* (text: string): Generator<GpcEntry> {
  let isEmpty = true
  for (const [, closing, element = '', attributes = ''] of text.matchAll(TAG)) {
    const level = LEVELS.get(element.replace(/^.*:/, ''))
    if (closing || level === undefined) continue
    const { code = '', text: title = '', definition, definitionExcludes, active } = attributesOf(attributes)
    isEmpty = false
    const isActive = active === undefined || active === 'true'
    yield { level, code: code.trim(), title: title.trim(), definition, excludes: definitionExcludes, active: isActive }
  }
  if (isEmpty) throw new Error('expected elements <segment code="..." text="...">, found none')
}
