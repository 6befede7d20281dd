import { z } from 'zod'
import {
  type AnyQuery,
  capitalised,
  definitionParts,
  type Group,
  groups,
  queries,
  tableNames,
  units,
} from '../../engine/index.ts'
import { apiPath } from '../http/address.ts'
import { tableTypes } from '../http/format.ts'
import { protocolsOf } from '../ops/networks.ts'
import { exampleOf } from './openapi-examples.ts'
import {
  type HeaderName,
  headersOf,
  refusalResponses,
  refusalSchemas,
  refusalsOf,
  response,
  type Schema,
} from './openapi-parts.ts'
import { allTerms, guidance, paymentInfo, serviceInfo, serviceLevels, type Terms } from './openapi-payment.ts'
import { answerSchemas, type Detail, parametersOf } from './openapi-schemas.ts'
import { servicePaths, serviceTag } from './openapi-service.ts'
import { withoutUnused } from './openapi-size.ts'

/** What the queries of each group are about. */
export const groupTags: Record<Group, string> = {
  public: 'Free lists of what the catalogue contains.',
  shopper: 'Best price, deals, price drops and history of products.',
  marketing: 'Share of shelf, brands, promotions and competitors.',
  analyst: 'Price trends, dispersion, retailer levels and category figures.',
  social: 'Momentum of brands and topics in social posts.',
  reference: 'Marketplace browse nodes and phrases as GS1 GPC product types.',
}

/** Collects parameters, so that each is defined once, however many operations take it. */
const shareParameters = () => {
  const names = new Map<string, string>()
  const shared: Record<string, Schema> = {}
  const nameOf = (parameter: Schema): string => {
    const text = JSON.stringify(parameter)
    const existing = names.get(text)
    if (existing) return existing
    const variants = Object.keys(shared).filter((name) => name.replace(/_\d+$/, '') === parameter.name).length
    const name = variants === 0 ? String(parameter.name) : `${parameter.name}_${variants + 1}`
    names.set(text, name)
    shared[name] = parameter
    return name
  }
  const refer = (parameter: Schema): Schema => ({ $ref: `#/components/parameters/${nameOf(parameter)}` })
  return { refer, shared }
}

/** Headers of an answer, in the full document only. */
const answerHeadersOf = ({ group }: AnyQuery): HeaderName[] => [
  ...(group === 'reference' ? (['X-GPC-Release', 'X-Map-Version'] as const) : []),
  'X-Data-Freshness-Hours',
  'X-Snapshot-Fallback',
]

/** `price-drop-alert` as a title: Price drop alert. */
export const titleOf = ({ name }: AnyQuery): string => capitalised(name.replaceAll('-', ' '))

/** The definition of a query as CommonMark. */
export const definitionText = ({ summary, definition }: AnyQuery): string =>
  [`${summary}.`, ...definitionParts(definition).map(([name, texts]) => `**${name}.** ${texts.join(' ')}`)].join('\n\n')

/** A table of an answer in other media types, by Accept; in the full document only. */
const tableContent: Schema = {
  [tableTypes.csv]: { schema: { type: 'string' } },
  [tableTypes.arrow]: {},
  [tableTypes.parquet]: {},
}
const tableParameter = (query: AnyQuery): Schema => ({
  name: 'table',
  in: 'query',
  description: 'Table to send where Accept selects CSV, Arrow or Parquet. Default the first list that the answer has.',
  schema: { type: 'string', enum: tableNames(query) },
})

type OperationContext = { detail: Detail; terms: Terms; refer(parameter: Schema): Schema }

const operation = (query: AnyQuery, { detail, terms, refer }: OperationContext): Schema => ({
  operationId: `${query.group}-${query.name}`,
  tags: [query.group],
  summary: titleOf(query),
  description: detail === 'full' ? definitionText(query) : query.summary,
  security: [],
  ...paymentInfo(query.group, terms),
  ...serviceLevels(query),
  parameters: [...parametersOf(query, detail), ...(detail === 'full' ? [tableParameter(query)] : [])].map(refer),
  responses: {
    200: response('Answer', {
      type: 'application/json',
      schema: String(z.globalRegistry.get(query.answer)?.id),
      ...(detail === 'full'
        ? { headers: answerHeadersOf(query), example: exampleOf(query), others: tableContent }
        : {}),
    }),
    ...refusalsOf(query.group),
  },
})

export type OpenapiOptions = {
  base_url: string
  contact?: string | undefined
  terms?: Terms
  detail?: Detail
  /** The only group of the document; without it all groups, the quote and the batch. */
  group?: Group | undefined
}

const unitText = Object.entries(units).map(([unit, meaning]) => `- \`${unit}\`: ${meaning}`)

const descriptions: Record<Detail, string> = {
  brief:
    'Types and prices. Definitions, units and examples: /openapi.full.json, or of one group /openapi/GROUP.json, such as ' +
    '/openapi/shopper.json.',
  full: [
    'Every query with its definition, and every field with its meaning, unit (x-unit) and whether it is the figure ' +
      'to quote (x-headline). Types and prices only: /openapi.json.',
    `Units:\n\n${unitText.join('\n')}`,
    'Examples are of invented data; their lists are cut to two entries.',
  ].join('\n\n'),
}

/** The contract document, made from the same schemas that validate requests and answers. */
export const openapi = (options: OpenapiOptions): Schema => {
  const { base_url, contact, terms = allTerms, detail = 'brief', group } = options
  const { refer, shared } = shareParameters()
  const writer = { detail, terms, refer }
  const isFull = detail === 'full'
  const listed: readonly Group[] = group ? [group] : groups
  const members = queries.filter((query) => listed.includes(query.group))
  const paths = members.map((query) => [apiPath(query), { get: operation(query, writer) }])
  const tags = listed.map((name) => ({ name, description: groupTags[name] }))
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: 'Shelfmark',
      version: '1.0.0',
      summary: 'Retail price analytics, by country',
      description: descriptions[detail],
      contact: { name: 'Shelfmark', url: base_url, ...(contact ? { email: contact } : {}) },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': guidance(terms),
    },
    'x-service-info': serviceInfo,
    servers: [{ url: base_url }],
    tags: group ? tags : [...tags, serviceTag],
    paths: { ...Object.fromEntries(paths), ...(group ? {} : servicePaths(detail, terms)) },
    components: {
      schemas: { ...answerSchemas(detail), ...refusalSchemas(isFull) },
      parameters: shared,
      responses: refusalResponses(groups, protocolsOf(terms.accepted), isFull),
      headers: headersOf(protocolsOf(terms.accepted), isFull),
    },
  })
}
