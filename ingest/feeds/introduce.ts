import { LIST, listValue, MAP, STRUCT, structValue, VARCHAR } from '@duckdb/node-api'
import { type Database, mapOf } from '../database.ts'
import { prefixesByWord } from './brand-prefixes.ts'
import { ATTRIBUTES, type Column } from './columns.ts'
import type { FeedFile } from './discover.ts'
import { delimiterOf } from './heading.ts'
import { ABSENT, type Layout } from './layout.ts'

const OPTIONAL: readonly Column[] = [...ATTRIBUTES, 'star_rating', 'review_count', 'seller_id']
// A choice of no column at all would be an error.
const ALWAYS: Column = 'review_count'

/** The columns that a staged file has only where its own file does: one of nulls costs as much as one of numbers. */
export const keptColumns = ({ format, description }: FeedFile, { sources, breadcrumb }: Layout): string[] => {
  const isStated = (column: Column) => sources[column] !== ABSENT || description.constants?.[column] !== undefined
  const { brand_prefixes, category_root } = description
  const isMade = (column: Column) =>
    (column === 'category_path' && (breadcrumb.length > 0 || category_root !== undefined)) ||
    (column === 'brand' && brand_prefixes !== undefined)
  return OPTIONAL.filter((column) => format === 'jsonl' || isStated(column) || isMade(column) || column === ALWAYS)
}

/** Whole numbers in Parquet are cents; everything else is in units of the currency. */
const scaleOf = (
  { format, description }: FeedFile,
  { found, sources }: Layout,
  column: 'price' | 'list_price',
): string => {
  const type = found.find(({ key }) => key === sources[column])?.type ?? ''
  if (format === 'parquet' && /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type)) return 'cents'
  return description.price_text ? 'printed' : 'units'
}

const textColumns = (keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(keys.map((key) => [key, 'VARCHAR']))

type Lists = Readonly<Record<string, readonly string[]>>

const describeLists = (database: Database, name: 'lists' | 'brand_prefixes', lists: Lists): Promise<void> => {
  const filled = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
  return database.set(
    name,
    mapOf(filled, (list) => listValue([...list])),
    MAP(VARCHAR, LIST(VARCHAR)),
  )
}

const describeValues = (database: Database, values: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  database.set(
    'vocabulary',
    mapOf(values, (words) => mapOf(words, (word) => word)),
    MAP(VARCHAR, MAP(VARCHAR, VARCHAR)),
  )

const describeHeaders = (database: Database, keys: readonly string[]): Promise<void> => {
  const types = STRUCT(Object.fromEntries(keys.map((key) => [key, VARCHAR])))
  return database.set('headers', structValue(textColumns(keys)), types)
}

/**
 * Describes a file to the statements that read it, through variables. They are maps, since a struct of as many fields
 * takes long to look one up in; what is not in a map is null.
 */
export const introduce = async (database: Database, file: FeedFile, number: number, staged: string, layout: Layout) => {
  const { path, format, description } = file
  const { constants = {}, values = {}, timezone, timestamp_format, year } = description
  const { category_root, brand_prefixes = [] } = description
  const { found, sources, identity, breadcrumb, brand_texts } = layout
  await database.setTexts('file', {
    number: String(number),
    path,
    staged,
    heading_lines: format === 'csv' ? '1' : '0',
    delimiter: delimiterOf(file),
    fields: JSON.stringify(textColumns([...Object.values(sources), ...identity, ...breadcrumb, ...brand_texts])),
    price_scale: scaleOf(file, layout, 'price'),
    list_price_scale: scaleOf(file, layout, 'list_price'),
    ...(timezone ? { timezone } : {}),
    ...(timestamp_format ? { timestamp_format } : {}),
    ...(category_root ? { category_root } : {}),
    ...(year ? { year: String(year), timestamp_format: `%Y ${timestamp_format ?? ''}` } : {}),
  })
  await database.setTexts('sources', sources)
  await database.setTexts('constants', constants)
  await describeValues(database, values)
  await describeLists(database, 'lists', { identity, breadcrumb, brand_texts, kept: keptColumns(file, layout) })
  await describeLists(database, 'brand_prefixes', prefixesByWord(brand_prefixes))
  if (format === 'csv')
    await describeHeaders(
      database,
      found.map(({ key }) => key),
    )
}
