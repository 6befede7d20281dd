import { z } from 'zod'
import { type AnyQuery, type Group, queries } from '../engine/index.ts'
import type { Config } from './config.ts'

type Schema = Record<string, unknown>

const guidance =
  'Every operation is a GET. Prices are in USD for us and CAD for ca. Ask a category by name, path or breadcrumb; ' +
  'the free /v1/public lists name categories, brands and retailers. A request that cannot be answered is refused before any charge.'

const groupTags: Record<Group, string> = {
  public: 'Free lists of what the catalogue holds.',
  shopper: 'Best price, deals, price drops and history of products.',
  marketing: 'Share of shelf, brands, promotions and competitors.',
  analyst: 'Price trends, dispersion, retailer levels and category figures.',
}

const problem: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    error: { $ref: '#/components/schemas/Error' },
  },
}
const error: Schema = {
  type: 'object',
  required: ['code', 'message', 'details'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
}
const publicProblem: Schema = {
  type: 'object',
  required: ['error'],
  properties: { error: { $ref: '#/components/schemas/Error' } },
}

const refusals: Record<string, string> = {
  400: 'Invalid parameters; rejected before any payment challenge',
  402: 'Payment required',
  404: 'Nothing to answer from, or a retailer that cannot be served; rejected before any payment challenge',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Busy or not ready; try again after Retry-After seconds',
}

const refusalResponse = (description: string, type: string, schema: string): Schema => ({
  description,
  content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } },
})

const responses = Object.fromEntries(
  Object.entries(refusals).flatMap(([status, text]) => [
    [`Problem${status}`, refusalResponse(text, 'application/problem+json', 'Problem')],
    ...(status === '402' ? [] : [[`Public${status}`, refusalResponse(text, 'application/json', 'PublicProblem')]]),
  ]),
)

/** What zod says beyond need: patterns of formats, and the greatest safe integer. The document must stay small. */
const trim = ({ jsonSchema }: { jsonSchema: Schema }): void => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The answers' schemas by id; blocks that several answers share stand once. */
const answerSchemas = (): Record<string, Schema> => {
  const registry = z.registry<{ id: string }>()
  for (const { answer } of queries) registry.add(answer, { id: z.globalRegistry.get(answer)?.id ?? 'Answer' })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: trim,
  })
  const flat: Record<string, Schema> = {}
  const text = JSON.stringify(schemas).replaceAll(
    /"(?:#\/components\/schemas\/)?__shared#\/\$defs\//g,
    '"#/components/schemas/',
  )
  for (const [id, schema] of Object.entries(JSON.parse(text) as Record<string, Schema>)) {
    const { $schema: _, $id: __, $defs, ...rest } = schema
    if (id !== '__shared') flat[id] = rest
    Object.assign(flat, $defs)
  }
  return flat
}

const parametersOf = (query: AnyQuery): Schema[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input', override: trim }) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }))
}

/** Parameters stand once under a name of their own, however many operations take them. */
const shareParameters = () => {
  const names = new Map<string, string>()
  const shared: Record<string, Schema> = {}
  const nameOf = (parameter: Schema): string => {
    const text = JSON.stringify(parameter)
    const known = names.get(text)
    if (known) return known
    const variants = Object.keys(shared).filter((name) => name.replace(/_\d+$/, '') === parameter.name).length
    const name = variants === 0 ? String(parameter.name) : `${parameter.name}_${variants + 1}`
    names.set(text, name)
    shared[name] = parameter
    return name
  }
  const refer = (parameter: Schema): Schema => ({ $ref: `#/components/parameters/${nameOf(parameter)}` })
  return { refer, shared }
}

const operation = (query: AnyQuery, refer: (parameter: Schema) => Schema): Schema => {
  const free = query.group === 'public'
  const refused = Object.keys(refusals).filter((status) => !free || status !== '402')
  return {
    operationId: `${query.group}-${query.name}`,
    tags: [query.group],
    summary: query.summary,
    security: [],
    parameters: parametersOf(query).map(refer),
    responses: {
      200: {
        description: 'The answer',
        headers: { 'X-Data-Freshness-Hours': { $ref: '#/components/headers/Freshness' } },
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${z.globalRegistry.get(query.answer)?.id}` } },
        },
      },
      ...Object.fromEntries(
        refused.map((status) => [status, { $ref: `#/components/responses/${free ? 'Public' : 'Problem'}${status}` }]),
      ),
    },
  }
}

/** The contract document, made from the same schemas that validate requests and answers. */
export const openapi = ({ base_url }: Pick<Config, 'base_url'>): Schema => {
  const { refer, shared } = shareParameters()
  const paths = queries.map((query) => [`/v1/${query.group}/${query.name}`, { get: operation(query, refer) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfmark',
      version: '1.0.0',
      summary: 'Retail price analytics for the US and Canada',
      description: guidance,
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': guidance,
    },
    servers: [{ url: base_url }],
    tags: Object.entries(groupTags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...answerSchemas(), Problem: problem, PublicProblem: publicProblem, Error: error },
      parameters: shared,
      responses,
      headers: {
        Freshness: {
          description: 'Age of the newest observation behind the answer, in hours',
          schema: { type: 'number' },
        },
      },
    },
  }
}

const bodies = new Map<string, string>()

/** The document as bytes, made once. */
export const openapiBody = (config: Pick<Config, 'base_url'>): string => {
  const body = bodies.get(config.base_url) ?? JSON.stringify(openapi(config))
  bodies.set(config.base_url, body)
  return body
}
