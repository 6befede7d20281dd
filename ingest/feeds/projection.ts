import { prefixesByWord } from './brand-prefixes.ts'
import { type Column, type ColumnKind, kindOf } from './columns.ts'
import type { Description } from './mapping.ts'
import { identifier, listOf, literal, mapOf } from './sql-text.ts'

/** The source of a column's values: an expression over the columns of a file, and its DuckDB type. */
export type ColumnField = { sql: string; type: string }

const isWhole = (type: string): boolean => /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type)
const isDecimal = (type: string): boolean => type.startsWith('DECIMAL')

const TYPE_OF: Readonly<Record<ColumnKind, string>> = {
  text: 'VARCHAR',
  time: 'TIMESTAMP',
  cents: 'BIGINT',
  flag: 'BOOLEAN',
  stock: 'BOOLEAN',
  rating: 'DECIMAL(9, 2)',
  count: 'INTEGER',
  views: 'BIGINT',
  list: 'VARCHAR[]',
}

/** An expression that replaces the values of a text by those of the mapping. */
const translated = (text: string, words: Readonly<Record<string, string>> | undefined): string =>
  words && Object.keys(words).length > 0 ? `coalesce(${mapOf(words, literal)}[trim(${text})], ${text})` : text

const timeOf = ({ sql, type }: ColumnField, text: string, description: Description): string => {
  const { timezone, timestamp_format, year } = description
  const zone = timezone ? literal(timezone) : 'NULL'
  if (type === 'TIMESTAMP WITH TIME ZONE') return `timezone('UTC', ${sql})`
  if (type === 'TIMESTAMP') return timezone ? `in_utc(${sql}, ${zone})` : sql
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) return `in_utc(${sql}::TIMESTAMP, ${zone})`
  if (timestamp_format === undefined) return `instant(${text}, ${zone})`
  const formats = [timestamp_format].flat().map((format) => (year ? `%Y ${format}` : format))
  const dated = year ? `${literal(`${year} `)} || words(${text})` : `words(${text})`
  // A format with an offset gives UTC; the zone applies only to the others.
  const [offset, local] = [true, false].map((hasOffset) => formats.filter((format) => /%z/i.test(format) === hasOffset))
  const times = [
    ...(offset!.length > 0 ? [`try_strptime(${dated}, ${listOf(offset!)})::TIMESTAMP`] : []),
    ...(local!.length > 0 ? [`in_utc(try_strptime(${dated}, ${listOf(local!)}), ${zone})`] : []),
  ]
  return `coalesce(${times.join(', ')})`
}

const centsOf = ({ sql, type }: ColumnField, text: string, { price_text, decimal_comma }: Description): string => {
  // Whole numbers of a typed file are cents; everything else is in units of the currency.
  if (isWhole(type)) return `TRY_CAST(${sql} AS BIGINT)`
  if (isDecimal(type)) return `(TRY_CAST(${sql} AS DECIMAL(18, 2)) * 100)::BIGINT`
  if (decimal_comma) return `comma_cents(${text})`
  return price_text ? `printed_cents(${text})` : `decimal_cents(${text})`
}

/** The value of a column: one of the expected type is used unchanged, others are read as text. */
const typedValue = (kind: ColumnKind, field: ColumnField, text: string, description: Description): string => {
  const { sql, type } = field
  const number = description.decimal_comma ? `replace(${text}, ',', '.')` : text
  if (kind === 'time') return timeOf(field, text, description)
  if (kind === 'cents') return centsOf(field, text, description)
  if (kind === 'flag') return type === 'BOOLEAN' ? sql : `yes_no(${text})`
  if (kind === 'stock') return type === 'BOOLEAN' ? sql : `stocked(${text})`
  if (kind === 'rating') return `TRY_CAST(${isDecimal(type) ? sql : number} AS DECIMAL(9, 2))`
  if (kind === 'count') return `TRY_CAST(${isWhole(type) ? sql : text} AS INTEGER)`
  if (kind === 'views') return `counted(${text})`
  return kind === 'list' ? `listed(${text})` : `words(${text})`
}

