import { EngineError } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { MAX_LINE_BYTES, READER_BUFFER_BYTES, READER_LINE_BYTES } from '../text/limits.ts'
import { ATTRIBUTES, COLUMNS_OF, type Column, type Feed, kindOf } from './columns.ts'
import { isJson, isTable } from './discover.ts'
import { delimiterOf, type SourceColumn } from './heading.ts'
import type { Layout, NumberedFile } from './layout.ts'
import { countryOf, decimalsOf, printedPrices, project } from './projection.ts'
import { identifier, listOf, literal } from './sql-text.ts'

/** The text columns of a file, as a parameter of its reader. */
const textColumns = (keys: readonly string[]): string =>
  `{${[...new Set(keys)].map((key) => `${literal(key)}: 'VARCHAR'`).join(', ')}}`

/** The files that DuckDB reads the rows of a source from. */
export type SourceLocation = {
  paths: readonly string[]
  /** The numbers of these files in the refresh. */
  numbers: readonly number[]
  /** The numbers of records of text files. */
  records: readonly number[]
  /** The columns of a delimited file, in their order. */
  columns: readonly string[]
  /** Its line ending. */
  newline: string
  /** Whether several threads may read it: not if records have several lines, since DuckDB could lose some. */
  isParallel: boolean
}

/** Numbers rows from 1 directly after the reader, where they have few columns, since numbering copies them. */
const numbered = (reader: string, { paths }: SourceLocation): string =>
  `(SELECT *${paths.length > 1 ? ', file_index AS "(file)"' : ''}, row_number() OVER () AS "(row)" FROM ${reader})`

/** The item of a list for the file of a row. */
const ofFile = (items: readonly number[], index: string): string => `([${items.join(', ')}])[${index}::BIGINT + 1]`

/** How many records precede each file. */
const recordsBefore = (records: readonly number[]): number[] => {
  let sum = 0
  return records.map((count) => {
    sum += count
    return sum - count
  })
}

/** The number of a row's file, and that of the row in it, from 0. */
const placeOf = ({ format }: NumberedFile, { numbers, records }: SourceLocation): string[] => {
  const isParquet = format === 'parquet'
  const index = isParquet ? 'file_index' : '"(file)"'
  const row = isParquet ? 'file_row_number' : '"(row)" - 1'
  const [number] = numbers
  if (numbers.length === 1) return [`${number} AS file`, `${row} AS row`]
  const before = isParquet ? '' : ` - ${ofFile(recordsBefore(records), index)}`
  return [`${ofFile(numbers, index)} AS file`, `${row}${before} AS row`]
}

/** The reader of a source: for scanned text, with every option set so that nothing is guessed, or for Parquet. */
const readerOf = (file: NumberedFile, location: SourceLocation, layout: Layout): string =>
  unpivoted(recordsOf(file, location, layout), file)

/** Makes a row of each column that a mapping unpivots, unless its value is empty. */
const unpivoted = (records: string, { description: { unpivot } }: NumberedFile): string => {
  if (!unpivot) return records
  const { columns, name_to, value_to } = unpivot
  const value = identifier(value_to)
  return `(SELECT * FROM (SELECT * FROM ${records})
    UNPIVOT INCLUDE NULLS (${value} FOR ${identifier(name_to)} IN (${columns.map(identifier).join(', ')}))
    WHERE trim(${value}::VARCHAR) <> '')`
}

/** The columns of a file after its mapping's unpivoting. INVALID_PARAMS if it lacks one of them, or they have no common type. */
export const unpivotedColumns = async (
  database: Database,
  { name, description: { unpivot } }: NumberedFile,
  columns: readonly SourceColumn[],
): Promise<readonly SourceColumn[]> => {
  if (!unpivot) return columns
  const wide = columns.filter(({ key }) => unpivot.columns.includes(key))
  const missing = unpivot.columns.filter((column) => !wide.some(({ key }) => key === column))
  if (missing.length > 0)
    throw new EngineError('INVALID_PARAMS', `${name} has no column ${missing.join(', ')}, which "unpivot" names`)
  const nulls = wide.map((column) => `NULL::${column.type}`).join(', ')
  const [common] = await database.execute<{ column_type: string }>(`DESCRIBE SELECT unnest([${nulls}])`).catch(() => [])
  if (!common)
    throw new EngineError('INVALID_PARAMS', `${name}: the columns that "unpivot" names have no common type`, {
      file: name,
    })
  return [
    ...columns.filter((column) => !wide.includes(column)),
    { name: unpivot.name_to, key: unpivot.name_to, type: 'VARCHAR' },
    { name: unpivot.value_to, key: unpivot.value_to, type: common.column_type },
  ]
}

