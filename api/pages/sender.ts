import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { giveWay, HOUR_MS } from '../../engine/index.ts'
import { matchesEtag } from '../http/headers.ts'
import { pathOf } from '../http/refuse.ts'
import { hashOfBody } from './assets.ts'
import type { Examples } from './examples.ts'
import { rendered } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import { type AssetUrl, layout, type PageContent } from './layout.ts'
import { type Policy, pageHeaders } from './page-headers.ts'

const MAX_AGE_SECONDS = 60

const policyOf = ({ scripts }: PageContent): Policy => (scripts ? 'wallet' : 'plain')

/** A page as the bytes to send, with the hash that identifies it. */
type RenderedPage = { body: Buffer; hash: string }

const renderedPage = (body: Buffer): RenderedPage => ({ body, hash: hashOfBody(body) })

/**
 * Pages by path, each kept until its key changes: with the snapshot, the hour or the state of its example. Only pages
 * without parameters are kept, so that there are as many as the menu and the list of queries have.
 */
const createPageCache = () => {
  const pages = new Map<string, { key: string; page: Promise<RenderedPage> }>()
  return (path: string, key: string, make: () => Promise<Buffer>): Promise<RenderedPage> => {
    const kept = pages.get(path)
    if (kept?.key === key) return kept.page
    const page = make().then(renderedPage)
    pages.set(path, { key, page })
    page.catch(() => {
      if (pages.get(path)?.page === page) pages.delete(path)
    })
    return page
  }
}

/** Sends pages: with their headers, and those that are the same for everybody from memory. */
export const createPageSender = (
  examples: Examples,
  asset: AssetUrl,
  originOf: (server: FastifyInstance) => string,
) => {
  const cache = createPageCache()
  const policies = new Map<string, Policy>()
  const bytesOf = (page: PageContent, reply: FastifyReply): Buffer =>
    Buffer.from(rendered(layout(page, asset, originOf(reply.server))))
  return {
    /** Sends a page for one visitor, which nobody keeps. */
    async single(page: PageContent, reply: FastifyReply): Promise<FastifyReply> {
      const body = bytesOf(page, reply)
      await giveWay()
      return reply.headers({ ...pageHeaders(policyOf(page)), 'cache-control': 'no-store' }).send(body)
    },
    /**
     * Sends a page that depends on the snapshot alone, and on a state such as that of its example. A page that is not
     * complete yet is not kept.
     */
    async shared(
      request: FastifyRequest,
      reply: FastifyReply,
      state: string,
      make: (facts: LakeFacts | null) => PageContent | Promise<PageContent>,
    ): Promise<FastifyReply> {
      const current = await examples.facts()
      if (!current || state === 'pending') return this.single(await make(current?.facts ?? null), reply)
      const { key, facts } = current
      const path = pathOf(request)
      await giveWay()
      const hour = Math.floor(facts.now.getTime() / HOUR_MS)
      const { body, hash } = await cache(path, `${key} ${hour} ${state}`, async () => {
        const page = await make(facts)
        policies.set(path, policyOf(page))
        await giveWay()
        return bytesOf(page, reply)
      })
      await giveWay()
      reply.headers({
        ...pageHeaders(policies.get(path) ?? 'plain'),
        'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
        vary: 'accept-encoding, accept',
        etag: `W/"${hash}"`,
      })
      if (matchesEtag(request.headers['if-none-match'], hash, true)) return reply.code(304).send()
      return reply.send(body)
    },
  }
}

export type PageSender = ReturnType<typeof createPageSender>
