import { z } from 'zod'
import { type AnyQuery, queries, queryId } from '../../engine/index.ts'
import { exampleOf } from '../openapi-examples.ts'
import type { Offer } from './offer.ts'

type Schema = Record<string, unknown>

const object = (properties: Schema, required: string[]) => ({ type: 'object', properties, required })
const text = { type: 'string' }

/** A value whose lists have their first entry alone, unless that stands before them already: a header holds no more. */
const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shorten)
  if (value === null || typeof value !== 'object') return value
  const shown = new Set<string>()
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const short = shorten(member)
      const isShown = Array.isArray(short) && short.length > 0 && shown.has(JSON.stringify(short[0]))
      shown.add(JSON.stringify(short))
      return [name, isShown ? [] : short]
    }),
  )
}

type JsonSchema = {
  type?: string | string[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  $ref?: string
  $defs?: Record<string, JsonSchema>
}

/** The members of an answer and their types; the contract document has the rest, which no header could hold. */
const answerSchema = ({ answer }: AnyQuery): Schema => {
  const schema = z.toJSONSchema(answer, { io: 'output' }) as JsonSchema
  const resolve = (part: JsonSchema): JsonSchema => schema.$defs?.[part.$ref?.split('/').at(-1) ?? ''] ?? part
  const typesOf = (part: JsonSchema): string[] => {
    const { type = [], anyOf = [] } = resolve(part)
    return [...[type].flat(), ...anyOf.flatMap(typesOf)]
  }
  const members = Object.entries(resolve(schema).properties ?? {}).map(([name, member]) => {
    const [type, ...others] = typesOf(member)
    return [name, { type: others.length > 0 ? [type, ...others] : type }]
  })
  return { type: 'object', properties: Object.fromEntries(members) }
}

/** What a query answers, by its group and name. */
const outputs = new Map(
  queries.map((query: AnyQuery) => [
    queryId(query),
    {
      info: { type: 'json', example: shorten(exampleOf(query)) },
      schema: object({ type: text, example: answerSchema(query) }, ['type']),
    },
  ]),
)

/**
 * The `bazaar` extension of x402: how to ask for a resource and what it answers, for catalogues of facilitators. Its input
 * is the question under way, which is known to have an answer; its output is an answer of the sample lake, or without
 * `hasExample` its type alone.
 */
export const bazaar = ({ parameters, query }: Offer, hasExample: boolean) => {
  const output = outputs.get(query)!
  return {
    info: {
      input: { type: 'http', method: 'GET', queryParams: parameters },
      output: hasExample ? output.info : { type: output.info.type },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...object(
        {
          input: object(
            {
              type: { const: 'http' },
              method: { const: 'GET' },
              queryParams: { type: 'object', additionalProperties: text },
            },
            ['type', 'method'],
          ),
          output: output.schema,
        },
        ['input'],
      ),
    },
  }
}
