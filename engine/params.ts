import { z } from 'zod'
import { unaccented } from './catalog/text.ts'
import { MAX_CURRENT_DAYS, MAX_WINDOW_DAYS } from './catalog/window.ts'
import { EngineError } from './errors.ts'
import { expectationOf, type ParamSchema, shownValue } from './expectation.ts'
import { field } from './field.ts'
import { type AnyQuery, queryId } from './query.ts'

/** Query parameters that several endpoints share, each written once. */
export const country = field.choice(['us', 'ca'], 'Country of the prices: us in USD, ca in CAD.').default('us')
export const retailer = z
  .string()
  .min(1)
  .max(64)
  .overwrite(unaccented)
  .describe('Retailer platform key, in any case: see GET /v1/public/retailers.')
  .meta({ examples: ['kettlecart'] })
export const category = z
  .string()
  .min(1)
  .max(200)
  .describe('Category by name, path, breadcrumb (A > B) or 8-digit GS1 GPC code.')
  .meta({ examples: ['coffee'] })
export const department = z
  .string()
  .min(1)
  .max(200)
  .describe('Top-level category, by name or slug. With category, both narrow.')
  .meta({ examples: ['grocery'] })
export const brand = z
  .string()
  .min(1)
  .max(200)
  .describe('Brand, in any spelling: see GET /v1/public/brands.')
  .meta({ examples: ['oakverly'] })
export const granularity = field.choice(['daily', 'weekly', 'monthly'], 'Length of a period; weeks are ISO weeks.')
/** A number of days; more than the maximum is taken as the maximum, as published clients send it. */
const atMost = (max: number) =>
  z
    .int()
    .min(1)
    .overwrite((days) => Math.min(days, max))
export const maximumAge = (usual = 90) =>
  atMost(MAX_CURRENT_DAYS)
    .default(usual)
    .meta({
      description: `Maximum age of a current price, in days; at most ${MAX_CURRENT_DAYS} are taken.`,
      unit: 'days',
    })

/** A page of a list. */
export const paging = (limit: number, most: number) => ({
  limit: z.int().min(1).max(most).default(limit).meta({ description: 'Entries per page.', unit: 'count' }),
  offset: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .meta({ description: 'Entries to skip before the page.', unit: 'count' }),
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
  from: bound
    .optional()
    .meta({ description: 'First day of the window (ISO 8601, UTC). Default 30 days before to.', unit: 'date' }),
  to: bound.optional().meta({ description: 'The day after the last one (ISO 8601, UTC). Default now.', unit: 'date' }),
  days: atMost(MAX_WINDOW_DAYS)
    .optional()
    .meta({
      description: `The window of the last N days (at most ${MAX_WINDOW_DAYS}) without time_window, from, to.`,
      unit: 'days',
    }),
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
  product_uid: uid.optional().describe('Id of one listing at one retailer, instead of q.'),
  entity_uid: uid.optional().describe('Id of one physical product across retailers, instead of q.'),
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
/** The nearest number that is safe: of more digits only that they are many matters. */
const wholeNumber = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
const decoders: Record<string, Decode> = {
  integer: (text) => (/^-?\d+$/.test(text) ? wholeNumber(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text.toLowerCase()] ?? text,
}

type Accepted = ParamSchema & { decode: Decode; isRequired: boolean }

const read = new WeakMap<AnyQuery, Record<string, Accepted>>()
/** The parameters of a query, how each is read from text, and what it takes. */
const acceptedBy = (query: AnyQuery): Record<string, Accepted> => {
  const known = read.get(query)
  if (known) return known
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input' })
  const accepted = Object.fromEntries(
    Object.entries(properties as Record<string, ParamSchema>).map(([name, schema]) => {
      const decode = decoders[String(schema.type)] ?? ((text: string) => text)
      return [name, { ...schema, decode, isRequired: required.includes(name) }]
    }),
  )
  read.set(query, accepted)
  return accepted
}

const invalid = (parameter: string, reason: string, details: Record<string, unknown> = {}) =>
  new EngineError('INVALID_PARAMS', `${parameter}: ${reason}`, { parameter, ...details })

/** What is wrong with a parameter and what to send instead. Rules of queries speak for themselves, zod does not. */
const reasonOf = ({ code, message }: z.core.$ZodIssue, schema: Accepted | undefined, sent: unknown) => {
  if (code === 'custom' || !schema) return message
  return sent === undefined
    ? `is required: send ${expectationOf(schema)}`
    : `expected ${expectationOf(schema)}, got ${shownValue(sent)}`
}

const refuseUnknown = (query: AnyQuery, name: string): void => {
  const accepted = Object.keys(acceptedBy(query))
  if (accepted.includes(name)) return
  throw invalid(name, `is not a parameter of ${queryId(query)}; it accepts ${accepted.join(', ')}`, { accepted })
}

/** The parameters, of values that messages show as they were sent. */
const parse = <Q extends AnyQuery>(query: Q, values: object, sent: Readonly<Record<string, unknown>>) => {
  const parsed: z.ZodSafeParseResult<z.output<Q['params']>> = query.params.safeParse(values)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => {
    const parameter = issue.path.join('.')
    return { parameter, message: reasonOf(issue, acceptedBy(query)[parameter], sent[parameter]) }
  })
  const [first] = issues
  throw invalid(first!.parameter, first!.message, { issues })
}

/**
 * Checks the parameters of a query and fills in the defaults. Unknown ones are refused like invalid ones: EngineError
 * INVALID_PARAMS with the parameter in its details.
 */
export const checkParams = <Q extends AnyQuery>(
  query: Q,
  values: Readonly<Record<string, unknown>>,
): z.output<Q['params']> => {
  for (const name of Object.keys(values)) refuseUnknown(query, name)
  return parse(query, values, values)
}

/**
 * Reads a query's parameters from text, as a URL or a command line gives them. An empty one is as if absent where it is
 * optional. Refuses as `checkParams` does, and repeated ones too.
 */
export const readParams = <Q extends AnyQuery>(
  query: Q,
  given: Record<string, string | readonly string[] | undefined>,
): z.output<Q['params']> => {
  const accepts = acceptedBy(query)
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    refuseUnknown(query, name)
    if (typeof value !== 'string') throw invalid(name, 'is given more than once; send it once')
    if (value.trim() !== '') texts[name] = value
    else if (accepts[name]?.isRequired) throw invalid(name, `is empty; send ${expectationOf(accepts[name])}`)
  }
  const values = Object.entries(texts).map(([name, text]) => [name, accepts[name]?.decode(text)])
  return parse(query, Object.fromEntries(values), texts)
}
