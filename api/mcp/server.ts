import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answerLines, giveWay, groups, queries, queryId, version } from '../../engine/index.ts'
import type { CallContext, QueryClient } from './client.ts'
import { describeQuery, listQueries, paramLines, queryLine } from './description.ts'
import { ALL_FIELDS, DEFAULT_ROWS } from './excerpt.ts'
import { addPlotView, plotMeta, WITH_PLOT } from './plot-view.ts'
import { resultLine } from './result-line.ts'
import { errorResult, READ_ONLY, resultOf } from './results.ts'
import { addSkills } from './skills.ts'
import { addSqlTools } from './sql.ts'
import { ask, completions, coverage, coverageLines, queryOf } from './tools.ts'

const INSTRUCTIONS =
  'Retail prices observed by country, as statistics with definitions. Choose a query with list_queries, which names what ' +
  'each needs, read ' +
  'further parameters with describe_query, then ask. Resolve vague category names with find_category. Errors say what to ' +
  'send instead.'

/** What is the same for every client while a server runs. */
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const CACHE_HINTS = {
  'server/discover': HOUR,
  'tools/list': HOUR,
  'resources/list': HOUR,
  'resources/templates/list': HOUR,
}

const query = z.string('query: expected a name such as analyst/inflation').describe('Such as analyst/inflation')
const group = z.enum(groups, `group: expected one of ${groups.join(', ')}`)
const country = z
  .string('country: expected a code such as us')
  .describe('Code of a country of the lake, such as us or ca')
const limit = z
  .int('limit: expected a whole number')
  .min(1, 'limit: expected at least 1')
  .max(1000, 'limit: expected at most 1000')

const fields = z.array(z.string('fields: expected paths'), 'fields: expected a list of paths').optional()

