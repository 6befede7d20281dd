import { beforeAll, describe, expect, test } from 'vitest'
import { queries, queryId, requiredText, version } from '../../../engine/index.ts'
import { runCli } from '../../../engine/show/cli.ts'
import { sized } from '../../support/full-size.ts'
import { refreshed, sampleLake, temporaryFolder } from '../../support/given.ts'
import { samplePaths } from '../../support/http.ts'
import { type Host, stdioHost } from '../../support/mcp.ts'
import { zodWords } from '../../support/refusal-words.ts'
import { feedRow } from '../../support/rows.ts'
import { worldOf } from '../../support/worlds.ts'

/** Agents pay for each token of the list. */
const MAX_LIST_BYTES = 4608

let lake: string
let as_of: string
let host: Host

beforeAll(async () => {
  const sample = await sampleLake()
  lake = sample.lake
  as_of = sample.as_of.toISOString()
  host = await stdioHost(['--lake', lake], { SHELFMARK_AS_OF: as_of })
})

/** The answer on the command line. */
const cliAnswer = async (id: string, params: URLSearchParams): Promise<unknown> => {
  let stdout = ''
  const sink = (write: (chunk: unknown) => unknown) => ({ write, isTerminal: false, hasColours: false, columns: 80 })
  const terminal = {
    stdout: sink((chunk) => {
      stdout += chunk
    }),
    stderr: sink(() => {}),
    onInterrupt: () => () => {},
  }
  const options = [...params].map(([name, value]) => `--${name}=${value}`)
  await runCli([...id.split('/'), ...options, '--json', '--lake', lake], terminal, { as_of })
  return JSON.parse(stdout)
}

