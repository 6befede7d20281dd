import { EngineError } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { ALIASES, COLUMNS, COLUMNS_OF, type Column, REQUIRED_OF } from './columns.ts'
import type { FeedFile, Format } from './discover.ts'
import { type Found, findColumns } from './heading.ts'

/** Where each canonical column of one file comes from. */
export type Layout = {
  found: readonly Found[]
  /** The reader's name of each column; ABSENT where the file has none. */
  sources: Readonly<Record<Column, string>>
  /** The columns that make a listing's id, and those that make its breadcrumb, where they are made of several. */
  identity: readonly string[]
  breadcrumb: readonly string[]
  /** The columns in whose words brands are looked for. */
  brand_texts: readonly string[]
  /** The file's columns that nothing reads. */
  ignored: readonly string[]
}

/** Every reader adds a column of this name, which is null. */
export const ABSENT = '(absent)'

const isAlike = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** Finds columns by their names, and remembers which were asked for. */
const createFinder = (found: readonly Found[], format: Format) => {
  const used = new Set<Found>()
  const find = (name: string): string | undefined => {
    const column = found.find((column) => column.name === name) ?? found.find((column) => isAlike(name, column.name))
    if (column) used.add(column)
    return column?.key
  }
  return {
    /** The key of the first of these names that the file has. A line of JSON may have one that the first thousand lack. */
    firstOf: (names: readonly string[]): string | undefined =>
      names.flatMap((name) => find(name) ?? [])[0] ?? (format === 'jsonl' ? names[0] : undefined),
    ignored: (): string[] => found.filter((column) => !used.has(column)).map(({ name }) => name),
  }
}

const refusal = (file: FeedFile, missing: string, found: readonly Found[]): EngineError =>
  new EngineError(
    'INVALID_PARAMS',
    `${file.name} has no column ${missing}; it has ${found.map(({ name }) => name).join(', ') || 'none'}. ` +
      'A feed.json beside it, or --mapping, can say which column is which.',
    { file: file.name, column: missing },
  )

/** Finds a file's columns. INVALID_PARAMS naming a column that its description names or its feed needs, and it lacks. */
export const layOut = async (database: Database, file: FeedFile): Promise<Layout> => {
  const { feed, format, description } = file
  const { columns = {}, constants = {}, listing_id_from = [], brand_prefixes, brand_texts = [] } = description
  const found = await findColumns(database, file)
  const { firstOf, ignored } = createFinder(found, format)
  const needed = (...names: readonly string[]): string => {
    const key = firstOf(names)
    if (key === undefined) throw refusal(file, names.join(' or '), found)
    return key
  }
  const sourceOf = (column: Column): string => {
    const source = columns[column]
    const isMade = column === 'listing_id' && listing_id_from.length > 0
    if (!COLUMNS_OF[feed].includes(column) || constants[column] !== undefined || isMade) return ABSENT
    if (source === undefined) return firstOf(ALIASES[column] ?? [column]) ?? ABSENT
    if (typeof source === 'string') return needed(source)
    return Array.isArray(source) ? needed(...source) : ABSENT
  }
  const sources = Object.fromEntries(COLUMNS.map((column) => [column, sourceOf(column)])) as Record<Column, string>
  const path = columns.category_path
  const breadcrumb = typeof path === 'object' && !Array.isArray(path) ? path.join.map((name) => needed(name)) : []
  const identity = listing_id_from.map((name) => needed(name))
  const texts = brand_texts.flatMap((name) => firstOf([name]) ?? [])
  if (texts.length === 0 && brand_texts.length > 0) throw refusal(file, brand_texts.join(' or '), found)
  for (const column of REQUIRED_OF[feed]) {
    const isMade = column === 'listing_id' && identity.length > 0
    if (sources[column] === ABSENT && constants[column] === undefined && !isMade) throw refusal(file, column, found)
  }
  if (brand_prefixes && sources.product_name === ABSENT && constants.product_name === undefined)
    throw refusal(file, 'product_name', found)
  return { found, sources, identity, breadcrumb, brand_texts: texts, ignored: ignored() }
}
