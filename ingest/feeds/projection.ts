import { USUAL_COUNTRIES } from '../../engine/index.ts'
import { prefixesByWord } from './brand-prefixes.ts'
import { type Column, type ColumnKind, kindOf } from './columns.ts'
import type { Description } from './mapping.ts'
import { constantCountry, type PriceScales } from './price-scales.ts'
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
  day: 'DATE',
  figure: 'DECIMAL(18, 6)',
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
  const plain = `plain_marks(words(${text}))`
  const dated = year ? `${literal(`${year} `)} || ${plain}` : plain
  // A format with an offset gives UTC; the zone applies only to the others.
  const [offset, local] = [true, false].map((hasOffset) => formats.filter((format) => /%z/i.test(format) === hasOffset))
  const times = [
    ...(offset!.length > 0 ? [`try_strptime(${dated}, ${listOf(offset!)})::TIMESTAMP`] : []),
    ...(local!.length > 0 ? [`in_utc(try_strptime(${dated}, ${listOf(local!)}), ${zone})`] : []),
  ]
  return `coalesce(${times.join(', ')})`
}

/** The country of a row, in SQL; null where that is not known. */
export const countryOf = ({ fields, description }: Pick<ProjectContext, 'fields' | 'description'>): string =>
  `country_key(${rawText('country', fields, description)})`

/** The decimals that prices of a row are stored with, in SQL: those of its country, if known, else of its currency. */
export const decimalsOf = (
  { fields, description, scales }: Omit<ProjectContext, 'decimals'>,
  country: string,
): string => {
  const further = String(scales.further_decimals ?? `currency_decimals(${rawText('currency', fields, description)})`)
  const constant = constantCountry(description)
  if (constant !== undefined) return String(scales.countries.get(constant)?.decimals ?? further)
  const cases = [...scales.countries].map(([code, { decimals }]) => `WHEN ${literal(code)} THEN ${decimals}`)
  return `CASE ${country} ${cases.join(' ')} ELSE ${further} END`
}

/** Whether a price is a text with marks, whose number is read in steps (`printedPrices`). */
const isPrinted = ({ type }: ColumnField, { price_text, decimal_comma }: Description): boolean =>
  !isWhole(type) && !isDecimal(type) && Boolean(price_text || decimal_comma)

/** A computed column of a printed price, whose name no file has. */
const printed = (column: Column, part: 'text' | 'plain' | 'marks' | 'digits' | 'number'): string =>
  identifier(`(${column} ${part})`)

/** A price as plain text with a decimal point. */
const numberText = (column: Column, field: ColumnField, text: string, { description }: ProjectContext): string =>
  isPrinted(field, description) ? printed(column, 'number') : text

/** Whether whole numbers of a typed file are read without the mapping saying what they are: as cents, in us and ca. */
const isUnsaid = ({ integer_prices }: Description): boolean => integer_prices === undefined

const wholePrice = (sql: string, { fields, description, decimals }: ProjectContext): string => {
  const value = `TRY_CAST(${sql} AS BIGINT)`
  if (description.integer_prices === 'units') return `${value} * minor_units(${decimals})`
  if (!isUnsaid(description)) return value
  const constant = constantCountry(description)
  if (constant !== undefined) return constant in USUAL_COUNTRIES ? value : 'NULL::BIGINT'
  const country = countryOf({ fields, description })
  return `CASE WHEN ${country} = 'us' OR ${country} = 'ca' THEN ${value} END`
}

/** A price as a whole number of the smallest unit in which its country is stored. */
const storedPrice = (column: Column, field: ColumnField, text: string, context: ProjectContext): string => {
  const { sql, type } = field
  const { decimals } = context
  if (isWhole(type)) return wholePrice(sql, context)
  if (isDecimal(type)) return `stored_amount(TRY_CAST(${sql} AS DECIMAL(18, 4)), ${decimals})`
  return `stored_price(${numberText(column, field, text, context)}, ${decimals})`
}

/** Whether a price has more decimals than are stored. A mapping that says how many there are rounds it. */
const isFiner = (column: Column, field: ColumnField, text: string, context: ProjectContext): string => {
  const { decimals, decimal_comma } = context.description
  return isWhole(field.type) || decimals !== undefined || (decimal_comma && isDecimal(field.type))
    ? 'false'
    : `is_finer(${numberText(column, field, text, context)}, ${context.decimals})`
}

/** The marks of a formatted price, by which its currency is checked. */
const marksOf = (column: Column, field: ColumnField, { description }: ProjectContext): string =>
  field.type === 'VARCHAR' && isPrinted(field, description) ? printed(column, 'marks') : "''"

/** The value of a column: one of the expected type is used unchanged, others are read as text. */
const typedValue = (column: Column, field: ColumnField, text: string, context: ProjectContext): string => {
  const kind = kindOf(column)
  const { sql, type } = field
  const { description } = context
  const number = description.decimal_comma ? `replace(${text}, ',', '.')` : `plain_marks(${text})`
  if (kind === 'time') return timeOf(field, text, description)
  if (kind === 'cents') return storedPrice(column, field, text, context)
  if (kind === 'flag') return type === 'BOOLEAN' ? sql : `yes_no(${text})`
  if (kind === 'stock') return type === 'BOOLEAN' ? sql : `stocked(${text})`
  if (kind === 'rating') return `TRY_CAST(${isDecimal(type) ? sql : number} AS DECIMAL(9, 2))`
  if (kind === 'count') return isWhole(type) ? `TRY_CAST(${sql} AS INTEGER)` : `whole_number(${text})`
  if (kind === 'views') return `counted(${text})`
  // A day of a calendar, which no zone moves.
  if (kind === 'day') return `${timeOf(field, text, { ...description, timezone: undefined })}::DATE`
  if (kind === 'figure') return `TRY_CAST(${isDecimal(type) ? sql : number} AS DECIMAL(18, 6))`
  return kind === 'list' ? `listed(${text})` : `words(${text})`
}

