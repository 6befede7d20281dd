import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../ops/config.ts'
import { EXPOSED } from './headers.ts'

/** The origins whose pages may read answers: by default all of a service that sells them, none of one that is private. */
const allowedOrigins = ({ cors, payments }: Pick<Config, 'cors' | 'payments'>): readonly string[] =>
  cors ?? (payments === 'off' ? [] : ['*'])

/** Lets a page of another origin read the response, where it may. */
export const setCors = (
  config: Pick<Config, 'cors' | 'payments'>,
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): void => {
  const allowed = allowedOrigins(config)
  const origins = allowed.includes('*') ? '*' : allowed.find((other) => other === origin)
  if (origins !== undefined)
    reply.headers({ 'access-control-allow-origin': origins, 'access-control-expose-headers': EXPOSED })
}

/** Keeps caches from giving the response for one origin to another, where it depends on the origin. */
export const setVaryingOrigin = (config: Pick<Config, 'cors' | 'payments'>, reply: FastifyReply): void => {
  const allowed = allowedOrigins(config)
  if (allowed.length === 0 || allowed.includes('*')) return
  reply.header('vary', [reply.getHeader('vary'), 'Origin'].filter(Boolean).join(', '))
}
