import { type AnyQuery, groups, invalidParam, queries, queryId } from '../../engine/index.ts'
import type { Answered, CallContext, QueryClient, TextParams } from './client.ts'
import { checkFields, excerptOf } from './excerpt.ts'

/** The query of an id. Throws INVALID_PARAMS with those that there are. */
export const queryOf = (id: string): AnyQuery => {
  const name = id.trim().replace(/^\/?(v1\/)?/, '')
  const query = queries.find((query) => queryId(query) === name || query.name === name)
  if (query) return query
  const [group] = name.split('/')
  const near = queries.filter((query) => query.group === group)
  const accepted = (near.length > 0 ? near : queries).map(queryId)
  throw invalidParam('query', `no query ${id}; send one of ${accepted.join(', ')}`, { accepted })
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const paramText = (name: string, value: unknown): string => {
  if (isPlain(value)) return String(value)
  if (Array.isArray(value) && value.every(isPlain)) return value.join(',')
  throw invalidParam(name, 'expected text, a number, true, false, or a list of these')
}

/** Parameters as text, as they are read from an address. A list is joined with commas; null counts as absent. */
export const textParams = (params: Readonly<Record<string, unknown>>): TextParams =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === null ? [] : [[name, paramText(name, value)]])),
  )

export type AskArguments = {
  query: string
  params?: Record<string, unknown> | undefined
  fields?: readonly string[] | undefined
  limit?: number | undefined
}

/** Answers a query with the part of its answer that was selected. */
export const ask = async (
  client: QueryClient,
  { query: id, params = {}, fields, limit }: AskArguments,
  context: CallContext,
) => {
  const query = queryOf(id)
  checkFields(query, fields)
  const { answer, paid, meta } = await client.ask(query, textParams(params), context)
  const { rows, ...excerpt } = excerptOf(query, answer, { fields, limit })
  const result = {
    query: queryId(query),
    ...excerpt,
    ...(Object.keys(rows).length > 0 ? { rows } : {}),
    ...(paid ? { paid } : {}),
  }
  return { result, meta, answer }
}

type ServedShelf = {
  platform: string
  country: string
  category_root: string
  quality_status: string
  priced_product_count: number
  last_observed_at: string | null
}

const CELLS = 1000

const answerTo = async (client: QueryClient, id: string, params: TextParams, context: CallContext): Promise<Answered> =>
  client.ask(queryOf(id), params, context)

/** What data there are: the size of the catalogue, its newest observation and its shelves by status. */
export const coverage = async (
  client: QueryClient,
  { limit, ...filters }: { country?: string | undefined; retailer?: string | undefined; limit: number },
  context: CallContext,
) => {
  const { country, retailer: platform } = filters
  const given = { limit: String(CELLS), ...(country ? { country } : {}), ...(platform ? { platform } : {}) }
  const [stats, cells] = await Promise.all([
    answerTo(client, 'public/stats', {}, context),
    answerTo(client, 'public/coverage', given, context),
  ])
  const items = cells.answer.items as ServedShelf[]
  const times = items.flatMap(({ last_observed_at }) => last_observed_at ?? [])
  const statuses = [...new Set(items.map(({ quality_status }) => quality_status))]
  return {
    catalogue: stats.answer,
    newest_observed_at: times.toSorted().at(-1) ?? null,
    shelves: Object.fromEntries(
      statuses.map((status) => [status, items.filter(({ quality_status }) => quality_status === status).length]),
    ),
    retailers: [...new Set(items.map(({ platform }) => platform))],
    departments: [...new Set(items.map(({ category_root }) => category_root))],
    largest: items
      .toSorted((a, b) => b.priced_product_count - a.priced_product_count)
      .slice(0, limit)
      .map(({ platform, country, category_root, quality_status, priced_product_count, last_observed_at }) => ({
        retailer: platform,
        country,
        department: category_root,
        status: quality_status,
        listings: priced_product_count,
        last_observed_at,
      })),
  }
}

/** Coverage in short. */
export const coverageLines = ({ newest_observed_at, retailers, departments }: Awaited<ReturnType<typeof coverage>>) => [
  `Newest observation: ${newest_observed_at ?? 'none'}.`,
  `Retailers: ${retailers.join(', ')}.`,
  `Departments: ${departments.join(', ')}.`,
]

/** Names for the completion of resource addresses. */
export const completions = {
  group: (start: string): string[] => groups.filter((group) => group.startsWith(start)),
  name: (start: string, group: string | undefined): string[] =>
    queries.flatMap((query) =>
      (group === undefined || query.group === group) && query.name.startsWith(start) ? [query.name] : [],
    ),
}
