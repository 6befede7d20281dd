import { commandLine, EngineError } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { ALIASES, COLUMNS_OF, type Column, REQUIRED_OF } from './columns.ts'
import { type FeedFile, isJson } from './discover.ts'
import { checkExpression } from './expression.ts'
import type { SourceColumn } from './heading.ts'
import { nearestName } from './nearest.ts'
import type { PriceScales } from './price-scales.ts'
import { type ColumnField, columnField, constantField, digestId, isDerived, joined, textSql } from './projection.ts'
import { identifier, literal } from './sql-text.ts'

/** Where each column of a feed comes from in one file. */
export type Layout = {
  scales: PriceScales
  fields: ReadonlyMap<Column, ColumnField>
  /** The columns of the feed that the file has, or that its mapping derives. */
  columns: readonly Column[]
  /** The texts that are searched for brands; null if there are none. */
  brand_text: ColumnField | null
  /** The file's columns that are not read, each with the column that it probably means. */
  unused: readonly UnusedColumn[]
  /** The reader's names of the columns that are read. */
  keys: readonly string[]
  /** Members of JSON objects that the feed has a column for and that none of the sampled lines has. */
  unseen: readonly string[]
}

export type UnusedColumn = { column: string; nearest: string | null }

/** A file with its number in the refresh, from 1, and how prices of its refresh are stored. */
export type NumberedFile = FeedFile & { number: number; scales: PriceScales }

const isAlike = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const invalidColumn = (file: FeedFile, message: string, column: string): EngineError =>
  new EngineError('INVALID_PARAMS', `${file.name} ${message}`, { file: file.name, column })

const missing = (file: FeedFile, name: string, source: readonly SourceColumn[]): EngineError =>
  invalidColumn(
    file,
    `has no column ${name}; it has ${source.map((column) => column.name).join(', ') || 'none'}. ` +
      `A feed.json beside it, or --mapping, can name the column to read instead; \`${commandLine('refresh', 'check')}\` proposes one.`,
    name,
  )

/** Finds columns by their names, first as written, then in any case, and records which were used. */
class ColumnFinder {
  readonly #file: FeedFile
  readonly #source: readonly SourceColumn[]
  readonly #used = new Set<SourceColumn>()
  readonly #expected = new Set<string>()
  readonly #unseen = new Set<string>()

  constructor(file: FeedFile, source: readonly SourceColumn[]) {
    this.#file = file
    this.#source = source
  }

  find(name: string): ColumnField | undefined {
    const alike = this.#source.filter((column) => isAlike(name, column.name))
    const exact = alike.filter((column) => column.name === name)
    const [column, ...others] = exact.length > 0 ? exact : alike
    if (column === undefined) return this.#member(name)
    if (others.length > 0)
      throw invalidColumn(this.#file, `has ${others.length + 1} columns ${name}; rename or remove all but one`, name)
    this.#used.add(column)
    return columnField(column.key, column.type)
  }

  /** `offer.price` is the member of that name in the JSON of the column `offer`. */
  #member(name: string): ColumnField | undefined {
    const [head = '', ...path] = name.split('.')
    const column = path.length > 0 ? this.find(head) : undefined
    if (column === undefined) return undefined
    const sql = `json_extract_string(${column.sql}, ${literal(`$${path.map((key) => `."${key}"`).join('')}`)})`
    return { sql, type: 'VARCHAR' }
  }

