import { type KeyObject, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import type { Facilitator } from '../../../api/payment/facilitator.ts'

type Call = keyof Facilitator
/** Answers in place of the facilitator; false leaves the call to it. */
export type Failing = (call: Call, response: ServerResponse) => boolean
/** Whether a request may be answered. */
export type Admit = (request: IncomingMessage) => boolean

const admitsAll: Admit = () => true
const failsNever: Failing = () => false

/** A facilitator over HTTP below `/platform/v2/x402`, as Coinbase has it, that lets in whom `admit` does. */
export const serveStrictly = async (facilitator: Facilitator, { admit = admitsAll, fail = failsNever } = {}) => {
  const server = createServer(async (request, response) => {
    const call = request.url?.replace('/platform/v2/x402/', '') as Call
    if (!admit(request)) return response.writeHead(401).end('{"errorType":"unauthorized"}')
    if (fail(call, response)) return
    if (!Object.hasOwn(facilitator, call)) return response.writeHead(404).end()
    const body = request.method === 'POST' ? await json(request) : {}
    const { paymentPayload, paymentRequirements } = body as Record<string, never>
    const answer = await facilitator[call](paymentPayload!, paymentRequirements!)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform/v2/x402`
}

const read = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Lets in who shows a token as Coinbase documents it: by this key, for this request, valid now, and never seen before. */
export const admitByCdp = (keyId: string, key: KeyObject): Admit => {
  const seen = new Set<unknown>()
  return ({ method, url, headers }) => {
    const [scheme, token = ''] = headers.authorization?.split(' ') ?? []
    const [header, claims, signature = ''] = token.split('.')
    const isEd25519 = key.asymmetricKeyType === 'ed25519'
    const isSigned = verify(
      isEd25519 ? null : 'sha256',
      Buffer.from(`${header}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    if (scheme !== 'Bearer' || !isSigned) return false
    const { alg, kid, typ, nonce } = read(header)
    const { iss, sub, uris, nbf, exp } = read(claims) as { nbf: number; exp: number } & Record<string, unknown>
    const now = Date.now() / 1000
    const isNew = typeof nonce === 'string' && nonce.length >= 16 && !seen.has(nonce)
    seen.add(nonce)
    return (
      isNew &&
      alg === (isEd25519 ? 'EdDSA' : 'ES256') &&
      kid === keyId &&
      typ === 'JWT' &&
      iss === 'cdp' &&
      sub === keyId &&
      JSON.stringify(uris) === JSON.stringify([`${method} ${headers.host}${url}`]) &&
      nbf <= now &&
      exp > now &&
      exp - nbf <= 120
    )
  }
}
