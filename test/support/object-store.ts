import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { openStore, type Store } from '../../engine/index.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What happens to a request or to the answer to it; a number is the status of an answer in place of the store's. */
export type Fault = number | 'close' | 'stall' | 'break' | 'shorten' | 'flip' | 'forbid'

export type ObjectStore = {
  /** What the commands need to reach it. */
  environment: Record<string, string>
  /** The objects as files. */
  folder: string
  /** Requests so far, as `PUT files/...`. */
  requests: string[]
  /** Decides what happens to a request. */
  fault: (method: string, object: string) => Fault | undefined | Promise<undefined>
  /** Whether conditional writes are honoured, as by S3 since 2024. */
  isConditional: boolean
  open(prefix: string, options?: Parameters<typeof openStore>[2]): Store
}

const BUCKET = 'lakes'
const KEY = 'S3RVER'
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** Whether a request has the signature that AWS documents, computed from what arrived. */
const isSigned = ({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean => {
  const [, key, day, region, names = '', signature] =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const covered = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => covered.includes(name))) return false
  const [path = '', query = ''] = url.split('?')
  const lines = covered.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = `${method}\n${path}\n${query}\n${lines}\n${names}\n${sha256(body)}`
  const scope = `${day}/${region}/s3/aws4_request`
  let secret: string | Buffer = `AWS4${KEY}`
  for (const part of scope.split('/')) secret = createHmac('sha256', secret).update(part).digest()
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${sha256(canonical)}`
  return key === KEY && createHmac('sha256', secret).update(text).digest('hex') === signature
}

/** s3rver sends a body after the answer to a HEAD, which is an error of the connection. */
const IGNORED = (): void => undefined

type Upstream = { status: number; headers: IncomingMessage['headers']; body: Buffer }

const forward = async (port: number, incoming: IncomingMessage, body: Buffer): Promise<Upstream> => {
  const { method, url, headers } = incoming
  const sent = request({ port, host: '127.0.0.1', method, path: url, headers, agent: false }).on('error', IGNORED)
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}

const refusal = (status: number): Upstream => ({
  status,
  headers: {},
  body: Buffer.from(`<Error><Code>Fault${status}</Code><Message>as the test wants</Message></Error>`),
})

/** Answers, or does to the answer what a fault says. */
const reply = ({ status, headers, body }: Upstream, fault: Fault | undefined, response: ServerResponse): void => {
  const flipped = Buffer.from(body)
  if (fault === 'flip' && flipped.length > 0) flipped[flipped.length >> 1]! ^= 1
  const sent = fault === 'shorten' ? flipped.subarray(0, flipped.length >> 1) : flipped
  const length = response.req.method === 'HEAD' ? headers['content-length'] : String(sent.length)
  response.writeHead(status, {
    ...(length === undefined ? {} : { 'content-length': length }),
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
  })
  if (fault !== 'break') return void response.end(response.req.method === 'HEAD' ? undefined : sent)
  response.write(sent.subarray(0, sent.length >> 1), () => response.destroy())
}

/**
 * Starts s3rver and, in front of it, a proxy that checks signatures and the hashes of bodies as S3 does, honours
 * conditional writes, puts objects as a whole, and injects faults.
 */
export const startObjectStore = async (): Promise<ObjectStore> => {
  const folder = await temporaryFolder()
  const configureBuckets = [{ name: BUCKET }]
  const options = { address: '127.0.0.1', silent: true, vhostBuckets: false, configureBuckets }
  const server = new S3rver({ port: 0, directory: folder, ...options })
  const { port } = await server.run()
  let writing: Promise<unknown> = Promise.resolve()

  const isRefused = async ({ url, headers }: IncomingMessage): Promise<boolean> => {
    const absent = headers['if-none-match'] === '*'
    const match = headers['if-match']
    if (!store.isConditional || (!absent && match === undefined)) return false
    const sent = request({ port, host: '127.0.0.1', method: 'HEAD', path: url, agent: false })
      .on('error', IGNORED)
      .end()
    const [answered] = (await once(sent, 'response')) as [IncomingMessage]
    answered.resume()
    return absent ? answered.statusCode === 200 : answered.headers.etag !== match
  }

  const write = async (incoming: IncomingMessage, body: Buffer): Promise<Upstream> => {
    const before = writing
    const written = before.then(async () =>
      (await isRefused(incoming)) ? refusal(412) : forward(port, incoming, body),
    )
    writing = written.catch(() => undefined)
    return written
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const object = url.split('/').slice(3).join('/')
    store.requests.push(`${method} ${object}`)
    const fault = await store.fault(method, object)
    if (fault === 'close') return void incoming.socket.destroy()
    if (fault === 'stall') return
    const body = await buffer(incoming)
    if (!isSigned(incoming, body) || headers['x-amz-content-sha256'] !== sha256(body))
      return reply(refusal(403), undefined, response)
    if (fault === 'forbid') return reply(refusal(403), undefined, response)
    if (typeof fault === 'number') return reply(refusal(fault), undefined, response)
    reply(await (method === 'PUT' ? write(incoming, body) : forward(port, incoming, body)), fault, response)
  }

  const proxy = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
  }
  const store: ObjectStore = {
    environment,
    folder: join(folder, BUCKET),
    requests: [],
    fault: () => undefined,
    isConditional: true,
    open: (prefix, options = {}) => openStore(`s3://${BUCKET}/${prefix}`, environment, { pause_ms: 5, ...options }),
  }
  atEnd(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await server.close()
  })
  return store
}
