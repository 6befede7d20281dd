import type { GpcEntry } from './gpc-release.ts'
import { rowsOfXlsx } from './xlsx.ts'

const SHEET = 'Schema'

/** The columns of the official sheet that a release is read from, by level; what it says of values beside is not kept. */
const LEVELS = [
  { code: 'SegmentCode', title: 'SegmentTitle', definition: 'SegmentDefinition' },
  { code: 'FamilyCode', title: 'FamilyTitle', definition: 'FamilyDefinition' },
  { code: 'ClassCode', title: 'ClassTitle', definition: 'ClassDefinition' },
  {
    code: 'BrickCode',
    title: 'BrickTitle',
    definition: 'BrickDefinition_Includes',
    excludes: 'BrickDefinition_Excludes',
  },
  { code: 'AttributeCode', title: 'AttributeTitle' },
  { code: 'AttributeValueCode', title: 'AttributeValueTitle' },
] as const

type Place = { code: number; title: number; definition: number; excludes: number }

const fold = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const placesOf = (heading: readonly string[]): Place[] => {
  const folded = heading.map(fold)
  const missing = LEVELS.flatMap((level) => Object.values(level)).filter((name) => !folded.includes(fold(name)))
  if (missing.length > 0)
    throw new Error(`the sheet has no column ${missing.join(', ')}; send the sheet ${SHEET} as published`)
  const place = (name: string | undefined) => (name === undefined ? -1 : folded.indexOf(fold(name)))
  return LEVELS.map((level: { code: string; title: string; definition?: string; excludes?: string }) => ({
    code: place(level.code),
    title: place(level.title),
    definition: place(level.definition),
    excludes: place(level.excludes),
  }))
}

/** The levels of a row that has a path down from its segment; a brick may have no attribute, an attribute no value. */
const depthOf = (codes: readonly string[], path: string): number => {
  const empty = codes.indexOf('')
  const depth = empty < 0 ? codes.length : empty
  const below = codes.findIndex((code, level) => level > depth && code !== '')
  if (below < 0) return depth
  throw new Error(`the row of ${LEVELS[below]!.code} ${codes[below]} ${path} has no ${LEVELS[depth]!.code}`)
}

/**
 * The nodes of an official XLSX release, in document order: a row is a path from a segment down to a value, and tells
 * again what the rows before it told. Columns go by their names, in any order. Throws for a column or code that is missing.
 */
export const entriesOfXlsx = function* (bytes: Uint8Array): Generator<GpcEntry> {
  let places: Place[] | undefined
  let above: string[] = []
  for (const cells of rowsOfXlsx(bytes, SHEET)) {
    if (!places) {
      places = placesOf(cells)
      continue
    }
    const text = (column: number) => (cells[column] ?? '').trim()
    const codes = places.map(({ code }) => text(code))
    const depth = depthOf(codes, `in segment ${codes[0]}`)
    const known = codes.findIndex((code, level) => code !== above[level])
    if (known >= 0)
      for (const [level, { title, definition, excludes }] of places.slice(0, depth).entries())
        if (level >= known)
          yield {
            level: level + 1,
            code: codes[level]!,
            title: text(title),
            definition: cells[definition],
            excludes: cells[excludes],
          }
    above = codes
  }
  if (!places) throw new Error(`the sheet ${SHEET} is empty`)
}
