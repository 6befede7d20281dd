import { z } from 'zod'
import { type AnyQuery, type Group, groups, queries, units } from '../engine/index.ts'
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
import { guidance, paymentInfo, serviceInfo, serviceLevels, type Terms } from './openapi-payment.ts'
import { answerSchemas, type Detail, parametersOf } from './openapi-schemas.ts'
import { networkNames, protocolsOf, testnets } from './payment/networks.ts'

const groupTags: Record<Group, string> = {
  public: 'Free lists of what the catalogue holds.',
  shopper: 'Best price, deals, price drops and history of products.',
  marketing: 'Share of shelf, brands, promotions and competitors.',
  analyst: 'Price trends, dispersion, retailer levels and category figures.',
  social: 'Momentum of brands and topics in social posts.',
  reference: 'Marketplace browse nodes and phrases as GS1 GPC product types.',
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

/** Headers of an answer, in the full document alone: the other is to stay under 64 KiB. */
const answerHeadersOf = ({ group }: AnyQuery): HeaderName[] => [
  ...(group === 'reference' ? (['X-GPC-Release', 'X-Map-Version'] as const) : []),
  'X-Data-Freshness-Hours',
  'X-Snapshot-Fallback',
]

/** `price-drop-alert` as a title: Price drop alert. */
const titleOf = ({ name }: AnyQuery): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('-', ' ')

/** The definition of a query as CommonMark. */
const definitionText = ({ summary, definition }: AnyQuery): string =>
  [
    `${summary}.`,
    `**Population.** ${definition.population}`,
    `**Formula.** ${definition.formula}`,
    `**Null.** ${definition.null_rule}`,
    `**Sources.** ${definition.sources.join(' ')}`,
  ].join('\n\n')

type Writer = { detail: Detail; terms: Terms; refer(parameter: Schema): Schema }

const operation = (query: AnyQuery, { detail, terms, refer }: Writer): Schema => ({
  operationId: `${query.group}-${query.name}`,
  tags: [query.group],
  summary: titleOf(query),
  description: detail === 'full' ? definitionText(query) : query.summary,
  security: [],
  ...paymentInfo(query.group, terms),
  ...serviceLevels(query),
  parameters: parametersOf(query, detail).map(refer),
  responses: {
    200: response('Answer', {
      type: 'application/json',
      schema: String(z.globalRegistry.get(query.answer)?.id),
      ...(detail === 'full' ? { headers: answerHeadersOf(query), example: exampleOf(query) } : {}),
    }),
    ...refusalsOf(query.group),
  },
})

export type OpenapiOptions = {
  base_url: string
  contact?: string | undefined
  terms?: Terms
  detail?: Detail
}

const allTerms: Terms = { accepted: networkNames, currency: testnets.tempo.currency }

const unitText = Object.entries(units).map(([unit, meaning]) => `- \`${unit}\`: ${meaning}`)

const about: Record<Detail, string> = {
  brief: 'Types and prices. Definitions, units and examples: /openapi.full.json.',
  full: [
    'Everything about every query: its definition, and of each field meaning, unit (x-unit) and whether it is the figure ' +
      'to quote (x-headline). The same in short, types and prices alone: /openapi.json.',
    `Units:\n\n${unitText.join('\n')}`,
    'Examples are of invented data; their lists are cut to two entries.',
  ].join('\n\n'),
}

/** The contract document, made from the same schemas that validate requests and answers. */
export const openapi = ({ base_url, contact, terms = allTerms, detail = 'brief' }: OpenapiOptions): Schema => {
  const { refer, shared } = shareParameters()
  const writer = { detail, terms, refer }
  const paths = queries.map((query) => [`/v1/${query.group}/${query.name}`, { get: operation(query, writer) }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfmark',
      version: '1.0.0',
      summary: 'Retail price analytics for the US and Canada',
      description: about[detail],
      contact: { name: 'Shelfmark', url: base_url, ...(contact ? { email: contact } : {}) },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': guidance(terms),
    },
    'x-service-info': serviceInfo,
    servers: [{ url: base_url }],
    tags: Object.entries(groupTags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...answerSchemas(detail), ...refusalSchemas },
      parameters: shared,
      responses: refusalResponses(groups, protocolsOf(terms.accepted)),
      headers: headersOf(protocolsOf(terms.accepted), detail === 'full'),
    },
  }
}
