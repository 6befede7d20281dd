import { EngineError } from '../../engine/index.ts'
import type { Value } from '../database.ts'

/** One node of a release in document order, from a segment (level 1) to the value of an attribute (6). */
export type GpcEntry = {
  level: number
  code: string
  title: string
  definition?: string | null | undefined
  excludes?: string | null | undefined
  active?: boolean | undefined
}

/** A release, as rows of `gpc_row` and `gpc_attribute_row`. */
export type GpcRelease = { release: string; nodes: Value[][]; attributes: Value[][]; rows: number; duplicates: number }

type Attribute = { brick: string; entry: GpcEntry; ordinal: number; values: Map<string, string> }

const LEVELS = ['segment', 'family', 'class', 'brick', 'attribute', 'value'] as const
const BRICK = 4
const ATTRIBUTE = 5

const refused = (file: string, message: string): EngineError =>
  new EngineError('INVALID_PARAMS', `${file}: ${message}`, { file })

const checkEntry = (
  file: string,
  { level, code, title }: GpcEntry,
  lineage: readonly (GpcEntry | undefined)[],
): void => {
  const name = LEVELS[level - 1]
  if (!name) throw refused(file, `code ${code}: level: expected 1 (segment) to 6 (value), got ${level}`)
  if (!/^\d{8}$/.test(code))
    throw refused(file, `${name} ${JSON.stringify(title)}: code: expected 8 digits, got ${code}`)
  if (title === '') throw refused(file, `the ${name} ${code} has no title`)
  if (level > 1 && !lineage[level - 2]) throw refused(file, `the ${name} ${code} has no parent ${LEVELS[level - 2]}`)
}

/**
 * Collects a release from its nodes in document order, which may repeat a node. Throws INVALID_PARAMS naming a node
 * that is malformed or has two parents.
 */
export const collectRelease = (file: string, release: string, entries: Iterable<GpcEntry>): GpcRelease => {
  const lineage: (GpcEntry | undefined)[] = []
  const nodes = new Map<string, Value[]>()
  const parents = new Map<string, string>()
  const attributes = new Map<string, Attribute>()
  const ordinals = new Map<string, number>()
  let rows = 0
  let duplicates = 0

  const addNode = ({ level, code, title, definition, excludes, active = true }: GpcEntry): void => {
    const parent = lineage[level - 2]?.code ?? 'nothing'
    const previous = parents.get(code)
    if (previous === parent) duplicates += 1
    else if (previous) throw refused(file, `the code ${code} has two parents: ${previous} and ${parent}`)
    parents.set(code, parent)
    const [segment = null, family = null, ofClass = null] = lineage
      .slice(0, BRICK - 1)
      .map((ancestor) => ancestor!.code)
    const isActive = active && lineage.every((ancestor) => ancestor?.active !== false)
    const texts = [title, definition ?? '', excludes || null]
    nodes.set(code, [release, code, LEVELS[level - 1]!, ...texts, isActive, segment, family, ofClass])
  }
  const addAttribute = (entry: GpcEntry): void => {
    const brick = lineage[BRICK - 1]!.code
    const key = `${brick} ${entry.code}`
    if (attributes.has(key)) duplicates += 1
    else attributes.set(key, { brick, entry, ordinal: ordinals.get(brick) ?? 1, values: new Map() })
    ordinals.set(brick, (ordinals.get(brick) ?? 1) + 1)
  }
  const addValue = ({ code, title }: GpcEntry): void => {
    const { values } = attributes.get(`${lineage[BRICK - 1]!.code} ${lineage[ATTRIBUTE - 1]!.code}`)!
    if (values.has(code)) duplicates += 1
    else values.set(code, title)
  }

  for (const entry of entries) {
    checkEntry(file, entry, lineage)
    lineage.length = entry.level - 1
    lineage.push(entry)
    rows += 1
    if (entry.level <= BRICK) addNode(entry)
    else if (entry.level === ATTRIBUTE) addAttribute(entry)
    else addValue(entry)
  }
  return {
    release,
    nodes: [...nodes.values()],
    attributes: [...attributes.values()].map(({ brick, entry: { code, title }, ordinal, values }) => [
      ...[release, brick, code, title, ordinal],
      ...[[...values.keys()], [...values.values()]],
    ]),
    rows,
    duplicates,
  }
}
