import {
  type AnyQuery,
  answerFields,
  type Group,
  groups,
  paramFields,
  queries,
  queryId,
  requiredParams,
  requiredText,
} from '../../engine/index.ts'
import { apiPath, inRequests, pathWith } from '../http/address.ts'
import { dollars, prices } from '../ops/prices.ts'
import { exampleOf } from './openapi-examples.ts'
import { guidance, type Terms } from './openapi-payment.ts'

/** The parameters of the example of a query. */
export type ParamsOf = (query: AnyQuery) => Record<string, string>

/** The required parameters of a query with their documented examples. */
export const documentedParams: ParamsOf = (query) =>
  Object.fromEntries(
    requiredParams(query).flatMap((names) => {
      const field = paramFields(query).find(({ name, examples }) => names.includes(name) && examples)
      return field ? [[field.name, String(field.examples?.[0])]] : []
    }),
  )

/** Parameters that every query has. */
const COMMON = ['as_of', 'max_age']

/** What a query is, what it takes, and a request, each on a line. */
export const queryText = (query: AnyQuery, base_url: string, paramsOf: ParamsOf): string => {
  const required = requiredParams(query).flat()
  const optional = paramFields(query)
    .map(({ name }) => name)
    .filter((name) => !required.includes(name) && !COMMON.includes(name))
  const parameters = [
    required.length > 0 && `Required: ${requiredText(query)}.`,
    optional.length > 0 && `Optional: ${optional.join(', ')}.`,
  ].filter(Boolean)
  return [
    `- [${queryId(query)}](${base_url}${apiPath(query)}): ${query.summary}.`,
    ...(parameters.length > 0 ? [`  ${parameters.join(' ')}`] : []),
    `  GET ${base_url}${pathWith(apiPath(query), paramsOf(query))}`,
  ].join('\n')
}

/** The most bytes of an example answer. */
const MAX_EXAMPLE_LENGTH = 600

/** The first fields of an example answer, the figure to quote before the others, lists cut to one entry. */
const answerText = (query: AnyQuery): string => {
  const example = exampleOf(query) as Record<string, unknown>
  const fields = answerFields(query).toSorted((a, b) => Number(b.isHeadline) - Number(a.isHeadline))
  const short: Record<string, unknown> = {}
  for (const { name, isDeprecated } of fields) {
    const value = example[name]
    const entry = Array.isArray(value) ? value.slice(0, 1) : value
    if (isDeprecated || JSON.stringify({ ...short, [name]: entry }).length > MAX_EXAMPLE_LENGTH) continue
    short[name] = entry
  }
  return JSON.stringify(short)
}

const groupText = (group: Group, base_url: string, paramsOf: ParamsOf): string[] => {
  const members = queries.filter((query) => query.group === group)
  const [first] = members
  const price = prices[group] === 0 ? 'free' : `${dollars(prices[group])} USD a request`
  return first
    ? [
        `## ${group}: ${price}`,
        members.map((query) => queryText(query, base_url, paramsOf)).join('\n'),
        `Some fields of an answer of ${queryId(first)}, of invented data: ${answerText(first)}`,
        `Every field of this group: ${base_url}/openapi/${group}.json`,
      ]
    : []
}

/** Each parameter with what it means, once for all queries that mean the same by it. */
const parameterLines = (): string[] => {
  const meanings = new Map<string, { name: string; text: string; ids: string[] }>()
  for (const query of queries)
    for (const { name, description = '', enum: choices, default: usual } of paramFields(query)) {
      const text = [
        inRequests(description),
        // The countries are those of the lake.
        choices && name !== 'country' && `One of ${choices.join(', ')}.`,
        usual !== undefined && name !== 'country' && `Default ${usual}.`,
      ]
        .filter(Boolean)
        .join(' ')
      const key = `${name} ${text}`
      const meaning = meanings.get(key) ?? { name, text, ids: [] }
      meanings.set(key, { ...meaning, ids: [...meaning.ids, queryId(query)] })
    }
  const all = [...meanings.values()]
  const mostCommon = (name: string) =>
    all
      .filter((other) => other.name === name)
      .reduce((most, other) => (other.ids.length > most.ids.length ? other : most))
  return all
    .toSorted((a, b) => (a.name === b.name ? b.ids.length - a.ids.length : a.name < b.name ? -1 : 1))
    .map((meaning) => {
      const of = mostCommon(meaning.name) === meaning ? '' : ` (${meaning.ids.join(', ')})`
      return `- ${meaning.name}${of}: ${meaning.text}`
    })
}

/**
 * /llms.txt: the queries of the service and how to use it, for language models (llmstxt.org). Enough for a first call: every
 * query with what it requires and a request, and an answer of each group.
 */
export const llms = (base_url: string, terms: Terms, paramsOf: ParamsOf = documentedParams): string =>
  [
    '# Shelfmark',
    '> Retail price analytics, by country',
    guidance(terms),
    `A first request, free of charge: GET ${base_url}/v1/public/stats. Each query below has its required parameters and a ` +
      'request that this service answers; a required parameter is one of those that are named.',
    `All queries with types: [OpenAPI](${base_url}/openapi.json). Definitions, units and examples of every field: ` +
      `[OpenAPI, in full](${base_url}/openapi.full.json)`,
    `Model Context Protocol (streamable HTTP): ${base_url}/mcp`,
    `What a query means, with every field: its page ${base_url}/queries/GROUP/NAME, as Markdown with Accept: text/markdown.`,
    ...groups.flatMap((group) => groupText(group, base_url, paramsOf)),
    '## Parameters',
    parameterLines().join('\n'),
    '',
  ].join('\n\n')
