import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from './headers.ts'
import { problemBody, problemType, Refusal, refusalOf } from './problem.ts'

/** The path asked for, without its query string; that of its route where it has one, however it was spelt. */
export const pathOf = ({ url, routeOptions: { url: route = '*' } }: FastifyRequest): string =>
  route.includes('*') ? (url.split('?', 1)[0] ?? url) : route

/** Answers with a refusal whatever was thrown. A fault is logged, once, with the plan it struck. */
export const refuse = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const refusal = refusalOf(thrown)
  if (refusal.code === 'INTERNAL_ERROR') request.log.error({ err: thrown, plan: request.plan }, 'fault')
  const path = pathOf(request)
  return reply
    .code(refusal.status)
    .removeHeader('etag')
    .headers({
      ...commonHeaders,
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'content-type': `${problemType(path)}; charset=utf-8`,
      ...refusal.headers,
    })
    .send(problemBody(refusal, path))
}

/** Why nothing answers here: there is no such address, or it answers other methods. */
export const nothingAt = (app: FastifyInstance, request: FastifyRequest): Refusal => {
  const path = pathOf(request)
  const methods = ['GET', 'HEAD'].filter((method) => app.hasRoute({ method, url: path }))
  if (methods.length === 0) return new Refusal('NOT_FOUND', 'Nothing is here; GET /openapi.json lists every address.')
  const allow = [...methods, 'OPTIONS'].join(', ')
  return new Refusal('METHOD_NOT_ALLOWED', `Send one of ${allow}.`, {}, { allow })
}
