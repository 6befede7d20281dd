import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, formatTable, mainTable, type Plot, queries, queryId, svgFile } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { matchesEtag } from '../http/headers.ts'
import { clientOf } from '../http/limits.ts'
import { notReady, Refusal } from '../http/problem.ts'
import type { SentParams } from '../http/query-runner.ts'
import { hashOfBody } from './assets.ts'
import { pagePath } from './calls.ts'
import { type FileType, fileTypes, mediaTypes } from './citation.ts'
import { answeredOf, type ComparedItem, comparedBy, readComparison } from './comparison.ts'
import { comparisonJson, comparisonTable, refusedItem } from './comparison-files.ts'
import { embedPage } from './embed-page.ts'
import type { PlottedAnswer } from './examples.ts'
import { computeAnswer, isExample } from './free-answers.ts'
import { rendered } from './html.ts'
import { pageHeaders } from './page-headers.ts'
import type { QueryRoutesOptions } from './query-routes.ts'
import { formValues, sentParams } from './sent-params.ts'
import { priceOf } from './site.ts'

const DAY = 'public, max-age=86400'

/** The refusal of a file of another snapshot: the file of the served one, unless that is the older of the two. */
const otherSnapshot = (request: FastifyRequest, snapshot: string, served: string): Refusal => {
  const of = `The address is of snapshot ${snapshot.slice(0, 32)}`
  if (snapshot > served) return new Refusal('NOT_FOUND', `${of}; ${served} is served here.`)
  const [path = '', text = ''] = request.url.split('?')
  const current = new URLSearchParams(text)
  current.set('snapshot', served)
  const address = pathWith(path, current)
  const headers = { link: `<${address}>; rel="latest-version"` }
  return new Refusal('GONE', `${of}, which ${served} has replaced: ${address}`, { current: address }, headers)
}

export type QueryFilesOptions = Omit<QueryRoutesOptions, 'send' | 'wallet'> & {
  /** The address of the style sheet. */
  styles: string
}

/** Adds the files beside the plots of pages (CSV, JSON, SVG), and the pages that other sites embed; of free answers only. */
export const addQueryFiles = (app: FastifyInstance, options: QueryFilesOptions): void => {
  const { lake, admission, examples, drawing, site, takeToken, timeout_ms } = options

  /** What an address is about. Throws a refusal where it is of another snapshot. */
  const readAddress = async (query: AnyQuery, request: FastifyRequest) => {
    takeToken(clientOf(request.ip))
    const { snapshot, ...sent } = sentParams(request)
    const engine = lake.engine()
    const facts = (await examples.facts())?.facts
    if (!engine || !facts) throw notReady('No snapshot is open yet; retry shortly.', 5)
    const params = formValues(sent)
    const served = engine.manifest.snapshot_id
    if (snapshot !== undefined && snapshot !== served) throw otherSnapshot(request, String(snapshot), served)
    const compute = (given: SentParams) =>
      computeAnswer(engine, admission, query, given, AbortSignal.timeout(timeout_ms))
    return { sent, params, facts, compute }
  }

  const soldAt = (path: string): Refusal =>
    new Refusal('NOT_FOUND', `Files and embedded plots are of free answers; this one is sold at ${path}.`)

  const drawn = (plots: readonly Plot[] | null): readonly Plot[] => {
    if (plots === null) throw notReady('The plots were not drawn in time; retry shortly.', 5)
    return plots
  }

  /** The answer that an address is about. Throws a refusal where it is not free, or of another snapshot. */
  const answerFor = async (query: AnyQuery, request: FastifyRequest) => {
    const { sent, params, facts, compute } = await readAddress(query, request)
    if (priceOf(query, site()) !== null && !isExample(query, params, facts))
      throw soldAt(pathWith(apiPath(query), params))
    const answer = await compute(sent)
    const body = JSON.stringify(answer)
    const draw = async () => drawn(await drawing.draw(query, body, timeout_ms))
    return { params, facts, answer, body, draw, table: () => mainTable(query, answer) }
  }

  /** The same of a comparison. */
  const comparisonFor = async (query: AnyQuery, by: string, request: FastifyRequest) => {
    const { params, facts, compute } = await readAddress(query, request)
    if (priceOf(query, site()) !== null) throw soldAt('/v1/batch')
    const items: ComparedItem[] = []
    for (const item of readComparison(by, params))
      items.push({ ...item, ...(await compute(item.params).then((answer) => ({ answer }), refusedItem)) })
    const draw = async () => drawn(await drawing.compare(query, answeredOf(items), timeout_ms))
    return { params, facts, body: comparisonJson(by, items), draw, table: () => comparisonTable(query, items) }
  }

  const sendFile = async (query: AnyQuery, type: FileType, request: FastifyRequest, reply: FastifyReply) => {
    const by = sentParams(request).compare === undefined ? null : comparedBy(query)
    const source = by === null ? await answerFor(query, request) : await comparisonFor(query, by, request)
    const { body, facts, params } = source
    const write = async (): Promise<string | Uint8Array> => {
      if (type === 'json') return `${body}\n`
      if (type === 'csv') return formatTable(source.table(), 'csv')
      const plots = await source.draw()
      if (plots.length === 0) throw new Refusal('NOT_FOUND', `The answer of ${queryId(query)} has no plot.`)
      const address = site().base_url + pathWith(pagePath(query), params)
      return svgFile(
        plots,
        `Shelfmark${facts.isSample ? ', sample data' : ''}; snapshot ${facts.snapshot_id}; ${address}`,
      )
    }
    const content = Buffer.from(await write())
    const hash = hashOfBody(content)
    const charset = type === 'svg' ? '' : '; charset=utf-8'
    reply.headers({ 'content-type': mediaTypes[type] + charset, 'cache-control': DAY, etag: `W/"${hash}"` })
    if (type === 'csv') reply.header('content-disposition', `attachment; filename="${query.group}-${query.name}.csv"`)
    if (matchesEtag(request.headers['if-none-match'], hash, true)) return reply.code(304).send()
    return reply.send(content)
  }

  const sendEmbed = async (query: AnyQuery, request: FastifyRequest, reply: FastifyReply) => {
    const { answer, facts, params, draw } = await answerFor(query, request)
    const plotted: PlottedAnswer = { answer, plots: (await draw()).slice(0, 1) }
    const page = embedPage({ query, params, answer, facts, base_url: site().base_url }, plotted, options.styles)
    return reply.headers({ ...pageHeaders('embed'), 'cache-control': 'public, max-age=300' }).send(rendered(page))
  }

  for (const query of queries) {
    for (const type of fileTypes)
      app.get(`${pagePath(query)}.${type}`, { exposeHeadRoute: true }, (request, reply) =>
        sendFile(query, type, request, reply),
      )
    app.get(`/embed${pagePath(query)}`, { exposeHeadRoute: true }, (request, reply) => sendEmbed(query, request, reply))
  }
}
