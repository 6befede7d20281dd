import { z } from 'zod'
import { invalidParam } from './errors.ts'
import { expectationOf, quotedValue } from './expectation.ts'
import { field } from './field.ts'
import { granularity, MAX_WEEKLY_DAYS } from './granularity.ts'
import { type ParamField, paramFields, queryId, type WithParams } from './param-fields.ts'
import { USUAL_COUNTRY } from './places.ts'
import { unaccented } from './text.ts'

export { granularity } from './granularity.ts'

/** The maximum age of a current price, in days. */
export const MAX_CURRENT_DAYS = 365
/** The maximum length of a window, in days: five years. */
export const MAX_WINDOW_DAYS = 1826

/** Parameters that several queries share. */
/** The country of the prices. Where it is not sent, it is empty, and the engine fills it in (`withCountry`). */
export const country = field
  .country('Country of the prices, which are in its currency.')
  .default('')
  .meta({ default: USUAL_COUNTRY })
export const retailer = z
  .string()
  .min(1)
  .max(64)
  .overwrite(unaccented)
  .describe('Retailer platform key, in any case: see the query public/retailers.')
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
  .describe('Brand, in any spelling: see the query public/brands.')
  .meta({ examples: ['oakverly'] })
/** A number of days. Clients send more than the maximum, so a larger value is reduced to it. */
const daysUpTo = (max: number) =>
  z
    .int()
    .min(1)
    .overwrite((days) => Math.min(days, max))
export const maximumAge = (usual = 90) =>
  daysUpTo(MAX_CURRENT_DAYS)
    .default(usual)
    .meta({
      description: `Maximum age of a current price, in days; at most ${MAX_CURRENT_DAYS} are used.`,
      unit: 'days',
    })

/** The parameters of a page of a list. */
export const paging = (limit: number, max: number) => ({
  limit: z.int().min(1).max(max).default(limit).meta({ description: 'Entries per page.', unit: 'count' }),
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
  days: daysUpTo(MAX_WINDOW_DAYS)
    .optional()
    .meta({
      description: `The window of the last N days (at most ${MAX_WINDOW_DAYS}) without time_window, from, to.`,
      unit: 'days',
    }),
}
export type WindowParams = { [K in keyof typeof windowParams]?: z.output<(typeof windowParams)[K]> }

/** The granularity of a series of prices that change slowly. */
export const chosenGranularity = granularity
  .optional()
  .describe(
    `Length of a period: by default weekly up to ${MAX_WEEKLY_DAYS} days, else monthly. Weeks are ISO weeks; without a ` +
      'window either, those that are whole of the last 30 days.',
  )

/** The scope of the analyst queries: a category, a department or both, which then both apply. */
export const categoryScope = {
  category: category.optional(),
  department: department.optional(),
  country,
  retailer: retailer.optional(),
}

const uid = z.string().min(1).max(64)

/** The parameters that identify one product: a text or a uid; a uid takes precedence over q. */
export const productParams = {
  q: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'Product name, keywords, brand and model, barcode or web address; every word counts, up to 50. Required without a uid.',
    )
    .meta({ examples: ['coffee'] }),
  product_uid: uid.optional().describe('Id of one listing at one retailer, instead of q.'),
  entity_uid: uid.optional().describe('Id of one physical product across retailers, instead of q.'),
}

/** The same for the history of a product, of which a text must mean one. */
export const historyParams = {
  ...productParams,
  q: productParams.q.meta({
    description:
      'Product name, brand and model, barcode or web address that means one product. Required without a uid.',
    examples: ['larkano decaf coffee'],
  }),
  likely: z
    .boolean()
    .default(false)
    .describe(
      'Also the listings of other retailers that are likely the same product, for product_uid and entity_uid, too.',
    ),
}

/** Refuses a request that names no product. */
export const qOrUid = (
  params: { q?: unknown; product_uid?: unknown; entity_uid?: unknown },
  context: z.RefinementCtx,
) => {
  if (params.q === undefined && params.product_uid === undefined && params.entity_uid === undefined)
    context.addIssue({ code: 'custom', path: ['q'], message: 'required; send q, product_uid or entity_uid' })
}

