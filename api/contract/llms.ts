import { groups, queries, queryId } from '../../engine/index.ts'
import { apiPath } from '../http/address.ts'
import { dollars, prices } from '../ops/prices.ts'
import { guidance, type Terms } from './openapi-payment.ts'

/** /llms.txt: the queries of the service and how to use it, for language models (llmstxt.org). */
export const llms = (base_url: string, terms: Terms): string => {
  const sections = groups.map((group) => {
    const price = prices[group] === 0 ? 'free' : `${dollars(prices[group])} USD a request`
    const members = queries.filter((query) => query.group === group)
    const lines = members.map((query) => `- [${queryId(query)}](${base_url}${apiPath(query)}): ${query.summary}`)
    return [`## ${group}: ${price}`, '', ...lines].join('\n')
  })
  return [
    '# Shelfmark',
    '> Retail price analytics, by country',
    guidance(terms),
    `Parameters and answers: [OpenAPI](${base_url}/openapi.json). Definitions, units and examples of every field: ` +
      `[OpenAPI, in full](${base_url}/openapi.full.json)`,
    `Model Context Protocol (streamable HTTP): ${base_url}/mcp`,
    ...sections.filter((section) => section.includes('\n- ')),
    '',
  ].join('\n\n')
}
