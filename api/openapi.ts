import { z } from 'zod'
import { type AnyQuery, type Group, groups, queries } from '../engine/index.ts'
import {
  type HeaderName,
  headersOf,
  refusalResponses,
  refusalSchemas,
  refusalsOf,
  response,
  type Schema,
} from './openapi-parts.ts'
import { guidance, paymentInfo, serviceInfo, serviceLevels, type Terms } from './openapi-payment.ts'
import { networkNames, protocolsOf, testnets } from './payment/networks.ts'

const groupTags: Record<Group, string> = {
  public: 'Free lists of what the catalogue holds.',
  shopper: 'Best price, deals, price drops and history of products.',
  marketing: 'Share of shelf, brands, promotions and competitors.',
  analyst: 'Price trends, dispersion, retailer levels and category figures.',
  social: 'Momentum of brands and topics in social posts.',
  reference: 'Marketplace browse nodes and phrases as GS1 GPC product types.',
}

/**
 * Leaves out what zod says beyond need, since registries read 64 KiB at most: patterns of formats and the greatest safe
 * integer; and that there will never be another field, since fields may be added.
 */
const trim = ({ jsonSchema }: { jsonSchema: Schema }): void => {
  delete jsonSchema.additionalProperties
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Null beside one other schema, as its own `type` or `enum` where it has one. */
const joinNull = (jsonSchema: Schema): void => {
  const [other, none] = (jsonSchema.anyOf ?? []) as Schema[]
  if (none?.type !== 'null' || !other || other.$ref) return
  delete jsonSchema.anyOf
  const type = other.type ?? (other.items ? 'array' : 'object')
  Object.assign(jsonSchema, other, other.enum ? { enum: [...(other.enum as []), null] } : { type: [type, 'null'] })
}

/** Of answers the guidance says once that every field is always there; counts are known not to be negative. */
const trimAnswer = ({ jsonSchema }: { jsonSchema: Schema }): void => {
  trim({ jsonSchema })
  delete jsonSchema.required
  if (jsonSchema.minimum === 0) delete jsonSchema.minimum
  if (jsonSchema.enum) delete jsonSchema.type
  joinNull(jsonSchema)
  // What has properties is an object, what has items an array.
  if (jsonSchema.type === 'object' || jsonSchema.type === 'array') delete jsonSchema.type
}

/** The schemas that carry an id: answers, and the blocks they share. */
const answerSchemas = (): Record<string, Schema> => {
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'output', uri, override: trimAnswer })
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Schema>).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  )
}

const parametersOf = (query: AnyQuery): Schema[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input', override: trim }) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  // Registries try an operation with the examples of what must be given: of one alone where any of several will do.
  const tried =
    required.length > 0
      ? required
      : Object.keys(properties)
          .filter((name) => properties[name]?.examples)
          .slice(0, 1)
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    description,
    schema: tried.includes(name) && Array.isArray(examples) ? { ...schema, example: examples[0] } : schema,
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

/** Headers of an answer. X-Snapshot-Fallback is listed for free answers only, to keep the document under 64 KiB. */
const answerHeadersOf = ({ group }: AnyQuery): HeaderName[] => {
  if (group === 'reference') return ['X-GPC-Release', 'X-Map-Version']
  return group === 'public' ? ['X-Snapshot-Fallback'] : []
}

const operation = (query: AnyQuery, refer: (parameter: Schema) => Schema, terms: Terms): Schema => ({
  operationId: `${query.group}-${query.name}`,
  tags: [query.group],
  summary: query.summary,
  security: [],
  ...paymentInfo(query.group, terms),
  ...serviceLevels(query),
  parameters: parametersOf(query).map(refer),
  responses: {
    200: response('Answer', {
      type: 'application/json',
      schema: String(z.globalRegistry.get(query.answer)?.id),
      headers: answerHeadersOf(query),
    }),
    ...refusalsOf(query.group),
  },
})

export type OpenapiOptions = {
  base_url: string
  contact?: string | undefined
  terms?: Terms
}

const allTerms: Terms = { accepted: networkNames, currency: testnets.tempo.currency }

/** The contract document, made from the same schemas that validate requests and answers. */
export const openapi = ({ base_url, contact, terms = allTerms }: OpenapiOptions): Schema => {
  const { refer, shared } = shareParameters()
  const paths = queries.map((query) => [`/v1/${query.group}/${query.name}`, { get: operation(query, refer, terms) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfmark',
      version: '1.0.0',
      summary: 'Retail price analytics for the US and Canada',
      contact: { name: 'Shelfmark', url: base_url, ...(contact ? { email: contact } : {}) },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': guidance(terms),
    },
    'x-service-info': serviceInfo,
    servers: [{ url: base_url }],
    tags: Object.entries(groupTags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...answerSchemas(), ...refusalSchemas },
      parameters: shared,
      responses: refusalResponses(groups, protocolsOf(terms.accepted)),
      headers: headersOf(protocolsOf(terms.accepted)),
    },
  }
}
