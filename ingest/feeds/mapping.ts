import { z } from 'zod'
import { brandNorm, EngineError } from '../../engine/index.ts'
import { COLUMNS, FEEDS, WORDED } from './columns.ts'

const columnName = z.enum(COLUMNS)
const text = z.string().min(1)
const names = z.array(text).min(1).max(8)

/**
 * How a folder's files differ from the feed format: whose column is whose, what no column says, how texts are written.
 */
const descriptionSchema = z.strictObject({
  /** Their name of each column; of a list the first that a file has; `join` makes a breadcrumb of several. */
  columns: z.partialRecord(columnName, z.union([text, names, z.strictObject({ join: names })])).optional(),
  /** What every row says. */
  constants: z.partialRecord(columnName, z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  /** Their words, to be read as ours. */
  values: z.partialRecord(z.enum(WORDED), z.record(z.string(), z.string())).optional(),
  /** The zone of times that name none, such as `America/Toronto`. */
  timezone: text.optional(),
  /** The form of times other than RFC 3339, in strptime's letters. */
  timestamp_format: text.optional(),
  /** The year of times that name none. */
  year: z.int().min(1990).max(2099).optional(),
  /** The columns of a post in whose words brands are looked for; they are not kept. */
  brand_texts: names.optional(),
  /** Brands looked for beside those of the lake, each with further words for it. */
  brands: z
    .record(
      text.refine((name) => brandNorm(name) !== null, 'has no letter or digit'),
      z.array(text),
    )
    .optional(),
  /** Phrases that hold a brand's name and mean something else. */
  not_brands: z.array(text).optional(),
  /** Whether prices are as printed: `$3.45`, `97¢`, `1,959`. */
  price_text: z.boolean().optional(),
  /** The columns that tell listings apart where there is no id. */
  listing_id_from: names.optional(),
  /** Brands that may begin a product's name, where a row states none; `*` is any first word. */
  brand_prefixes: z.array(text.regex(/\S/, 'is blank')).min(1).max(2000).optional(),
  /** What stands above every category of the feed. */
  category_root: text.regex(/[\p{L}\p{N}]/u, 'has no letter or digit').optional(),
  /** `change_points`: a price holds until the listing's next row. */
  kind: z.enum(['observations', 'change_points']).optional(),
  delimiter: z.string().length(1).optional(),
  /** The share of rows that may be refused, instead of the option of that name. */
  max_quarantine: z.number().min(0).max(1).optional(),
})

const ownSchema = descriptionSchema.extend({ files: z.record(text, descriptionSchema).optional() })

const foreignSchema = z.partialRecord(
  z.enum(FEEDS),
  descriptionSchema.extend({ files: z.union([z.array(text).min(1), z.record(text, descriptionSchema)]) }),
)

export type Description = z.output<typeof descriptionSchema>
/** A feed's description, and what differs in the files that a glob matches; later globs win. */
export type Mapping = { description: Description; files: readonly (readonly [glob: string, Description])[] }

const parse = <T>(schema: z.ZodType<T>, path: string, json: string): T => {
  const read = schema.safeParse(parseJson(path, json))
  if (read.success) return read.data
  throw new EngineError('INVALID_PARAMS', `${path}: ${z.prettifyError(read.error).replaceAll('\n', ' ')}`, { path })
}

const parseJson = (path: string, json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new EngineError('INVALID_PARAMS', `${path} is not JSON: ${(cause as Error).message}`, { path })
  }
}

/** A `feed.json` beside the files it describes. INVALID_PARAMS naming each unknown key or wrong value. */
export const parseOwnMapping = (path: string, json: string): Mapping => {
  const { files = {}, ...description } = parse(ownSchema, path, json)
  return { description, files: Object.entries(files) }
}

/** A description of a foreign folder: the files of each feed, by globs relative to it. INVALID_PARAMS as above. */
export const parseForeignMapping = (path: string, json: string): ReadonlyMap<string, Mapping> =>
  new Map(
    Object.entries(parse(foreignSchema, path, json)).map(([feed, { files, ...description }]) => [
      feed,
      { description, files: Array.isArray(files) ? files.map((glob) => [glob, {}] as const) : Object.entries(files) },
    ]),
  )

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

const over = (base: Description, top: Description): Description => ({
  ...base,
  ...top,
  columns: { ...base.columns, ...top.columns },
  constants: { ...base.constants, ...top.constants },
  values: { ...base.values, ...top.values },
})

/** What describes one file. */
export const describe = ({ description, files }: Mapping, path: string): Description =>
  files.filter(([glob]) => matchesGlob(path, glob)).reduce((base, [, top]) => over(base, top), description)
