import type { FastifyInstance } from 'fastify'
import { groups } from '../engine/index.ts'
import { apiCatalog } from './contract/api-catalog.ts'
import { favicon, x402Resources } from './contract/discovery.ts'
import { documentedParams, llms } from './contract/llms.ts'
import { ofLake } from './contract/of-lake.ts'
import { type OpenapiOptions, openapi } from './contract/openapi.ts'
import { fitted } from './contract/openapi-size.ts'
import type { Config } from './ops/config.ts'
import type { Lake } from './ops/lake.ts'
import { acceptedNetworks, networksOf } from './ops/networks.ts'
import { inBaseUnits } from './ops/prices.ts'
import { exampleParams } from './pages/example-params.ts'
import { readLakeFacts } from './pages/lake-facts.ts'

const documentHeaders = { 'cache-control': 'public, max-age=300' }

type ServedDocument = readonly [type: string, write: (base_url: string) => string | Promise<string>]

/** Adds the documents that describe the service: the contract, as a whole and by group, and a guide for language models. */
export const addDocuments = (app: FastifyInstance, config: Config, lake: Lake): void => {
  const { contact, session_key, session_exposure } = config
  const terms = {
    accepted: acceptedNetworks(config),
    currency: networksOf(config).tempo.currency,
    max_session_amount: session_key ? inBaseUnits(session_exposure) : null,
  }

  const json = (write: ServedDocument[1]): ServedDocument => ['application/json; charset=utf-8', write]
  const contract = (options: Pick<OpenapiOptions, 'detail' | 'group'>): ServedDocument =>
    json((base_url) => {
      const document = openapi({ base_url, contact, terms, ...options })
      const isWhole = options.detail === 'full' && !options.group
      return JSON.stringify(ofLake(isWhole ? document : fitted(document), lake.engine()?.countries))
    })

  /** The guide, with examples that the lake can answer. */
  const guide = async (base_url: string): Promise<string> => {
    const engine = lake.engine()
    const facts = engine && (await readLakeFacts(engine).catch(() => null))
    return llms(base_url, terms, facts ? (query) => exampleParams(query, facts) : documentedParams)
  }

  const documents: Readonly<Record<string, ServedDocument>> = {
    '/openapi.json': contract({ detail: 'brief' }),
    '/openapi.full.json': contract({ detail: 'full' }),
    ...Object.fromEntries(groups.map((group) => [`/openapi/${group}.json`, contract({ detail: 'full', group })])),
    '/llms.txt': ['text/plain; charset=utf-8', guide],
    '/.well-known/api-catalog': [
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      apiCatalog,
    ],
    '/favicon.ico': ['image/svg+xml', favicon],
    ...(config.payments === 'off' ? {} : { '/.well-known/x402': json(x402Resources) }),
  }
  for (const [path, [type, write]] of Object.entries(documents)) {
    let body: string | undefined
    let of: string | null | undefined
    app.get(path, { exposeHeadRoute: true }, async (_, reply) => {
      const snapshot = lake.engine()?.manifest.snapshot_id
      if (of !== snapshot || body === undefined) body = await write(config.base_url ?? app.listeningOrigin)
      of = snapshot
      return reply.headers({ ...documentHeaders, 'content-type': type }).send(body)
    })
  }
}
