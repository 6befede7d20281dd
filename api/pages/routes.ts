import { STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DrawingThread, findQuery, queries } from '../../engine/index.ts'
import type { Admission } from '../http/admission.ts'
import { commonHeaders, matchesEtag } from '../http/headers.ts'
import { createRateLimit } from '../http/limits.ts'
import { refusalOf } from '../http/problem.ts'
import { pathOf, refuse } from '../http/refuse.ts'
import type { Config } from '../ops/config.ts'
import type { Lake } from '../ops/lake.ts'
import type { Payments } from '../payment/payments.ts'
import { readAssets } from './assets.ts'
import { coveragePage } from './coverage-page.ts'
import { createExamples, type Example } from './examples.ts'
import { featured, homePage } from './home-page.ts'
import { wantsPage } from './page-headers.ts'
import { pricesPage } from './prices-page.ts'
import { addQueryFiles } from './query-files.ts'
import { addQueryPages } from './query-routes.ts'
import { referencePage } from './reference-page.ts'
import { createPageSender } from './sender.ts'
import { refusalPage } from './simple-pages.ts'
import { siteOf } from './site.ts'
import { startPage } from './start-page.ts'
import { statistics, statisticsPage } from './statistics-page.ts'

export type PagesOptions = {
  lake: Lake
  config: Config
  admission: Admission
  payments: Payments | null
  drawing: DrawingThread
}

/** A form counts as this many requests. */
const FORM_COST = 10

const IMMUTABLE = 'public, max-age=31536000, immutable'
const SHORT = 'public, max-age=300'

/** The first requests after the start come before examples that nobody has opened. */
const WARM_AFTER_MS = 10_000

/** Pages with parameters are for people: a crawler would send every form. */
const ROBOTS = 'User-agent: *\nDisallow: /v1/\nDisallow: /*?\n'

const pending: Example = { params: {}, state: 'pending' }

/** Whether a refusal is of a page: the interface, under /v1, always answers JSON. */
const isOfPage = (request: FastifyRequest): boolean =>
  !pathOf(request).startsWith('/v1/') && wantsPage(request.headers.accept)

/** The pages of the service for people, made from the list of queries. */
export const createPages = ({ lake, config, admission, payments, drawing }: PagesOptions) => {
  const assets = readAssets()
  const asset = (path: string): string => `${path}?v=${assets.get(path)?.hash ?? ''}`
  const { timeout_ms } = config
  const perForm = (requests: number) => Math.max(1, requests / FORM_COST)
  const takeToken = createRateLimit({ rate: perForm(config.rate), burst: perForm(config.burst) }, 'form')
  const originOf = ({ listeningOrigin }: FastifyInstance): string => config.base_url ?? listeningOrigin
  const examples = createExamples({ lake, admission, drawing, timeout_ms })
  const send = createPageSender(examples, asset, originOf)
  const coverage = findQuery('public', 'coverage')

  const addAssets = (app: FastifyInstance): void => {
    for (const [path, { type, body, hash }] of assets)
      app.get(path, { exposeHeadRoute: true }, (request, reply) => {
        const isVersioned = request.url.endsWith(`?v=${hash}`)
        reply.headers({ 'content-type': type, etag: `W/"${hash}"`, 'cache-control': isVersioned ? IMMUTABLE : SHORT })
        if (matchesEtag(request.headers['if-none-match'], hash, true)) return reply.code(304).send()
        return reply.send(body)
      })
    app.get('/robots.txt', { exposeHeadRoute: true }, (_, reply) =>
      reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': SHORT }).send(ROBOTS),
    )
  }

  const addRoutes = (app: FastifyInstance): void => {
    const site = () => siteOf(config, originOf(app))
    app.get('/', { exposeHeadRoute: true }, async (request, reply) => {
      if (!wantsPage(request.headers.accept)) {
        const { base_url } = site()
        const documents = {
          openapi: `${base_url}/openapi.json`,
          full: `${base_url}/openapi.full.json`,
          guide: `${base_url}/llms.txt`,
        }
        return reply
          .headers({ 'cache-control': SHORT, vary: 'accept-encoding, accept' })
          .send({ name: 'Shelfmark', documents })
      }
      const example = await examples.of(featured)
      return send.shared(request, reply, example.state, (facts) => homePage(facts, example, site()))
    })
    app.get('/prices', { exposeHeadRoute: true }, (request, reply) =>
      send.shared(request, reply, '', (facts) => pricesPage(facts, site())),
    )
    app.get('/start', { exposeHeadRoute: true }, (request, reply) =>
      send.shared(request, reply, '', (facts) => startPage(facts, site())),
    )
    app.get('/coverage', { exposeHeadRoute: true }, async (request, reply) => {
      const example = coverage ? await examples.of(coverage) : pending
      return send.shared(request, reply, example.state, (facts) => coveragePage(facts, example))
    })
    app.get('/statistics', { exposeHeadRoute: true }, async (request, reply) => {
      const byQuery = new Map(
        await Promise.all(statistics.map(async (query) => [query, await examples.of(query)] as const)),
      )
      const states = [...byQuery.values()].map(({ state }) => state)
      const state = states.includes('pending') ? 'pending' : states.join()
      return send.shared(request, reply, state, (facts) =>
        statisticsPage(facts, (query) => byQuery.get(query) ?? pending, site()),
      )
    })
    app.get('/reference', { exposeHeadRoute: true }, (request, reply) =>
      send.shared(request, reply, '', (facts) => referencePage(facts, site())),
    )
    const shared = { lake, admission, examples, drawing, site, takeToken, timeout_ms }
    addQueryPages(app, { ...shared, send, wallet: payments?.wallet ?? null })
    addQueryFiles(app, { ...shared, styles: asset('/shelfmark.css') })
  }

  return {
    /** Adds the pages and the files that they load. */
    add(app: FastifyInstance): void {
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
        done(null, body),
      )
      addAssets(app)
      addRoutes(app)
    },
    /** Computes the example of the first page, and later those of the others. */
    async warm(): Promise<void> {
      await examples.warm([featured])
      setTimeout(() => void examples.warm(queries), WARM_AFTER_MS).unref()
    },
    /** Answers a thrown value: a browser gets a page, unless it is of the interface. */
    async refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (!isOfPage(request)) return refuse(thrown, request, reply)
      const { status, code, message, headers } = refusalOf(thrown)
      if (code === 'INTERNAL_ERROR') request.log.error({ err: thrown }, 'fault')
      const page = refusalPage(
        (await examples.facts().catch(() => null))?.facts ?? null,
        status,
        STATUS_CODES[status] ?? code,
        message,
      )
      reply
        .code(status)
        .removeHeader('etag')
        .headers({ ...commonHeaders, ...headers })
      return send.single(page, reply)
    },
  }
}