const ABSENT: ColumnField = { sql: 'NULL::VARCHAR', type: 'VARCHAR' }

/** A field as text. */
export const textSql = ({ sql, type }: ColumnField): string => (type === 'VARCHAR' ? sql : `(${sql})::VARCHAR`)

type ColumnFields = ReadonlyMap<Column, ColumnField>

/** What the value of a column depends on besides its source. */
type ProjectContext = {
  fields: ColumnFields
  description: Description
  scales: PriceScales
  /** The decimals that prices of a row are stored with, in SQL. */
  decimals: string
}

/** The text of a column with the replacements of the mapping; null without a source. */
const rawText = (column: Column, fields: ColumnFields, description: Description): string =>
  translated(textSql(fields.get(column) ?? ABSENT), description.values?.[column as keyof typeof description.values])

/** A field with the replacements of the mapping. */
const sourceOf = (column: Column, field: ColumnField, { values }: Description): ColumnField => {
  const words = values?.[column as keyof typeof values]
  return words ? { sql: translated(textSql(field), words), type: 'VARCHAR' } : field
}

/**
 * The steps by which printed prices are read, each a list of columns over those of the steps before. A macro repeats its
 * arguments, so that one expression of all steps has a hundred thousand parts, and takes seconds to plan.
 */
export const printedPrices = (
  columns: readonly Column[],
  { fields, description }: Pick<ProjectContext, 'fields' | 'description'>,
): string[][] => {
  const prices = columns.flatMap((column) => {
    const field = kindOf(column) === 'cents' ? fields.get(column) : undefined
    const source = field && sourceOf(column, field, description)
    return source && isPrinted(source, description) ? [{ column, source }] : []
  })
  if (prices.length === 0) return []
  const digits = description.decimal_comma ? 'comma_number' : 'printed_number'
  return [
    prices.map(({ column, source }) => `${textSql(source)} AS ${printed(column, 'text')}`),
    prices.map(({ column }) => `without_unit(${printed(column, 'text')}) AS ${printed(column, 'plain')}`),
    prices.map(({ column }) => `marks_of(${printed(column, 'plain')}) AS ${printed(column, 'marks')}`),
    prices.map(({ column }) => {
      const [plain, marks] = (['plain', 'marks'] as const).map((part) => printed(column, part))
      return `${digits}(${plain}, ${marks}) AS ${printed(column, 'digits')}`
    }),
    prices.map(({ column }) => {
      const [number, text, marks] = (['digits', 'text', 'marks'] as const).map((part) => printed(column, part))
      return `in_units(${number}, ${text}, ${marks}) AS ${printed(column, 'number')}`
    }),
  ]
}

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
  !quotedColumns(description).includes(column) &&
  (OWN_TYPES[kind]?.test(type) ?? false) &&
  !(kind === 'cents' && isUnsaid(description) && !((constantCountry(description) ?? 'us') in USUAL_COUNTRIES))

/** Why a price that is only described has no usable value, by default for none. */
const lostColumn = (column: Column, lost = 'NULL::VARCHAR'): string => `${lost} AS ${column}_lost`

/**
 * The columns of a feed as SQL expressions over one file: each as `name`, a value of its type, and as `name_text`, the
 * text in the file, null if the value is used unchanged. Columns that the file lacks are null, or omitted if
 * `isOptional`; of an optional price there is always `name_lost`, why it has no usable value.
 */
export const project = (
  columns: readonly Column[],
  context: ProjectContext,
  isOptional: (column: Column) => boolean,
): string[] =>
  columns.flatMap((column) => {
    const { fields, description } = context
    const field = fields.get(column)
    const kind = kindOf(column)
    if (!field && !isDerived(column, description))
      return isOptional(column)
        ? kind === 'cents'
          ? [lostColumn(column)]
          : []
        : [
            `${kind === 'list' ? '[]' : 'NULL'}::${TYPE_OF[kind]} AS ${column}`,
            `NULL::VARCHAR AS ${column}_text`,
            ...(kind === 'cents' ? [`false AS ${column}_is_finer`, `'' AS ${column}_marks`, lostColumn(column)] : []),
          ]
    const present = field ?? ABSENT
    const words = description.values?.[column as keyof typeof description.values]
    const source = sourceOf(column, present, description)
    const text = kind === 'cents' && isPrinted(source, description) ? printed(column, 'text') : textSql(source)
    const value = typedValue(column, source, text, context)
    const original = isUsedUnchanged(column, kind, present, description) && !words ? 'NULL::VARCHAR' : text
    const isPriceFiner = isFiner(column, source, text, context)
    if (kind === 'cents' && isOptional(column)) {
      const lost = `why_price_lost(${original}, ${value}, ${isPriceFiner})`
      return [`CASE WHEN ${lost} IS NULL THEN ${value} END AS ${column}`, lostColumn(column, lost)]
    }
    const projected = [`${derived(column, value, fields, description)} AS ${column}`, `${original} AS ${column}_text`]
    if (kind !== 'cents') return projected
    return [
      ...projected,
      `${isPriceFiner} AS ${column}_is_finer`,
      `${marksOf(column, source, context)} AS ${column}_marks`,
    ]
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
