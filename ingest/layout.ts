import { EngineError } from '../engine/index.ts'
import { ALIASES, COLUMNS, COLUMNS_OF, type Column, REQUIRED_OF } from './columns.ts'
import type { Database } from './database.ts'
import type { FeedFile } from './discover.ts'

/** A column of a file; `key` is what its reader calls it. */
type Found = { name: string; key: string; type: string }

/** Where each canonical column of one file comes from. */
export type Layout = {
  found: readonly Found[]
  /** The reader's name of each column; ABSENT where the file has none. */
  sources: Readonly<Record<Column, string>>
  /** The columns whose texts make the listing's id, and the parts of its breadcrumb, where they are made of several. */
  identity: readonly string[]
  breadcrumb: readonly string[]
  /** The file's columns that nothing reads. */
  ignored: readonly string[]
}

/** Every reader adds a column of this name, which is null. */
export const ABSENT = '(absent)'

/** The fields of a line of CSV. */
const splitLine = (line: string, delimiter: string): string[] => {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === delimiter && !isQuoted) {
      fields.push(field.trim())
      field = ''
    } else field += letter
  }
  return [...fields, field.trim()]
}

export const delimiterOf = ({ name, description }: FeedFile): string =>
  description.delimiter ?? (/\.tsv(?:\.|$)/i.test(name) ? '\t' : ',')

const findColumns = async (database: Database, file: FeedFile): Promise<Found[]> => {
  const { path, format } = file
  if (format === 'csv') {
    const [heading] = await database.rows<{ line: string | null }>('csv-heading', { path })
    const names = splitLine((heading?.line ?? '').replace(/^\uFEFF/, ''), delimiterOf(file))
    return names.map((name, at) => ({ name, key: `c${at}`, type: 'VARCHAR' }))
  }
  const rows = await database.rows<{ name: string; type?: string }>(`${format}-heading`, { path })
  return rows.map(({ name, type = 'VARCHAR' }) => ({ name, key: name, type }))
}

const refused = (file: FeedFile, missing: string, found: readonly Found[]): EngineError =>
  new EngineError(
    'INVALID_PARAMS',
    `${file.name} has no column ${missing}; it has ${found.map(({ name }) => name).join(', ') || 'none'}. ` +
      'A feed.json beside it, or --mapping, can say which column is which.',
    { file: file.name, column: missing },
  )

/** Finds a file's columns. INVALID_PARAMS naming a column that its description names or its feed needs, and it lacks. */
export const layOut = async (database: Database, file: FeedFile): Promise<Layout> => {
  const { feed, format, description } = file
  const { columns = {}, constants = {}, listing_id_from = [] } = description
  const found = await findColumns(database, file)
  const used = new Set<string>()
  const keyOf = (name: string): string | undefined => {
    const column = found.find((column) => column.name === name) ?? found.find(({ name: other }) => isAlike(name, other))
    if (column) used.add(column.name)
    return column?.key
  }
  // A line of JSON may have a key that the first thousand lack.
  const neededKey = (name: string): string => {
    const key = keyOf(name) ?? (format === 'jsonl' ? name : undefined)
    if (key === undefined) throw refused(file, name, found)
    return key
  }
  const firstKey = (names: readonly string[]): string | undefined => {
    const [key] = names.flatMap((name) => keyOf(name) ?? [])
    return key ?? (format === 'jsonl' ? names[0] : undefined)
  }
  const sourceOf = (column: Column): string => {
    const source = columns[column]
    if (typeof source === 'string') return neededKey(source)
    if (Array.isArray(source)) return firstKey(source) ?? neededKey(source[0]!)
    if (source !== undefined || (column === 'listing_id' && listing_id_from.length > 0)) return ABSENT
    return firstKey(ALIASES[column] ?? [column]) ?? ABSENT
  }
  const known = new Set<Column>(COLUMNS_OF[feed])
  const sources = Object.fromEntries(
    COLUMNS.map((column) => [column, known.has(column) && constants[column] === undefined ? sourceOf(column) : ABSENT]),
  ) as Record<Column, string>
  const path = columns.category_path
  const identity = listing_id_from.map(neededKey)
  const breadcrumb = typeof path === 'object' && !Array.isArray(path) ? path.join.map(neededKey) : []
  for (const column of REQUIRED_OF[feed]) {
    const isMade = column === 'listing_id' && identity.length > 0
    if (sources[column] === ABSENT && constants[column] === undefined && !isMade) throw refused(file, column, found)
  }
  return {
    found,
    sources,
    identity,
    breadcrumb,
    ignored: found.map(({ name }) => name).filter((name) => !used.has(name)),
  }
}

const isAlike = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()