/** Refuses unknown arguments: a query's own parameters go in `params`. */
const args = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown arguments ${issue.keys.join(', ')}; accepted: ${Object.keys(shape).join(', ')}`
        : undefined,
  })

const inputs = {
  list: args({ group: group.optional() }),
  describe: args({ query, fields: fields.describe('Tables whose columns to describe; ["all"]: everything') }),
  ask: args({
    query,
    params: z
      .record(z.string(), z.unknown(), 'params: expected an object')
      .optional()
      .describe('As describe_query lists them'),
    fields: fields.describe('Paths to return, such as time_series.avg_price; ["all"]: everything'),
    limit: limit.optional().describe(`Rows of each table, default ${DEFAULT_ROWS}`),
    max_price: z
      .number('max_price: expected dollars, such as 0.02')
      .min(0, 'max_price: expected at least 0')
      .optional()
      .describe('Dollars this call may cost'),
  }),
  find: args({
    text: z
      .string('text: expected a category, such as coffee')
      .min(1, 'text: expected a category, such as coffee')
      .max(200, 'text: expected at most 200 characters'),
    department: z
      .string('department: expected text')
      .min(1, 'department: expected text')
      .max(200, 'department: expected at most 200 characters')
      .optional(),
    country: country.optional(),
  }),
  coverage: args({
    country: country.optional(),
    retailer: z.string('retailer: expected text').optional(),
    limit: limit.optional(),
  }),
}

/** Loose, since the content of errors is checked too. */
const answerSchema = z.looseObject({
  query: z.string().optional(),
  answer: z.record(z.string(), z.unknown()).optional(),
  rows: z.record(z.string(), z.string()).optional().describe('Tables that were cut: "5 of 400"'),
  paid: z.record(z.string(), z.unknown()).optional(),
})

/**
 * A server of the Model Context Protocol over a client, not yet connected. `log` receives unexpected errors.
 */
export const createServer = (client: QueryClient, log: (error: unknown) => void): McpServer => {
  const server = new McpServer(
    { name: 'shelfmark', version: version() },
    { instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS },
  )
  const contextOf = ({ mcpReq: { signal, _meta: meta } }: ServerContext): CallContext => ({ signal, meta })
  /** What the client can do: said with each request of 2026-07-28, before that with the first message of a connection. */
  const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext): ClientCapabilities | undefined =>
    envelope
      ? (envelope as Record<string, ClientCapabilities>)[CLIENT_CAPABILITIES_META_KEY]
      : server.server.getClientCapabilities()
  const answered = (work: () => Promise<CallToolResult>): Promise<CallToolResult> =>
    work().catch((error) => errorResult(error, log))

  server.registerTool(
    'list_queries',
    {
      description: 'All queries, one line each, with required parameters and prices',
      inputSchema: inputs.list,
      annotations: READ_ONLY,
    },
    async ({ group }) => {
      const listed = listQueries(client, group)
      return resultOf(listed.map(queryLine), { queries: listed })
    },
  )

  server.registerTool(
    'describe_query',
    {
      description: 'Definition, parameters, and fields with units of a query',
      inputSchema: inputs.describe,
      annotations: READ_ONLY,
    },
    ({ query, fields }) =>
      answered(async () => {
        const described = describeQuery(client, queryOf(query), fields)
        return resultOf([`${described.query}: ${described.summary}`, ...paramLines(described.params)], described)
      }),
  )

  server.registerTool(
    'ask',
    {
      description: 'Answers a query. Tables are cut to limit rows; choose fields to keep answers small',
      inputSchema: inputs.ask,
      outputSchema: answerSchema,
      annotations: { ...READ_ONLY, openWorldHint: true },
      _meta: WITH_PLOT,
    },
    ({ max_price, ...given }, extra) =>
      answered(async () => {
        const limits = max_price === undefined ? {} : { max_price: Math.floor(max_price * 1e6 + 1e-6) }
        const { result, meta, answer } = await ask(client, given, { ...contextOf(extra), ...limits })
        const query = queryOf(given.query)
        await giveWay()
        const plot = await plotMeta(client, capabilitiesOf(extra), query, answer)
        return resultOf([resultLine(query, result), ...answerLines(query, result.answer)], result, { ...meta, ...plot })
      }),
  )

  server.registerTool(
    'find_category',
    {
      description: 'Category path for a name, with confidence and alternates',
      inputSchema: inputs.find,
      annotations: READ_ONLY,
    },
    ({ text: category, department, country = '' }, extra) =>
      answered(async () => {
        const category_match = await client.findCategory({ category, department, country }, contextOf(extra))
        return resultOf(
          [`${category}: ${category_match.category_path} (${category_match.match_confidence})`],
          category_match,
        )
      }),
  )

  server.registerTool(
    'coverage',
    {
      description: 'What data there are and how fresh: retailers, departments, newest observation',
      inputSchema: inputs.coverage,
      annotations: READ_ONLY,
    },
    ({ limit = DEFAULT_ROWS, ...filters }, extra) =>
      answered(async () => {
        const covered = await coverage(client, { ...filters, limit }, contextOf(extra))
        return resultOf(coverageLines(covered), covered)
      }),
  )

  if (client.readRows) addSqlTools(server, client.readRows, answered)

  addSkills(server)
  addPlotView(server)

  const template = new ResourceTemplate('shelfmark://queries/{group}/{name}', {
    list: () => ({
      resources: queries.map((each) => ({
        uri: `shelfmark://queries/${queryId(each)}`,
        name: queryId(each),
        description: each.summary,
        mimeType: 'application/json',
      })),
    }),
    complete: {
      group: completions.group,
      name: (start, context) => completions.name(start, context?.arguments?.group),
    },
  })
  server.registerResource(
    'query',
    template,
    { description: 'Definition, parameters and fields of a query', mimeType: 'application/json' },
    ({ href }, { group, name }) => {
      const described = describeQuery(client, queryOf(`${group}/${name}`), [ALL_FIELDS])
      return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(described) }] }
    },
  )
  return server
}
