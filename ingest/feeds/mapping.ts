import { z } from 'zod'
import { brandNorm, MAX_DECIMALS } from '../../engine/index.ts'
import { ENCODINGS } from '../text/decode.ts'
import { COLUMNS, COLUMNS_OF, type Column, FEEDS, type Feed, TRANSLATABLE } from './columns.ts'
import { invalidMapping, issueText } from './mapping-issues.ts'
import { monthOf } from './months.ts'

const columnName = z.enum(COLUMNS)
const text = z.string().min(1)
const isPattern = (source: string): boolean => {
  try {
    new RegExp(source, 'u')
    return source.includes('(?<')
  } catch {
    return false
  }
}
const names = z.array(text).min(1).max(8)

/**
 * How the files of a folder differ from the feed format: the sources of columns, constants, and formats of values.
 */
const descriptionSchema = z.strictObject({
  /**
   * The source of each column: a name, or the first of a list that a file has; `join` makes a breadcrumb of several
   * columns; `sql` is an expression over the file's columns.
   */
  columns: z
    .partialRecord(columnName, z.union([text, names, z.strictObject({ join: names }), z.strictObject({ sql: text })]))
    .optional(),
  /** Values of columns that are the same in every row. */
  constants: z.partialRecord(columnName, z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  /** Replacements for values. */
  values: z.partialRecord(z.enum(TRANSLATABLE), z.record(z.string(), z.string())).optional(),
  /** The zone of times without one, such as `America/Toronto`. */
  timezone: text.optional(),
  /** The strptime format of times other than RFC 3339; of a list the first that fits. */
  timestamp_format: z.union([text, z.array(text).min(1).max(20)]).optional(),
  /** The year of times without one. */
  year: z.int().min(1990).max(2099).optional(),
  /** The columns of a post that are searched for brands; they are not kept. */
  brand_texts: names.optional(),
  /** Brands to search for in addition to those of the lake, each with other words for it. */
  brands: z
    .record(
      text.refine((name) => brandNorm(name) !== null, 'expected a letter or digit'),
      z.array(text),
    )
    .optional(),
  /** Phrases that contain a brand's name and mean something else. */
  not_brands: z.array(text).optional(),
  /** Whether prices are formatted for people: `$3.45`, `97¢`, `1,959`. */
  price_text: z.boolean().optional(),
  /**
   * The decimals of prices: those that their countries are stored with, unless the lake holds these already, and those that
   * finer prices are rounded to. Without it two in us and ca, elsewhere those of the currency, and finer prices are refused.
   */
  decimals: z.int().min(0).max(MAX_DECIMALS).optional(),
  /** What whole numbers in Parquet are: units of the currency, or its smallest unit, such as cents. */
  integer_prices: z.enum(['units', 'minor']).optional(),
  /** The columns that identify a listing if there is no id. */
  listing_id_from: names.optional(),
  /** The column of the branch or region that a price is of: each makes a listing of its own at the same retailer. */
  store: text.optional(),
  /** Brands that may begin a product's name, for rows without a brand; `*` is any first word. */
  brand_prefixes: z.array(text.regex(/\S/, 'expected a non-blank text')).min(1).max(2000).optional(),
  /** The parent of all categories of the feed. */
  category_root: text.regex(/[\p{L}\p{N}]/u, 'expected a letter or digit').optional(),
  /** `change_points`: a price is valid until the listing's next row. */
  kind: z.enum(['observations', 'change_points']).optional(),
  /** `month`: the delivery is complete for its retailers' months and replaces them in the lake. */
  replaces: z.enum(['month']).optional(),
  delimiter: z.string().length(1).optional(),
  /** Lines above the header that are not read, such as a title. */
  skip_rows: z.int().min(0).max(1000).optional(),
  /** `false`: there is no header, and columns are `column1`, `column2` ...; a number: rows whose names are joined. */
  header: z.union([z.literal(false), z.int().min(1).max(5)]).optional(),
  /**
   * The sheet of a workbook, by default its first one; of a list, `*` for all, the rows are read one below the other, and
   * the column `sheet` has the name of each row's sheet.
   */
  sheet: z.union([text, z.array(text).min(1).max(500)]).optional(),
  /** The element of an XML document that is a record; by default the one that repeats most. */
  record: text.optional(),
  /**
   * Columns that each become a row: their names go to the column `name_to`, their values to `value_to`. Empty values
   * make no row.
   */
  unpivot: z.strictObject({ columns: z.array(text).min(1).max(2000), name_to: text, value_to: text }).optional(),
  /** `accept`: files with a header and no rows are read as such; otherwise they refuse a delivery. */
  empty_files: z.enum(['accept']).optional(),
  encoding: z.enum(ENCODINGS).optional(),
  /** Whether numbers have a decimal comma: `4,99`, `1 299,00 $`. */
  decimal_comma: z.boolean().optional(),
  /**
   * A regular expression over the path of a file relative to the feeds folder. Its named groups are columns of every
   * row of the file; `year`, `month` and `day` form the time of observation, of collection for posts, of
   * release for official series.
   */
  name_pattern: z.string().refine(isPattern, 'expected a regular expression with named groups').optional(),
  /** The path of the records in a JSON document: `data.items[]`, `{sku}.prices[]`. */
  json_path: text.optional(),
  /** The share of rows that may be refused; overrides the option of that name. */
  max_quarantine: z.number().min(0).max(1).optional(),
  /** What a person should know of the mapping, such as what it guesses; nothing reads it. */
  notes: z.array(text).optional(),
})

const ownSchema = descriptionSchema.extend({ files: z.record(text, descriptionSchema).optional() })

const foreignSchema = z.partialRecord(
  z.enum(FEEDS),
  descriptionSchema.extend({ files: z.union([z.array(text).min(1), z.record(text, descriptionSchema)]) }),
)

export type Description = z.output<typeof descriptionSchema>

/** A feed's description, and overrides for the files that a glob matches. `source` is the file of the mapping. */
export type Mapping = {
  source: string
  description: Description
  files: readonly (readonly [glob: string, Description])[]
}

const parseJson = (path: string, json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw invalidMapping(path, [`not JSON: ${(cause as Error).message}`])
  }
}

