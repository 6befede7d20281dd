import * as zlib from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Content codings, the preferred one first where a client has no preference; Node has zstd from 22.15. */
export const codings: readonly ('zstd' | 'br' | 'gzip')[] = [
  ...('createZstdCompress' in zlib ? (['zstd'] as const) : []),
  'br',
  'gzip',
]

/** Compressing a smaller body costs more than it saves. */
const MIN_BYTES = 1024

/** Parquet is compressed already. */
const COMPRESSIBLE = /^text\/|[+/](?:json|xml)(?:;|$)|^application\/vnd\.apache\.arrow\.stream$/

/** Replaces `*` with the codings that the header does not list, which is what `*` means (RFC 9110, 12.5.3). */
const withoutWildcard = (header: string): string => {
  const listed = header.split(',').map((item) => item.split(';', 1)[0]!.trim().toLowerCase())
  const others = codings.filter((coding) => !listed.includes(coding))
  return header
    .split(',')
    .flatMap((item) => (item.trim().startsWith('*') ? others.map((coding) => item.replace('*', coding)) : [item]))
    .join(',')
}

/**
 * Compresses the bodies of routes that are registered later, in plugins of their own, by Accept-Encoding. Every
 * response, compressed or not, has `Vary: accept-encoding`, so that caches keep the variants apart.
 */
export const addCompression = (app: FastifyInstance): void => {
  app
    .register(compress, {
      encodings: [...codings, 'identity'],
      threshold: MIN_BYTES,
      customTypes: COMPRESSIBLE,
      // Requests have no body.
      globalDecompression: false,
    })
    .after(() => {
      // Fastify drops the body of HEAD before the plugin compresses it, and then sends the length of the plain one.
      app.addHook('onRoute', (route) => {
        if (route.method === 'HEAD' && Array.isArray(route.onSend)) route.onSend.reverse()
      })
    })
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('vary', 'accept-encoding')
    const accepted = headers['accept-encoding']
    if (typeof accepted === 'string' && accepted.includes('*')) headers['accept-encoding'] = withoutWildcard(accepted)
  })
}
