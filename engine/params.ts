import { z } from 'zod'
import { MAX_CURRENT_DAYS } from './catalog/window.ts'
import { EngineError } from './errors.ts'
import { type AnyQuery, queryId } from './query.ts'

/** Query parameters that several endpoints share, each written once. */
export const country = z.enum(['us', 'ca']).default('us').describe('Country of the observations.')
export const retailer = z
  .string()
  .min(1)
  .max(64)
  .toLowerCase()
  .describe('Retailer platform key, in any case. GET /v1/public/retailers lists them.')
  .meta({ examples: ['kettlecart'] })
export const category = z
  .string()
  .min(1)
  .max(200)
  .describe('Category name, slug path, breadcrumb (A > B > C) or 8-digit GS1 GPC code.')
  .meta({ examples: ['coffee'] })
export const department = z.string().min(1).max(200).describe('Top-level category, in any case.')
export const brand = z
  .string()
  .min(1)
  .max(200)
  .describe('Brand, in any spelling.')
  .meta({ examples: ['oakverly'] })
export const granularity = z.enum(['daily', 'weekly', 'monthly']).describe('Length of a period; weeks are ISO weeks.')
export const maximumAge = z
  .int()
  .min(1)
  .max(MAX_CURRENT_DAYS)
  .default(90)
  .describe('Greatest age of a current price, in days.')

/** A page of a list. */
export const paging = (limit: number, most: number) => ({
  limit: z.int().min(1).max(most).default(limit).describe('Entries in a page.'),
  offset: z.int().min(0).max(1_000_000_000).default(0).describe('Entries before the page.'),
})

const bound = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** The parameters of a window. Explicit from/to win over time_window, which wins over days. */
export const windowParams = {
  time_window: z
    .enum([
      'last_30_days',
      'last_60_days',
      'last_90_days',
      'month_to_date',
      'previous_month',
      'month_over_month',
      'quarter_to_date',
      'custom',
    ])
    .optional()
    .describe('Named window; custom needs from and to.'),
  from: bound.optional().describe('First day, inclusive (ISO 8601, UTC). Default 30 days before to.'),
  to: bound.optional().describe('Last day, exclusive (ISO 8601, UTC). Default now.'),
  days: z.int().min(1).max(1826).optional().describe('The last N days; an alias of last_N_days.'),
}
export type WindowParams = { [K in keyof typeof windowParams]?: z.output<(typeof windowParams)[K]> }

/** The scope of the analyst statistics: a category or a department; both narrow. */
export const categoryScope = {
  category: category.optional(),
  department: department.optional(),
  country,
  retailer: retailer.optional(),
}

const uid = z.string().min(1).max(64)

/** What names one product: a text or a uid; a uid goes before q. */
export const productParams = {
  q: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Product name, keywords, brand and model, barcode or web address. Required without a uid.')
    .meta({ examples: ['coffee'] }),
  product_uid: uid.optional().describe('One retailer listing, instead of q.'),
  entity_uid: uid.optional().describe('One physical product across retailers, instead of q.'),
}

/** Refuses a request that names no product. */
export const qOrUid = (
  params: { q?: unknown; product_uid?: unknown; entity_uid?: unknown },
  context: z.RefinementCtx,
) => {
  if (params.q === undefined && params.product_uid === undefined && params.entity_uid === undefined)
    context.addIssue({ code: 'custom', path: ['q'], message: 'is required: send q, product_uid or entity_uid' })
}

/** Refuses a request that names neither category nor department. */
export const categoryOrDepartment = (
  params: { category?: unknown; department?: unknown },
  context: z.RefinementCtx,
) => {
  if (params.category === undefined && params.department === undefined)
    context.addIssue({ code: 'custom', path: ['category'], message: 'is required: send category, department or both' })
}

type Decode = (text: string) => unknown
const decoders: Record<string, Decode> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text.toLowerCase()] ?? text,
}

const decoded = new WeakMap<AnyQuery, Record<string, Decode>>()
const decodersOf = (query: AnyQuery): Record<string, Decode> => {
  const known = decoded.get(query)
  if (known) return known
  const { properties = {} } = z.toJSONSchema(query.params, { io: 'input' })
  const made = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      decoders[String((schema as { type?: string }).type)] ?? ((text: string) => text),
    ]),
  )
  decoded.set(query, made)
  return made
}

const invalid = (parameter: string, reason: string, details: Record<string, unknown> = {}) =>
  new EngineError('INVALID_PARAMS', `${parameter}: ${reason}`, { parameter, ...details })

/** What zod says of an absent parameter, in words. */
const requirement = (message: string): string => (message.includes('undefined') ? 'is required' : message)

/**
 * Reads a query's parameters from text, as a URL or a command line gives them. Unknown, repeated and empty parameters
 * are refused like invalid ones: EngineError INVALID_PARAMS with the parameter in its details.
 */
export const readParams = <Q extends AnyQuery>(
  query: Q,
  given: Record<string, string | readonly string[] | undefined>,
): z.output<Q['params']> => {
  const decode = decodersOf(query)
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(decode, name)) {
      const accepted = Object.keys(decode)
      throw invalid(name, `is not a parameter of ${queryId(query)}; it accepts ${accepted.join(', ')}`, { accepted })
    }
    if (typeof value !== 'string') throw invalid(name, 'is given more than once; send it once')
    if (value.trim() === '') throw invalid(name, 'is empty; send a value or leave it out')
    values[name] = decode[name]?.(value)
  }
  const parsed: z.ZodSafeParseResult<z.output<Q['params']>> = query.params.safeParse(values)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => {
    const parameter = path.join('.')
    return { parameter, message: parameter in values || path.length === 0 ? message : requirement(message) }
  })
  const [first] = issues
  throw invalid(first?.parameter ?? 'query', first?.message ?? 'is not valid', { issues })
}
