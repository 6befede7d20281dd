import { type AnyQuery, answerFields, paramFields, requiredText, unitsOf, withInner } from '../../engine/index.ts'
import { apiPath, inRequests, pathWith } from '../http/address.ts'
import { dollars, prices } from '../ops/prices.ts'
import { definitionText, titleOf } from './openapi.ts'
import { exampleOf } from './openapi-examples.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const paramRows = (query: AnyQuery) =>
  paramFields(query).map(({ name, isRequired, description = '', default: usual }) => [
    name,
    [isRequired && 'Required.', inRequests(description), usual !== undefined && `Default ${usual}.`]
      .filter(Boolean)
      .join(' '),
  ])

const fieldRows = (query: AnyQuery) =>
  withInner(answerFields(query)).map(({ path, unit, isHeadline, isDeprecated, description }) => [
    path,
    unit ?? '',
    [isHeadline && 'The figure to quote.', isDeprecated && 'Deprecated.', description].filter(Boolean).join(' '),
  ])

/** The page of a query as Markdown: what it means, what it takes and answers, a request and an answer of invented data. */
export const queryMarkdown = (query: AnyQuery, base_url: string, params: Readonly<Record<string, string>>): string => {
  const units = unitsOf(withInner(answerFields(query))).map(([unit, meaning]) => `- ${unit}: ${meaning}`)
  const amount = prices[query.group]
  const price = amount === 0 ? 'Free.' : `${dollars(amount)} USD a request; ${base_url}/llms.txt says how to pay.`
  const required = requiredText(query)
  return [
    `# ${titleOf(query)}`,
    definitionText(query),
    `${price}${required === '' ? '' : ` Required: ${required}.`}`,
    `GET ${base_url}${pathWith(apiPath(query), params)}`,
    '## Parameters',
    table(['Parameter', 'Meaning'], paramRows(query)),
    '## Fields of the answer',
    table(['Field', 'Unit', 'Meaning'], fieldRows(query)),
    ...(units.length > 0 ? [units.join('\n')] : []),
    '## An answer of invented data',
    `\`\`\`json\n${JSON.stringify(exampleOf(query), null, 2)}\n\`\`\``,
    '',
  ].join('\n\n')
}