/** The records of a source as they are in the file. */
export const recordsOf = (
  { format, description, name }: NumberedFile,
  location: SourceLocation,
  { keys, unseen }: Layout,
): string => {
  const { paths, columns, newline, isParallel } = location
  if (format === 'parquet') {
    const reader = `read_parquet(${listOf(paths)}, hive_partitioning = false)`
    // A row made of a column has the place of its record.
    return description.unpivot ? `(SELECT *, file_row_number, file_index FROM ${reader})` : reader
  }
  if (isTable(format))
    return numbered(
      `read_csv(${listOf(paths)}, auto_detect = false, header = true, columns = ${textColumns(columns)},
      compression = 'none', delim = ${literal(delimiterOf({ name, description, format }))}, quote = '"', escape = '"',
      new_line = '${newline === '\n' ? '\\n' : '\\r\\n'}', max_line_size = ${READER_LINE_BYTES},
      buffer_size = ${READER_BUFFER_BYTES}, parallel = ${isParallel}, store_rejects = true, rejects_limit = 0,
      hive_partitioning = false)`,
      location,
    )
  const { unpivot } = description
  const fixed = [...keys, ...unseen].filter((key) => key !== unpivot?.name_to && key !== unpivot?.value_to)
  const members = [...fixed, ...(unpivot?.columns ?? [])]
  return numbered(
    `read_json(${listOf(paths)}, format = 'newline_delimited', columns = ${textColumns(members)}, compression = 'uncompressed',
    ignore_errors = true, maximum_object_size = ${2 * MAX_LINE_BYTES}, hive_partitioning = false)`,
    location,
  )
}

/** The error for a JSON file with a line that has a column which no sampled line has. */
export const UNSEEN_COLUMN = 'a line has a column that the first lines lack'

const coalesced = (keys: readonly string[]): string => `coalesce(${keys.map(identifier).join(', ') || 'NULL'})`

/** A line of JSON that is not an object, or has no used column, becomes a row without values. */
const isMalformed = ({ format }: NumberedFile, { keys, unseen }: Layout): string =>
  isJson(format)
    ? `CASE WHEN ${coalesced(unseen)} IS NOT NULL THEN error(${literal(UNSEEN_COLUMN)}) ELSE ${coalesced(keys)} IS NULL END`
    : 'false'

/** Columns that are omitted if a file lacks them: a column of nulls is as expensive as one of numbers. */
const isOptional =
  (feed: Feed) =>
  (column: Column): boolean =>
    (feed === 'price_observations' || feed === 'product_catalogue') &&
    ((ATTRIBUTES as readonly string[]).includes(column) || column === 'seller_id')

/** Computed columns of a source, whose names no file has. */
const COUNTRY = '"(country)"'
const DECIMALS = '"(decimals)"'

const columnsOf = (feed: Feed): Column[] => COLUMNS_OF[feed].filter((column) => column !== 'in_stock')

const define = async (database: Database, view: string, expressions: readonly string[], from: string) => {
  await database.execute(`CREATE OR REPLACE TEMP VIEW ${view} AS SELECT ${expressions.join(', ')} FROM ${from}`)
  return view
}

/**
 * Defines a view of one file, or of several Parquet files with the same columns: the columns of its feed, typed and
 * as text (`project`), with the number of the row's file and, where the format has it, that of the row in it, from 0.
 */
export const defineSource = (
  database: Database,
  view: string,
  file: NumberedFile,
  location: SourceLocation,
  layout: Layout,
): Promise<string> => {
  const { feed, format, description } = file
  const { fields, scales } = layout
  const reader = readerOf(file, location, layout)
  const decimals = decimalsOf({ fields, description, scales }, COUNTRY)
  const isNamed = columnsOf(feed).some((column) => kindOf(column) === 'cents') && !/^\d+$/.test(decimals)
  const projected = project(
    columnsOf(feed),
    { fields, description, scales, decimals: isNamed ? DECIMALS : decimals },
    isOptional(feed),
  )
  const expressions = [
    ...placeOf(file, location),
    `${isMalformed(file, layout)} AS malformed`,
    ...projected,
    ...(feed === 'social_posts' ? [`${layout.brand_text?.sql ?? "''"} AS brand_text`] : []),
  ]
  // Named once: a macro repeats its arguments, and planning an expression of thousands of parts takes longer than reading.
  const named = [
    ...(isNamed ? [[`${countryOf({ fields, description })} AS ${COUNTRY}`], [`${decimals} AS ${DECIMALS}`]] : []),
    ...printedPrices(columnsOf(feed), { fields, description }),
  ]
  const places = format === 'parquet' && !description.unpivot ? ', file_row_number, file_index' : ''
  const from = named.reduce(
    (inner, columns, step) => `(SELECT *${step === 0 ? places : ''}, ${columns.join(', ')} FROM ${inner})`,
    reader,
  )
  return define(database, view, expressions, from)
}
