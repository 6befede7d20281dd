import { LIST, listValue, MAP, mapValue, STRUCT, structValue, VARCHAR } from '@duckdb/node-api'
import { ATTRIBUTES, type Column } from './columns.ts'
import type { Database } from './database.ts'
import type { FeedFile } from './discover.ts'
import { ABSENT, delimiterOf, type Layout } from './layout.ts'

const OPTIONAL: readonly Column[] = [...ATTRIBUTES, 'star_rating', 'review_count']

/** The columns that a staged file has only where its own file does: one of nulls costs as much as one of numbers. */
export const keptColumns = ({ format, description }: FeedFile, { sources, breadcrumb }: Layout): string[] => {
  const isStated = (column: Column) => sources[column] !== ABSENT || description.constants?.[column] !== undefined
  const isMade = (column: Column) => column === 'category_path' && breadcrumb.length > 0
  return ['seller_id', ...OPTIONAL.filter((column) => format === 'jsonl' || isStated(column) || isMade(column))]
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

const WORDS = MAP(VARCHAR, VARCHAR)
const LISTS = MAP(VARCHAR, LIST(VARCHAR))

const wordsOf = (words: Readonly<Record<string, string>>) =>
  mapValue(Object.entries(words).map(([key, value]) => ({ key, value })))

const listsOf = (lists: Readonly<Record<string, readonly string[]>>) =>
  mapValue(
    Object.entries(lists).flatMap(([key, list]) => (list.length > 0 ? { key, value: listValue([...list]) } : [])),
  )

const textColumns = (keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(keys.map((key) => [key, 'VARCHAR']))

/**
 * Describes a file to the statements that read it, through variables. They are maps, since a struct of as many fields
 * takes long to look one up in; what is not in a map is null.
 */
export const introduce = async (database: Database, file: FeedFile, number: number, staged: string, layout: Layout) => {
  const { path, format, description } = file
  const { constants = {}, values = {}, timezone, timestamp_format } = description
  const { sources, identity, breadcrumb } = layout
  const scalars = {
    number: String(number),
    path,
    staged,
    heading_lines: format === 'csv' ? '1' : '0',
    delimiter: delimiterOf(file),
    fields: JSON.stringify(textColumns([...Object.values(sources), ...identity, ...breadcrumb])),
    price_scale: scaleOf(file, layout, 'price'),
    list_price_scale: scaleOf(file, layout, 'list_price'),
    ...(timezone ? { timezone } : {}),
    ...(timestamp_format ? { timestamp_format } : {}),
  }
  await database.set('file', wordsOf(scalars), WORDS)
  await database.set('sources', wordsOf(sources), WORDS)
  await database.set('constants', wordsOf(constants), WORDS)
  const vocabulary = mapValue(Object.entries(values).map(([key, words]) => ({ key, value: wordsOf(words) })))
  await database.set('vocabulary', vocabulary, MAP(VARCHAR, WORDS))
  await database.set('lists', listsOf({ identity, breadcrumb, kept: keptColumns(file, layout) }), LISTS)
  const headers = textColumns(format === 'csv' ? layout.found.map(({ key }) => key) : [ABSENT])
  await database.set(
    'headers',
    structValue(headers),
    STRUCT(Object.fromEntries(Object.keys(headers).map((key) => [key, VARCHAR]))),
  )
}