describe('a host over standard streams', () => {
  test('learns what the server is and does in few bytes', async () => {
    expect(host.client.getServerVersion()).toEqual({ name: 'shelfmark', version: version() })
    expect(host.client.getInstructions()).toContain('list_queries')
    const listed = await host.client.listTools()
    expect(listed.tools.map(({ name }) => name)).toEqual([
      'list_queries',
      'describe_query',
      'ask',
      'find_category',
      'coverage',
      'sql',
      'describe_tables',
    ])
    for (const { annotations } of listed.tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
    expect(JSON.stringify(listed).length).toBeLessThan(MAX_LIST_BYTES)
  })

  test('lists every query with its summary', async () => {
    const { structuredContent, content } = await host.call('list_queries')
    expect(structuredContent.queries).toEqual(
      queries.map((query) => ({
        query: queryId(query),
        summary: query.summary,
        required: requiredText(query),
        price_usd: 0,
      })),
    )
    expect(content[0]!.text.split('\n')).toContain(
      'analyst/inflation: Like-for-like price trend of a category. Required: category or department.',
    )
    const { structuredContent: analyst } = await host.call('list_queries', { group: 'analyst' })
    expect(analyst.queries).toHaveLength(queries.filter(({ group }) => group === 'analyst').length)
  })

  test.each(queries.map(queryId))('reads the definition of %s, in a tool and as a resource', async (id) => {
    const query = queries.find((candidate) => queryId(candidate) === id)!
    const { structuredContent } = await host.call('describe_query', { query: id, fields: ['all'] })
    expect(structuredContent).toMatchObject({ query: id, definition: query.definition })
    expect(Object.keys(structuredContent.params as object)).toEqual(Object.keys(query.params.shape))
    expect(JSON.stringify(structuredContent)).not.toContain('GET /v1')
    const { contents } = await host.client.readResource({ uri: `shelfmark://queries/${id}` })
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(structuredContent)
    const { structuredContent: brief } = await host.call('describe_query', { query: id })
    expect(JSON.stringify(brief).length).toBeLessThan(10_000)
  })

  test('finds the resources by listing and by completing their names', async () => {
    const { resources } = await host.client.listResources()
    const skills = ['shelfmark-shopping', 'shelfmark-analytics']
    expect(resources.map(({ name }) => name)).toEqual([...skills, ...queries.map(queryId)])
    for (const { uri, name, description } of resources.slice(0, skills.length)) {
      const [document] = (await host.client.readResource({ uri })).contents as { text: string }[]
      expect(document?.text).toMatch(`---\nname: ${name}\ndescription: ${description}\n---\n`)
      expect(document?.text).toContain('\n- public/')
    }
    const { resourceTemplates } = await host.client.listResourceTemplates()
    const uri = resourceTemplates[0]?.uriTemplate ?? ''
    const { completion } = await host.client.complete({
      ref: { type: 'ref/resource', uri },
      argument: { name: 'name', value: 'p' },
      context: { arguments: { group: 'analyst' } },
    })
    expect(completion.values).toEqual(['price-dispersion', 'price-index', 'price-setting', 'price-leadership'])
  })
})

describe('ask', () => {
  // Others are compared over MCP in test/api/any-country.test.ts.
  const some = samplePaths().filter((_, at) => at % sized(4, 1) === 0)
  test.each(some)('returns of $path with all fields what the command line prints', async ({ query, path }) => {
    const params = new URLSearchParams(path.split('?')[1])
    const { answer, rows } = await host.ask(queryId(query), Object.fromEntries(params), { fields: ['all'] })
    expect(answer).toEqual(await cliAnswer(queryId(query), params))
    expect(rows).toBeUndefined()
  })

  test('cuts tables and leaves deprecated fields out by default, and says so', async () => {
    const params = { category: 'coffee', days: 365 }
    const { answer: all } = await host.ask('analyst/inflation', params, { fields: ['all'] })
    const { content, structuredContent } = await host.call('ask', { query: 'analyst/inflation', params })
    const { answer, rows } = structuredContent as { answer: Record<string, unknown>; rows: unknown }
    const { time_series } = all as { time_series: unknown[] }
    expect(answer.time_series).toEqual(time_series.slice(-5))
    expect(rows).toMatchObject({ time_series: `last 5 of ${time_series.length}` })
    expect(answer).not.toHaveProperty('overall_change_pct')
    expect(answer.lfl_change_pct).toEqual((all as Record<string, unknown>).lfl_change_pct)
    expect(content).toHaveLength(1)
    const [{ text } = { text: '' }] = content
    expect(text).toMatch(/^analyst\/inflation: Coffee, United States, .*: like-for-like change [+-]?\d+\.\d\d%/)
    expect(text).toMatch(
      /\nMatched listings: \d+\.\n"coffee" was read as grocery\/beverages\/coffee\.\nNewest price: 2026/,
    )
    expect(text).toContain(`\n5 of 5 rows of time_series:\n| Period |`)
    expect(text.length).toBeLessThan(JSON.stringify(structuredContent).length)
  })

  test('returns the selected fields and rows', async () => {
    const { answer, rows } = await host.ask(
      'marketing/share-of-shelf',
      { category: 'coffee' },
      { fields: ['brands.brand', 'brands[].share_pct', 'meta'], limit: 2 },
    )
    const { brands, meta, ...others } = answer as { brands: object[]; meta: object }
    expect(others).toEqual({})
    expect(brands.map((brand) => Object.keys(brand))).toEqual([
      ['brand', 'share_pct'],
      ['brand', 'share_pct'],
    ])
    expect(meta).toHaveProperty('snapshot_id')
    expect(rows).toEqual({ brands: expect.stringMatching(/^2 of \d+$/) })
  })

  test('reads numbers, lists and null as parameters', async () => {
    const { answer } = await host.ask(
      'reference/classify',
      { q: ['coffee', 'laptop'], browse_id: null },
      { fields: ['all'] },
    )
    expect((answer as { results: unknown[] }).results).toHaveLength(2)
    const { answer: page } = await host.ask('public/brands', { limit: 3 })
    expect((page as { items: unknown[] }).items).toHaveLength(3)
  })
})

describe('a refusal', () => {
  const refusals: [what: string, args: Record<string, unknown>, code: string, message: RegExp][] = [
    ['an unknown query', { query: 'analyst/inflatoin' }, 'INVALID_PARAMS', /send one of analyst\/inflation, /],
    [
      'an unknown parameter',
      { query: 'public/stats', params: { shelf: 1 } },
      'INVALID_PARAMS',
      /^shelf: is not a parameter/,
    ],
    [
      'an invalid value',
      { query: 'public/brands', params: { limit: 0 } },
      'INVALID_PARAMS',
      /^limit: expected a whole number from 1/,
    ],
    [
      'a record as value',
      { query: 'public/brands', params: { limit: {} } },
      'INVALID_PARAMS',
      /^limit: expected text, a number/,
    ],
    [
      'an unknown field',
      { query: 'public/stats', fields: ['products.all'] },
      'INVALID_PARAMS',
      /send all or some of products\.unique, products\.listings$/,
    ],
    [
      'an unknown category',
      { query: 'analyst/inflation', params: { category: 'zzqq' } },
      'INVALID_PARAMS',
      /ask public\/categories lists them$/,
    ],
    [
      'an unknown retailer',
      { query: 'marketing/share-of-shelf', params: { category: 'coffee', retailer: 'none' } },
      'RETAILER_NOT_SERVING_ELIGIBLE',
      /none/,
    ],
  ]
  test.each(refusals)('of %s has its code and says what to send', async (_, args, code, message) => {
    const { isError, structuredContent, content } = await host.call('ask', args)
    expect(isError).toBe(true)
    expect(structuredContent.error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(content[0]).toMatchObject({ text: expect.stringContaining(code) })
  })

  const wrong: Record<string, unknown>[] = [
    {},
    { query: 1 },
    { query: 'public/stats', params: 1 },
    { query: 'public/stats', params: [] },
    { query: 'public/stats', fields: 'all' },
    { query: 'public/stats', fields: [1] },
    { query: 'public/stats', limit: 0 },
    { query: 'public/stats', limit: 1.5 },
    { query: 'public/stats', limit: '5' },
    { query: 'public/stats', limit: 1e9 },
    { query: 'public/stats', max_price: 'much' },
    { query: 'public/stats', max_price: -1 },
  ]
  test.each(wrong)('of the arguments %j says what to send', async (args) => {
    const { isError, content } = await host.call('ask', args)
    expect(isError).toBe(true)
    expect(content[0]?.text).not.toMatch(zodWords)
    expect(content[0]?.text).toMatch(/(query|params|fields|limit|max_price): expected /)
  })

  test('of arguments names those that are accepted', async () => {
    const { isError, content } = await host.call('ask', { query: 'analyst/inflation', category: 'coffee' })
    expect(isError).toBe(true)
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/unknown arguments category; accepted: query, params/),
    })
  })
})

