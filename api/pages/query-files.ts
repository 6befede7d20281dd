import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, formatTable, mainTable, type Plot, queries, queryId, svgFile } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { matchesEtag } from '../http/headers.ts'
import { clientOf } from '../http/limits.ts'
import { notReady, Refusal } from '../http/problem.ts'
import { hashOfBody } from './assets.ts'
import { pagePath } from './calls.ts'
import { type FileType, fileTypes } from './citation.ts'
import { embedPage } from './embed-page.ts'
import type { PlottedAnswer } from './examples.ts'
import { computeAnswer, isExample } from './free-answers.ts'
import { rendered } from './html.ts'
import { pageHeaders } from './page-headers.ts'
import type { QueryRoutesOptions } from './query-routes.ts'
import { formValues, sentParams } from './sent-params.ts'
import { priceOf } from './site.ts'

const mediaTypes: Record<FileType, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
}

const DAY = 'public, max-age=86400'

export type QueryFilesOptions = Omit<QueryRoutesOptions, 'send' | 'wallet'> & {
  /** The address of the style sheet. */
  styles: string
}

/** Adds the files beside the plots of pages (CSV, JSON, SVG), and the pages that other sites embed; of free answers only. */
export const addQueryFiles = (app: FastifyInstance, options: QueryFilesOptions): void => {
  const { lake, admission, examples, drawing, site, takeToken, timeout_ms } = options

  /** The answer that an address is about. Throws a refusal where it is not free, or of another snapshot. */
  const answerFor = async (query: AnyQuery, request: FastifyRequest) => {
    takeToken(clientOf(request.ip))
    const { snapshot, ...sent } = sentParams(request)
    const engine = lake.engine()
    const facts = (await examples.facts())?.facts
    if (!engine || !facts) throw notReady('No snapshot is open yet; retry shortly.', 5)
    const served = engine.manifest.snapshot_id
    const params = formValues(sent)
    if (snapshot !== undefined && snapshot !== served) {
      const current = pathWith(pagePath(query), params)
      throw new Refusal('NOT_FOUND', `The address is of another snapshot; ${served} is served: ${current}`)
    }
    if (priceOf(query, site()) !== null && !isExample(query, params, facts)) {
      const path = pathWith(apiPath(query), params)
      throw new Refusal('NOT_FOUND', `Files and embedded plots are of free answers; this one is sold at ${path}.`)
    }
    const answer = await computeAnswer(engine, admission, query, sent, AbortSignal.timeout(timeout_ms))
    return { params, facts, answer, body: JSON.stringify(answer) }
  }

  const draw = async (query: AnyQuery, body: string): Promise<readonly Plot[]> => {
    const plots = await drawing.draw(query, body, timeout_ms)
    if (plots === null) throw notReady('The plots were not drawn in time; retry shortly.', 5)
    return plots
  }

  const sendFile = async (query: AnyQuery, type: FileType, request: FastifyRequest, reply: FastifyReply) => {
    const { answer, body, facts, params } = await answerFor(query, request)
    const write = async (): Promise<string | Uint8Array> => {
      if (type === 'json') return `${body}\n`
      if (type === 'csv') return formatTable(mainTable(query, answer), 'csv')
      const plots = await draw(query, body)
      if (plots.length === 0) throw new Refusal('NOT_FOUND', `The answer of ${queryId(query)} has no plot.`)
      const address = site().base_url + pathWith(pagePath(query), params)
      return svgFile(
        plots,
        `Shelfmark${facts.isSample ? ', sample data' : ''}; snapshot ${facts.snapshot_id}; ${address}`,
      )
    }
    const content = Buffer.from(await write())
    const hash = hashOfBody(content)
    reply.headers({ 'content-type': mediaTypes[type], 'cache-control': DAY, etag: `W/"${hash}"` })
    if (type === 'csv') reply.header('content-disposition', `attachment; filename="${query.group}-${query.name}.csv"`)
    if (matchesEtag(request.headers['if-none-match'], hash, true)) return reply.code(304).send()
    return reply.send(content)
  }

  const sendEmbed = async (query: AnyQuery, request: FastifyRequest, reply: FastifyReply) => {
    const { answer, body, facts, params } = await answerFor(query, request)
    const plotted: PlottedAnswer = { answer, plots: (await draw(query, body)).slice(0, 1) }
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
