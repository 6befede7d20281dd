import { rowsOfXlsx } from '../text/xlsx.ts'
import type { GpcEntry } from './gpc-release.ts'

const SHEET = 'Schema'

/** The columns of the official sheet that are read, by level. */
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

/** The indexes of a level's columns in a row; -1 if it has none. */
type LevelColumns = { code: number; title: number; definition: number; excludes: number }

const fold = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const columnsIn = (heading: readonly string[]): LevelColumns[] => {
  const folded = heading.map(fold)
  const missing = LEVELS.flatMap((level) => Object.values(level)).filter((name) => !folded.includes(fold(name)))
  if (missing.length > 0)
    throw new Error(`the sheet ${SHEET} has no column ${missing.join(', ')}; use the file as published`)
  const indexOf = (name: string | undefined) => (name === undefined ? -1 : folded.indexOf(fold(name)))
  return LEVELS.map((level: { code: string; title: string; definition?: string; excludes?: string }) => ({
    code: indexOf(level.code),
    title: indexOf(level.title),
    definition: indexOf(level.definition),
    excludes: indexOf(level.excludes),
  }))
}

/** The number of levels of a row, from its segment down; a brick may have no attribute, an attribute no value. */
const depthOf = (codes: readonly string[], path: string): number => {
  const empty = codes.indexOf('')
  const depth = empty < 0 ? codes.length : empty
  const below = codes.findIndex((code, level) => level > depth && code !== '')
  if (below < 0) return depth
  throw new Error(`the row of ${LEVELS[below]!.code} ${codes[below]} ${path} has no ${LEVELS[depth]!.code}`)
}

/**
 * The nodes of an official XLSX release, in document order: a row is a path from a segment down to a value, and repeats
 * the nodes of the previous row. Columns are found by name, in any order. Throws for a missing column or code.
 */
export const entriesOfXlsx = function* (bytes: Uint8Array): Generator<GpcEntry> {
  let columns: LevelColumns[] | undefined
  let codesBefore: string[] = []
  for (const cells of rowsOfXlsx(bytes, SHEET)) {
    if (!columns) {
      columns = columnsIn(cells)
      continue
    }
    const text = (column: number) => (cells[column] ?? '').trim()
    const codes = columns.map(({ code }) => text(code))
    const depth = depthOf(codes, `in segment ${codes[0]}`)
    const firstNew = codes.findIndex((code, level) => code !== codesBefore[level])
    if (firstNew >= 0)
      for (const [level, { title, definition, excludes }] of columns.slice(0, depth).entries())
        if (level >= firstNew)
          yield {
            level: level + 1,
            code: codes[level]!,
            title: text(title),
            definition: cells[definition],
            excludes: cells[excludes],
          }
    codesBefore = codes
  }
  if (!columns) throw new Error(`the sheet ${SHEET} is empty`)
}