test('find_category resolves a text as queries do, and otherwise names the nearest', async () => {
  const { structuredContent } = await host.call('find_category', { text: 'cofee' })
  const { answer } = await host.ask('marketing/share-of-shelf', { category: 'cofee' }, { fields: ['resolved'] })
  expect(structuredContent).toEqual((answer as { resolved: object }).resolved)
  const refused = await host.call('find_category', { text: 'zzqq' })
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_PARAMS' } } })
})

test('coverage lists retailers, shelves and the newest observation', async () => {
  const { structuredContent } = await host.call('coverage', { country: 'us', limit: 3 })
  expect(structuredContent).toMatchObject({
    newest_observed_at: expect.stringMatching(/^2026-11-20T/),
    shelves: { serving: expect.any(Number) },
    retailers: expect.arrayContaining(['kettlecart']),
  })
  expect(structuredContent.largest).toHaveLength(3)
})

test('a missing lake is reported with how to make one, and is used as soon as there is one', async () => {
  const lake = await temporaryFolder()
  const other = await stdioHost([], { SHELFMARK_LAKE: lake, SHELFMARK_AS_OF: as_of })
  const { code, message } = await other.refused('public/stats', {})
  expect(code).toBe('NOT_READY')
  expect(message).toMatch(/shelfmark-sample .* && shelfmark-refresh /)
  expect(other.errors()).toContain(message)
  const rows = worldOf(1).slice(0, 400).map(feedRow)
  await refreshed(lake, { observations: rows.slice(0, 300) })
  const observations = async () =>
    ((await other.ask('public/stats', {})).answer as { observations: object }).observations
  const first = await observations()
  await refreshed(lake, { observations: rows })
  await expect.poll(observations, { timeout: 30_000 }).not.toEqual(first)
})