const parseBySchema = <T>(schema: z.ZodType<T>, path: string, json: string): T => {
  const read = schema.safeParse(parseJson(path, json), { reportInput: true })
  if (read.success) return read.data
  throw invalidMapping(path, read.error.issues.map(issueText))
}

const KEYS = ['columns', 'constants', 'values'] as const

/** Refuses columns that the feed does not have, which would never be read. */
const checkColumns = (path: string, feed: Feed, descriptions: readonly Description[]): void => {
  const allowed: readonly string[] = COLUMNS_OF[feed]
  const unknown = descriptions.flatMap((description) =>
    KEYS.flatMap((key) =>
      Object.keys(description[key] ?? {})
        .filter((column) => !allowed.includes(column))
        .map((column) => `${key}.${column}: ${feed} has no column ${column}; it has ${allowed.join(', ')}`),
    ),
  )
  if (unknown.length > 0) throw invalidMapping(path, unknown)
}

/** Parses the `feed.json` of a feed. INVALID_PARAMS naming each unknown key or invalid value. */
export const parseOwnMapping = (path: string, json: string, feed: Feed): Mapping => {
  const { files = {}, ...description } = parseBySchema(ownSchema, path, json)
  checkColumns(path, feed, [description, ...Object.values(files)])
  return { source: path, description, files: Object.entries(files) }
}

/** Parses a mapping of a foreign folder: the files of each feed, by globs relative to it. INVALID_PARAMS as above. */
export const parseForeignMapping = (path: string, json: string): ReadonlyMap<Feed, Mapping> => {
  const feeds = Object.entries(parseBySchema(foreignSchema, path, json)) as [
    Feed,
    z.output<typeof foreignSchema>[Feed],
  ][]
  return new Map(
    feeds.map(([feed, entry]) => {
      const { files, ...description } = entry!
      const globs = Array.isArray(files) ? files.map((glob) => [glob, {}] as const) : Object.entries(files)
      checkColumns(path, feed, [description, ...globs.map(([, overrides]) => overrides)])
      return [feed, { source: path, description, files: globs }]
    }),
  )
}

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a relative path matches a glob: `*` and `?` within a name, `**` across folders. */
export const matchesGlob = (path: string, glob: string): boolean => {
  const source = glob.split(/(\*\*\/?|\*|\?)/).map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : escaped(part)
  })
  return new RegExp(`^${source.join('')}$`).test(path)
}

const override = (base: Description, top: Description): Description => ({
  ...base,
  ...top,
  columns: { ...base.columns, ...top.columns },
  constants: { ...base.constants, ...top.constants },
  values: { ...base.values, ...top.values },
})

/** The globs of a mapping that match a path. */
export const globsOf = ({ files }: Mapping, path: string): string[] =>
  files.filter(([glob]) => matchesGlob(path, glob)).map(([glob]) => glob)

const DATE_GROUPS = ['year', 'month', 'day'] as const
/** The column that they are the time of, other than that of an observation. */
const TIME_OF: Readonly<Partial<Record<Feed, Column>>> = {
  social_posts: 'collected_at',
  official_series: 'released_on',
}

/** Constants from a file's name, by the named groups of the mapping's pattern. */
const constantsOf = (source: string, feed: Feed, path: string, pattern: string): Record<string, string> => {
  const groups = new RegExp(pattern, 'u').exec(path)?.groups
  if (groups === undefined) throw invalidMapping(source, [`name_pattern: ${pattern} does not match the file ${path}`])
  const { year, month = '01', day = '01' } = groups
  const rest = Object.entries(groups).filter(([name]) => !(DATE_GROUPS as readonly string[]).includes(name))
  const unknown = rest.filter(([name]) => !(COLUMNS_OF[feed] as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw invalidMapping(source, [
      `name_pattern: the group ${unknown[0]![0]} is neither a column of ${feed} nor year, month or day`,
    ])
  const time = TIME_OF[feed] ?? 'observed_at'
  const number = /^\d+$/.test(month) ? month : String(monthOf(month))
  const date = year && [year.padStart(4, '20'), number.padStart(2, '0'), day.padStart(2, '0')].join('-')
  return { ...Object.fromEntries(rest), ...(date ? { [time]: date } : {}) }
}

/**
 * The description of one file. INVALID_PARAMS if two globs match it, which is ambiguous, and if its name does not match
 * the mapping's pattern.
 */
export const describe = (mapping: Mapping, path: string, feed: Feed): Description => {
  const { source, description, files } = mapping
  const matching = files.filter(([glob]) => matchesGlob(path, glob))
  if (matching.length > 1)
    throw invalidMapping(source, [`files: ${matching.map(([glob]) => glob).join(' and ')} both match ${path}`])
  const merged = matching.reduce((base, [, top]) => override(base, top), description)
  if (merged.name_pattern === undefined) return merged
  const constants = constantsOf(source, feed, path, merged.name_pattern)
  return { ...merged, constants: { ...merged.constants, ...constants } }
}
