import type { Database } from '../database.ts'
import type { FeedFile } from './discover.ts'

/** A column of a file: its name there, what the reader of its format calls it, and its type. */
export type Found = { name: string; key: string; type: string }

export const delimiterOf = ({ name, description }: FeedFile): string =>
  description.delimiter ?? (/\.tsv(?:\.|$)/i.test(name) ? '\t' : ',')

/** The fields of a line; a doubled quotation mark leaves the quotes open, as a name seldom needs. */
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

/** The columns of a file in their order: of JSON lines the keys of the first thousand, of text those of its heading. */
export const findColumns = async (database: Database, file: FeedFile): Promise<Found[]> => {
  const { path, format } = file
  if (format === 'csv') {
    const [heading] = await database.rows<{ line: string | null }>('feeds/csv-heading', { path })
    const names = splitLine((heading?.line ?? '').replace(/^\uFEFF/, ''), delimiterOf(file))
    // Names may be given twice or differ in case only: places cannot.
    return names.map((name, at) => ({ name, key: `c${at}`, type: 'VARCHAR' }))
  }
  const rows = await database.rows<{ name: string; type?: string }>(`feeds/${format}-heading`, { path })
  return rows.map(({ name, type = 'VARCHAR' }) => ({ name, key: name, type }))
}
