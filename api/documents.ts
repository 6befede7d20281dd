import type { FastifyInstance } from 'fastify'
import { type AnyQuery, findQuery, giveWay, groups, queries } from '../engine/index.ts'
import { apiCatalog } from './contract/api-catalog.ts'
import { favicon, x402Resources } from './contract/discovery.ts'
import { documentedParams, llms } from './contract/llms.ts'
import { ofLake } from './contract/of-lake.ts'
import { type OpenapiOptions, openapi } from './contract/openapi.ts'
import type { Terms } from './contract/openapi-payment.ts'
import { answerSchemas, type Detail, readSchemas } from './contract/openapi-schemas.ts'
import { fitted } from './contract/openapi-size.ts'
import { queryMarkdown } from './contract/query-markdown.ts'
import { SKILL_INDEX, skillDocuments, skillIndex } from './contract/skills.ts'
import type { Config } from './ops/config.ts'
import type { Lake } from './ops/lake.ts'
import { acceptedNetworks, networksOf } from './ops/networks.ts'
import { inBaseUnits } from './ops/prices.ts'
import { pagePath } from './pages/calls.ts'
import { exampleParams } from './pages/example-params.ts'
import { readLakeFacts } from './pages/lake-facts.ts'
import { wantsMarkdown } from './pages/page-headers.ts'
import { statisticsMarkdown } from './pages/statistics-page.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'
const documentHeaders = { 'cache-control': 'public, max-age=300' }

type ServedDocument = readonly [type: string, write: (base_url: string) => string | Promise<string>]

const termsOf = (config: Config): Terms => ({
  accepted: acceptedNetworks(config),
  currency: networksOf(config).tempo.currency,
  max_session_amount: config.session_key ? inBaseUnits(config.session_exposure) : null,
})

/** Writes a document once for each snapshot. */
const keptPerSnapshot = (lake: Lake, write: ServedDocument[1]) => {
  let body: string | undefined
  let of: string | null | undefined
  return async (base_url: string): Promise<string> => {
    const snapshot = lake.engine()?.manifest.snapshot_id
    if (of !== snapshot || body === undefined) body = await write(base_url)
    of = snapshot
    return body
  }
}

/** The guide and the pages of queries as Markdown, with examples that the lake can answer. */
const createGuides = (config: Config, lake: Lake) => {
  const readFacts = async () => {
    const engine = lake.engine()
    return engine ? readLakeFacts(engine).catch(() => null) : null
  }
  const paramsOf = async () => {
    const facts = await readFacts()
    return facts ? (query: AnyQuery) => exampleParams(query, facts) : documentedParams
  }
  return {
    guide: async (base_url: string) => llms(base_url, termsOf(config), await paramsOf()),
    skills: {
      [SKILL_INDEX]: async (base_url: string) => skillIndex(base_url, termsOf(config), await paramsOf()),
      ...Object.fromEntries(
        skillDocuments(termsOf(config)).map(([path, write]) => [
          path,
          async (base_url: string) => write(base_url, await paramsOf()),
        ]),
      ),
    },
    statistics: async (base_url: string) => statisticsMarkdown(base_url, await readFacts(), await paramsOf()),
    ofQuery: (query: AnyQuery) => async (base_url: string) => queryMarkdown(query, base_url, (await paramsOf())(query)),
  }
}

/** Answers those who prefer Markdown to pages: of each query and of what they mean its own, of coverage that of its query, of others the guide. */
export const addMarkdownPages = (app: FastifyInstance, config: Config, lake: Lake): void => {
  const { guide, statistics, ofQuery } = createGuides(config, lake)
  const keptGuide = keptPerSnapshot(lake, guide)
  const pages = new Map<string, (base_url: string) => Promise<string>>([
    ...['/', '/start', '/prices', '/reference'].map((path) => [path, keptGuide] as const),
    ['/coverage', keptPerSnapshot(lake, ofQuery(findQuery('public', 'coverage')!))],
    ['/statistics', keptPerSnapshot(lake, statistics)],
    ...queries.map((query) => [pagePath(query), keptPerSnapshot(lake, ofQuery(query))] as const),
  ])
  app.addHook('onRequest', async (request, reply) => {
    const write = request.method === 'GET' && wantsMarkdown(request.headers.accept) && pages.get(request.url)
    if (!write) return
    const body = await write(config.base_url ?? app.listeningOrigin)
    return reply.headers({ ...documentHeaders, 'content-type': MARKDOWN, vary: 'accept-encoding, accept' }).send(body)
  })
}

/** Adds the documents that describe the service: the contract, as a whole and by group, and a guide for language models. */
export const addDocuments = (app: FastifyInstance, config: Config, lake: Lake): void => {
  const { contact } = config
  const terms = termsOf(config)
  const { guide, skills } = createGuides(config, lake)

  const json = (write: ServedDocument[1]): ServedDocument => ['application/json; charset=utf-8', write]
  const contract = (options: Pick<OpenapiOptions, 'group'> & { detail: Detail }): ServedDocument =>
    json(async (base_url) => {
      await giveWay()
      readSchemas()
      await giveWay()
      answerSchemas(options.detail)
      await giveWay()
      const whole = openapi({ base_url, contact, terms, ...options })
      await giveWay()
      const document = options.detail === 'full' && !options.group ? whole : fitted(whole)
      await giveWay()
      return JSON.stringify(ofLake(document, lake.engine()?.countries))
    })

  const documents: Readonly<Record<string, ServedDocument>> = {
    '/openapi.json': contract({ detail: 'brief' }),
    '/openapi.full.json': contract({ detail: 'full' }),
    ...Object.fromEntries(groups.map((group) => [`/openapi/${group}.json`, contract({ detail: 'full', group })])),
    '/llms.txt': ['text/plain; charset=utf-8', guide],
    ...Object.fromEntries(
      Object.entries(skills).map(([path, write]) => [path, path === SKILL_INDEX ? json(write) : [MARKDOWN, write]]),
    ),
    '/.well-known/api-catalog': [
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      apiCatalog,
    ],
    '/favicon.ico': ['image/svg+xml', favicon],
    ...(config.payments === 'off' ? {} : { '/.well-known/x402': json(x402Resources) }),
  }
  for (const [path, [type, write]] of Object.entries(documents)) {
    const text = keptPerSnapshot(lake, write)
    app.get(path, { exposeHeadRoute: true }, async (_, reply) => {
      const body = await text(config.base_url ?? app.listeningOrigin)
      return reply.headers({ ...documentHeaders, 'content-type': type }).send(body)
    })
  }
}