/** Refuses a request that names neither category nor department. */
export const categoryOrDepartment = (
  params: { category?: unknown; department?: unknown },
  context: z.RefinementCtx,
) => {
  if (params.category === undefined && params.department === undefined)
    context.addIssue({ code: 'custom', path: ['category'], message: 'required; send category, department or both' })
}

type DecodeParam = (text: string) => unknown
/** Clamped to safe integers: they are far outside every accepted range. */
const wholeNumber = (text: string): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
const decoders: Record<string, DecodeParam> = {
  integer: (text) => (/^-?\d+$/.test(text) ? wholeNumber(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text.toLowerCase()] ?? text,
}

type Accepted = ParamField & { decode: DecodeParam }

const acceptedByQuery = new WeakMap<WithParams, Record<string, Accepted>>()
/** The parameters of a query: how each is decoded from text, and what it accepts. */
const acceptedBy = (query: WithParams): Record<string, Accepted> => {
  const cached = acceptedByQuery.get(query)
  if (cached) return cached
  const accepted = Object.fromEntries(
    paramFields(query).map((param): [string, Accepted] => {
      const decode = decoders[String(param.type)] ?? ((text: string) => text)
      return [param.name, { ...param, decode }]
    }),
  )
  acceptedByQuery.set(query, accepted)
  return accepted
}

/** What is wrong with a parameter and what to send instead. Messages of custom rules say so themselves; zod's do not. */
const reasonOf = ({ code, message }: z.core.$ZodIssue, schema: Accepted | undefined, sent: unknown) => {
  if (code === 'custom' || !schema) return message
  return sent === undefined
    ? `required; send ${expectationOf(schema)}`
    : `expected ${expectationOf(schema)}, got ${quotedValue(sent)}`
}

const refuseUnknown = (query: WithParams, name: string): void => {
  const accepted = Object.keys(acceptedBy(query))
  if (accepted.includes(name)) return
  throw invalidParam(name, `is not a parameter of ${queryId(query)}; it accepts ${accepted.join(', ')}`, { accepted })
}

/** Parses the decoded values; messages quote the values as they were `sent`. */
const parseParams = <Q extends WithParams>(query: Q, values: object, sent: Readonly<Record<string, unknown>>) => {
  const parsed = query.params.safeParse(values) as z.ZodSafeParseResult<z.output<Q['params']>>
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => {
    const parameter = issue.path.join('.')
    return { parameter, message: reasonOf(issue, acceptedBy(query)[parameter], sent[parameter]) }
  })
  const [first] = issues
  throw invalidParam(first!.parameter, first!.message, { issues })
}

/**
 * Checks the parameters of a query and fills in the defaults. Throws EngineError INVALID_PARAMS for an unknown or
 * invalid parameter, with the parameter in its details.
 */
export const checkParams = <Q extends WithParams>(
  query: Q,
  values: Readonly<Record<string, unknown>>,
): z.output<Q['params']> => {
  for (const name of Object.keys(values)) refuseUnknown(query, name)
  return parseParams(query, values, values)
}

/**
 * Reads a query's parameters from text, as in a URL or a command line. An empty optional parameter counts as absent.
 * Refuses what `checkParams` refuses, and repeated parameters.
 */
export const readParams = <Q extends WithParams>(
  query: Q,
  sent: Record<string, string | readonly string[] | undefined>,
): z.output<Q['params']> => {
  const accepted = acceptedBy(query)
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue
    refuseUnknown(query, name)
    if (typeof value !== 'string') throw invalidParam(name, 'is given more than once; send it once')
    if (value.trim() !== '') texts[name] = value
    else if (accepted[name]?.isRequired) throw invalidParam(name, `is empty; send ${expectationOf(accepted[name])}`)
  }
  const values = Object.entries(texts).map(([name, text]) => [name, accepted[name]?.decode(text)])
  return parseParams(query, Object.fromEntries(values), texts)
}