  /** The first of these columns that the file has. */
  firstOf(names: readonly string[]): ColumnField | undefined {
    for (const name of names) {
      const field = this.find(name)
      if (field) return field
    }
    if (isJson(this.#file.format)) for (const name of names) this.#unseen.add(name)
    return undefined
  }

  /** The first of these columns that the file has. A line of JSON may have a column that the sampled lines lack. */
  mustFind(...names: readonly string[]): ColumnField {
    const field = this.firstOf(names)
    if (field) return field
    const [name] = names
    if (!isJson(this.#file.format) || name === undefined) throw missing(this.#file, names.join(' or '), this.#source)
    this.#expected.add(name)
    return columnField(name, 'VARCHAR')
  }

  get source(): readonly SourceColumn[] {
    return this.#source
  }

  unused(columns: readonly string[]): UnusedColumn[] {
    const free = this.#source.filter((column) => !this.#used.has(column) && column.name !== '')
    return free.map(({ name }) => ({ column: name, nearest: nearestName(name, columns) }))
  }

  keys(): string[] {
    return [...new Set([...this.#used].map(({ key }) => key).concat([...this.#expected]))]
  }

  unseen(): string[] {
    return [...this.#unseen].filter((name) => !this.#expected.has(name))
  }
}

const NUMERIC = 'DECIMAL(18, 4)'

/** The type of an expression over columns, or DuckDB's error if it has none. */
const typeOf = async (database: Database, sql: string, columns: readonly SourceColumn[]): Promise<string | Error> => {
  const row = columns.map(({ key, type }) => `NULL::${type} AS ${identifier(key)}`).join(', ')
  try {
    const [described] = await database.execute<{ column_type: string }>(
      `DESCRIBE SELECT (${sql}) AS value FROM (SELECT ${row || 'NULL'})`,
    )
    return described!.column_type
  } catch (cause) {
    return cause as Error
  }
}

/**
 * The SQL expression of a mapping for a column. If it is not valid for texts, such as `price + tax`, the texts that it
 * refers to are read as decimal numbers.
 */
const expressionField = async (
  database: Database,
  file: NumberedFile,
  { column, sql }: { column: Column; sql: string },
  finder: ColumnFinder,
): Promise<ColumnField> => {
  const { number } = file
  const where = `${file.name}: the SQL of columns.${column}`
  const source = finder.source
  const names = await checkExpression(database.connection, sql, { where, columns: source.map(({ key }) => key) })
  const used = source.filter(({ key }) => names.some((name) => isAlike(name, key)))
  for (const { key } of used) finder.find(key)
  const type = await typeOf(database, sql, source)
  if (typeof type === 'string') return { sql: `(${sql})`, type }
  const texts = used.filter((entry) => entry.type === 'VARCHAR')
  const asNumbers = source.map((entry) => (texts.includes(entry) ? { ...entry, type: NUMERIC } : entry))
  const numeric = await typeOf(database, sql, asNumbers)
  if (typeof numeric !== 'string')
    throw invalidColumn(file, `cannot compute columns.${column}, ${sql}: ${type.message.split('\n')[0]}`, column)
  const name = identifier(`${column} of file ${number}`)
  const keys = used.map(({ key }) => identifier(key))
  await database.execute(`CREATE OR REPLACE TEMP MACRO ${name}(${keys.join(', ')}) AS (${sql})`)
  const values = used.map((entry, index) =>
    texts.includes(entry) ? `TRY_CAST(${keys[index]} AS ${NUMERIC})` : keys[index],
  )
  return { sql: `${name}(${values.join(', ')})`, type: numeric }
}

/** A column under its own name, or one of its aliases. */
const defaultField = ({ feed, format }: FeedFile, column: Column, finder: ColumnFinder): ColumnField | undefined => {
  const names = ALIASES[column] ?? [column]
  return isJson(format) && REQUIRED_OF[feed].includes(column) ? finder.mustFind(...names) : finder.firstOf(names)
}

/** Columns that state the currency of each row, also where a mapping has a constant. */
const CURRENCY_COLUMNS = ['currency', 'currency_code', 'currencycode', 'price_currency', 'pricecurrency']

/** A constant currency, which a column of the file may contradict: a row is in the currency that it states. */
const statedCurrency = (constant: string, finder: ColumnFinder): ColumnField => {
  const stated = finder.firstOf(CURRENCY_COLUMNS)
  return stated
    ? { sql: `coalesce(words(${textSql(stated)}), ${literal(constant)})`, type: 'VARCHAR' }
    : constantField(constant)
}

const fieldOf = async (
  database: Database,
  file: NumberedFile,
  column: Column,
  finder: ColumnFinder,
): Promise<ColumnField | undefined> => {
  const { store, ...description } = file.description
  if (column === 'listing_id' && store !== undefined) {
    const id = await fieldOf(database, { ...file, description }, column, finder)
    return (
      id && {
        sql: `concat(nullif(trim(${textSql(finder.mustFind(store))}), '') || ':') || ${textSql(id)}`,
        type: 'VARCHAR',
      }
    )
  }
  const { columns = {}, constants = {}, listing_id_from } = description
  const constant = constants[column]
  if (constant !== undefined) return column === 'currency' ? statedCurrency(constant, finder) : constantField(constant)
  if (column === 'listing_id' && listing_id_from !== undefined)
    return { sql: digestId(listing_id_from.map((name) => finder.mustFind(name))), type: 'VARCHAR' }
  const source = columns[column]
  if (source === undefined) return defaultField(file, column, finder)
  if (typeof source === 'string') return finder.mustFind(source)
  if (Array.isArray(source)) return finder.mustFind(...source)
  if ('sql' in source) return expressionField(database, file, { column, sql: source.sql }, finder)
  return {
    sql: joined(
      source.join.map((name) => finder.mustFind(name)),
      "' > '",
    ),
    type: 'VARCHAR',
  }
}

const brandText = ({ description: { brand_texts = [] } }: FeedFile, finder: ColumnFinder): ColumnField | null => {
  if (brand_texts.length === 0) return null
  const columns = brand_texts.flatMap((name) => finder.find(name) ?? [])
  if (columns.length === 0) finder.mustFind(...brand_texts)
  return { sql: joined(columns, "' | '"), type: 'VARCHAR' }
}

/** `in_stock` is an alternative to `availability`. */
const mergeStock = (fields: Map<Column, ColumnField>): void => {
  const [availability, stock] = [fields.get('availability'), fields.get('in_stock')]
  if (stock === undefined) return
  fields.set(
    'availability',
    availability ? { sql: `coalesce(${textSql(availability)}, ${textSql(stock)})`, type: 'VARCHAR' } : stock,
  )
}

/**
 * Finds the source of each column of a feed in a file. INVALID_PARAMS for a column that the mapping names or the feed
 * needs and the file lacks, or has twice, and for an expression that is not allowed or cannot be computed.
 */
export const layOut = async (
  database: Database,
  file: NumberedFile,
  source: readonly SourceColumn[],
): Promise<Layout> => {
  const { feed, description } = file
  const finder = new ColumnFinder(file, source)
  const fields = new Map<Column, ColumnField>()
  for (const column of COLUMNS_OF[feed]) {
    const field = await fieldOf(database, file, column, finder)
    if (field) fields.set(column, field)
  }
  mergeStock(fields)
  for (const column of REQUIRED_OF[feed]) if (!fields.has(column)) throw missing(file, column, source)
  if (description.brand_prefixes && !fields.has('product_name')) throw missing(file, 'product_name', source)
  const brand_text = brandText(file, finder)
  const columns = COLUMNS_OF[feed].filter((column) => fields.has(column) || isDerived(column, description))
  return {
    scales: file.scales,
    fields,
    columns,
    brand_text,
    unused: finder.unused(COLUMNS_OF[feed]),
    keys: finder.keys(),
    unseen: finder.unseen(),
  }
}