/** A field as text. */
export const textSql = ({ sql, type }: ColumnField): string => (type === 'VARCHAR' ? sql : `(${sql})::VARCHAR`)

type ColumnFields = ReadonlyMap<Column, ColumnField>

const brandOf = (brand: string, fields: ColumnFields, { brand_prefixes }: Description): string => {
  const name = fields.get('product_name')
  if (!brand_prefixes || !name) return brand
  const prefixes = mapOf(prefixesByWord(brand_prefixes), listOf)
  return `coalesce(${brand}, brand_in(words(${textSql(name)}), ${prefixes}))`
}

/** Whether a mapping derives a column that has no source. */
export const isDerived = (column: Column, { brand_prefixes, category_root }: Description): boolean =>
  (column === 'brand' && brand_prefixes !== undefined) || (column === 'category_path' && category_root !== undefined)

/** The types whose values are used unchanged, so that none is lost in reading. */
const OWN_TYPES: Readonly<Partial<Record<ColumnKind, RegExp>>> = {
  time: /^TIMESTAMP$/,
  cents: /^(?:TINY|SMALL|BIG)?INT(?:EGER)?$/,
  flag: /^BOOLEAN$/,
  stock: /^BOOLEAN$/,
  rating: /^DECIMAL\(\d,/,
  count: /^(?:TINY|SMALL)?INT(?:EGER)?$/,
}

/** Columns whose text the quarantine quotes as in the file. */
const quotedColumns = ({ timezone }: Description): readonly Column[] =>
  timezone ? ['observed_at', 'collected_at', 'posted_at'] : ['collected_at', 'posted_at']

/** Whether a column needs no text: writing every value as text would take longer than reading it. */
const isUsedUnchanged = (column: Column, kind: ColumnKind, { type }: ColumnField, description: Description): boolean =>
  !quotedColumns(description).includes(column) && (OWN_TYPES[kind]?.test(type) ?? false)

const ABSENT: ColumnField = { sql: 'NULL::VARCHAR', type: 'VARCHAR' }

/**
 * The columns of a feed as SQL expressions over one file: each as `name`, a value of its type, and as `name_text`, the
 * text in the file, null if the value is used unchanged. Columns that the file lacks are null, or omitted if
 * `isOptional`.
 */
export const project = (
  columns: readonly Column[],
  fields: ColumnFields,
  description: Description,
  isOptional: (column: Column) => boolean,
): string[] =>
  columns.flatMap((column) => {
    const field = fields.get(column)
    const kind = kindOf(column)
    if (!field && !isDerived(column, description))
      return isOptional(column)
        ? []
        : [`${kind === 'list' ? '[]' : 'NULL'}::${TYPE_OF[kind]} AS ${column}`, `NULL::VARCHAR AS ${column}_text`]
    const present = field ?? ABSENT
    const words = description.values?.[column as keyof typeof description.values]
    const text = translated(textSql(present), words)
    const value = typedValue(kind, words ? { sql: text, type: 'VARCHAR' } : present, text, description)
    const original = isUsedUnchanged(column, kind, present, description) && !words ? 'NULL::VARCHAR' : text
    return [`${derived(column, value, fields, description)} AS ${column}`, `${original} AS ${column}_text`]
  })

const derived = (column: Column, value: string, fields: ColumnFields, description: Description): string => {
  if (column === 'brand') return brandOf(value, fields, description)
  if (column === 'category_path' && description.category_root)
    return `concat_ws(' > ', ${literal(description.category_root)}, ${value})`
  return value
}

/** Joins the non-empty texts of several columns with a separator; null if all are empty. */
export const joined = (fields: readonly ColumnField[], separator: string): string =>
  `nullif(concat_ws(${separator}, ${fields.map((field) => `nullif(trim(${textSql(field)}), '')`).join(', ')}), '')`

/** The id of a listing without one: a digest of the columns that identify it. */
export const digestId = (fields: readonly ColumnField[]): string => `left(sha256(${joined(fields, 'chr(31)')}), 20)`

export const columnField = (key: string, type: string): ColumnField => ({ sql: identifier(key), type })
export const constantField = (text: string): ColumnField => ({ sql: literal(text), type: 'VARCHAR' })
