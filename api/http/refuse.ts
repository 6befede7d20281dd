import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from './headers.ts'
import { problemBody, problemType, Refusal, refusalOf } from './problem.ts'

/** The path of the request's route, or without a route the requested path, without its query string. */
export const pathOf = ({ url, routeOptions: { url: route = '*' } }: FastifyRequest): string =>
  route.includes('*') ? (url.split('?', 1)[0] ?? url) : route

/** Answers a thrown value with a refusal. An internal error is logged, with the plan. */
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

/** The refusal of a request without a route: the path does not exist, or it has other methods. */
export const notFound = (app: FastifyInstance, request: FastifyRequest): Refusal => {
  const path = pathOf(request)
  const methods = ['GET', 'HEAD', 'POST'].filter((method) => app.hasRoute({ method, url: path }))
  if (methods.length === 0) return new Refusal('NOT_FOUND', 'No such address; GET /openapi.json lists all addresses.')
  const allow = [...methods, 'OPTIONS'].join(', ')
  return new Refusal(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not allowed here; send one of ${allow}.`,
    {},
    { allow },
  )
}
