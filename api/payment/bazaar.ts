import { type AnyQuery, answerFields, jsonTypeOf, queries, queryId } from '../../engine/index.ts'
import { exampleOf } from '../contract/openapi-examples.ts'
import type { Schema } from '../contract/openapi-parts.ts'
import type { PaymentOffer } from './offer.ts'

const object = (properties: Schema, required: string[]) => ({ type: 'object', properties, required })
const text = { type: 'string' }

/** Members of a record whose lists have an entry. */
const MAX_LISTS = 2

/** Cuts every list to its first entry, or to none within one, after two others or if one has the same entry: headers are short. */
const shorten = (value: unknown, isInList = false): unknown => {
  if (Array.isArray(value)) return isInList ? [] : value.slice(0, 1).map((entry) => shorten(entry, true))
  if (value === null || typeof value !== 'object') return value
  const seen = new Set<string>()
  let lists = 0
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const short = shorten(member, isInList)
      const [entry] = Array.isArray(short) ? short : []
      const isLeftOut = entry !== undefined && (lists === MAX_LISTS || seen.has(JSON.stringify(entry)))
      if (entry !== undefined && !isLeftOut) lists += 1
      seen.add(JSON.stringify(short))
      return [name, isLeftOut ? [] : short]
    }),
  )
}

/** An example answer that is short: what is null in other answers is, where it only repeats another member. */
const shortExample = (query: AnyQuery): unknown => {
  const nullable = new Set(answerFields(query).flatMap(({ name, isNullable }) => (isNullable ? [name] : [])))
  const seen = new Set<string>()
  const members = Object.entries(exampleOf(query) as object).map(([name, member]) => {
    const json = JSON.stringify(member)
    const isRepeated = nullable.has(name) && typeof member === 'object' && seen.has(json)
    seen.add(json)
    return [name, isRepeated ? null : member]
  })
  return shorten(Object.fromEntries(members))
}

/** The members of an answer and their types; the contract document has the rest, which is too long for a header. */
const answerSchema = (query: AnyQuery): Schema => {
  const members = answerFields(query).map((field) => {
    const type = jsonTypeOf(field)
    return [field.name, { type: field.isNullable ? [type, 'null'] : type }]
  })
  return { type: 'object', properties: Object.fromEntries(members) }
}

const outputOf = (query: AnyQuery) => ({
  info: { type: 'json', example: shortExample(query) },
  schema: object({ type: text, example: answerSchema(query) }, ['type']),
})

/** The outputs of queries by their ids, each made when it is first offered: all of them would delay every start. */
const outputs = new Map<string, ReturnType<typeof outputOf>>()

const keptOutput = (id: string): ReturnType<typeof outputOf> | undefined => {
  const query = queries.find((query: AnyQuery) => queryId(query) === id)
  if (query && !outputs.has(id)) outputs.set(id, outputOf(query))
  return outputs.get(id)
}

/** The input of a request without a body, as an example and as a schema. */
const queryInput = (parameters: Record<string, string>) => ({
  example: { type: 'http', method: 'GET', queryParams: parameters },
  schema: object(
    {
      type: { const: 'http' },
      method: { const: 'GET' },
      queryParams: { type: 'object', additionalProperties: text },
    },
    ['type', 'method'],
  ),
})

/** The same of a batch: one with a single query. */
const batchInput = {
  example: {
    type: 'http',
    method: 'POST',
    bodyType: 'json',
    body: { requests: [{ path: '/v1/analyst/category-summary', params: { category: 'coffee' } }] },
  },
  schema: object(
    {
      type: { const: 'http' },
      method: { const: 'POST' },
      bodyType: { const: 'json' },
      body: object(
        { requests: { type: 'array', items: object({ path: text, params: { type: 'object' } }, ['path']) } },
        ['requests'],
      ),
    },
    ['type', 'method', 'bodyType', 'body'],
  ),
}

const batchOutput = {
  info: { type: 'json' },
  schema: object({ type: text, example: { type: 'array' } }, ['type']),
}

/**
 * The `bazaar` extension of x402: the input and output of a resource, for catalogues of facilitators. Its input is that
 * of the current request, which has an answer; its output is an answer from the sample lake, or without `hasExample`
 * only its type.
 */
export const bazaar = ({ parameters, query }: PaymentOffer, hasExample: boolean) => {
  const input = parameters ? queryInput(parameters) : batchInput
  const output = keptOutput(query) ?? batchOutput
  return {
    info: {
      input: input.example,
      output: hasExample ? output.info : { type: output.info.type },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object({ input: input.schema, output: output.schema }, ['input']),
    },
  }
}
