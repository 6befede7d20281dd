import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
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
  /** Bytes of objects that were read so far. */
  sent_bytes: number
  /** Decides what happens to a request. */
  fault: (method: string, object: string) => Fault | undefined | Promise<undefined>
  /** Whether conditional writes are honoured, as by S3 since 2024. */
  isConditional: boolean
  open(prefix: string, options?: Parameters<typeof openStore>[2]): Store
}

const BUCKET = 'lakes'
const KEY = 'TESTKEY'
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** Whether a request has the signature that AWS documents, computed from what arrived. */
const isSigned = ({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean => {
  const [, key, day, region, names = '', signature] =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
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

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

const failure = (status: number, code = `Fault${status}`, message = 'as the test wants'): Answer => ({
  status,
  headers: {},
  body: Buffer.from(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`),
})

const contentOf = (path: string): Buffer | null =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null

const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`

/** An object, or the requested range of it. */
const read = (path: string, range = ''): Answer => {
  const content = contentOf(path)
  if (content === null) return failure(404, 'NoSuchKey', 'The specified key does not exist.')
  const headers = { etag: etagOf(content), 'last-modified': statSync(path).mtime.toUTCString() }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  if (first === undefined) return { status: 200, headers, body: content }
  const body = content.subarray(Number(first), last ? Number(last) + 1 : undefined)
  if (body.length === 0) return failure(416, 'InvalidRange', 'The requested range is not satisfiable')
  const bytes = `bytes ${first}-${Number(first) + body.length - 1}/${content.length}`
  return { status: 206, headers: { ...headers, 'content-range': bytes }, body }
}

/** The objects whose names begin with a prefix. */
const list = (folder: string, prefix: string): Answer => {
  const objects = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => {
      const { size, mtime } = statSync(join(folder, name))
      return `<Contents><Key>${name}</Key><Size>${size}</Size><LastModified>${mtime.toISOString()}</LastModified></Contents>`
    })
  const text = `<ListBucketResult><IsTruncated>false</IsTruncated>${objects.join('')}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) }
}

const isRefused = (path: string, headers: IncomingMessage['headers']): boolean => {
  const content = contentOf(path)
  if (headers['if-none-match'] === '*') return content !== null
  const match = headers['if-match']
  return match !== undefined && (content === null || etagOf(content) !== match)
}

/** Puts an object as a whole. */
const write = (path: string, body: Buffer): Answer => {
  const partial = `${path}.partial`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(partial, body)
  renameSync(partial, path)
  return { status: 200, headers: { etag: etagOf(body) }, body: Buffer.alloc(0) }
}

/** Answers, or does to the answer what a fault says. */
const reply = ({ status, headers, body }: Answer, fault: Fault | undefined, response: ServerResponse): void => {
  const flipped = Buffer.from(body)
  if (fault === 'flip' && flipped.length > 0) flipped[flipped.length >> 1]! ^= 1
  const sent = fault === 'shorten' ? flipped.subarray(0, flipped.length >> 1) : flipped
  response.writeHead(status, { ...headers, 'content-length': sent.length })
  if (fault !== 'break') return void response.end(sent)
  response.write(sent.subarray(0, sent.length >> 1), () => response.destroy())
}

/**
 * Starts a server of one bucket, of the protocol of S3 as far as lakes need it: it checks signatures and the hashes of
 * bodies, lists, gets ranges, and honours conditional writes. It also injects faults.
 */
export const startObjectStore = async (): Promise<ObjectStore> => {
  const folder = await temporaryFolder()

  const answer = ({ method, url = '', headers }: IncomingMessage, body: Buffer): Answer => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const [bucket, ...names] = pathname.slice(1).split('/').map(decodeURIComponent)
    if (bucket !== BUCKET) return failure(404, 'NoSuchBucket', 'The specified bucket does not exist')
    if (names.length === 0) return list(folder, searchParams.get('prefix') ?? '')
    const path = join(folder, ...names)
    if (method !== 'PUT') return read(path, headers.range)
    if (store.isConditional && isRefused(path, headers))
      return failure(412, 'PreconditionFailed', 'At least one of the preconditions did not hold')
    return write(path, body)
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const object = url.split('/').slice(3).join('/')
    store.requests.push(`${method} ${object}`)
    const fault = await store.fault(method, object)
    if (fault === 'close') return void incoming.socket.destroy()
    if (fault === 'stall') return
    const body = await buffer(incoming)
    const isAllowed = isSigned(incoming, body) && headers['x-amz-content-sha256'] === sha256(body)
    if (!isAllowed || fault === 'forbid') return reply(failure(403), undefined, response)
    if (typeof fault === 'number') return reply(failure(fault), undefined, response)
    const found = answer(incoming, body)
    if (method === 'GET') store.sent_bytes += found.body.length
    reply(found, fault, response)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
  }
  const store: ObjectStore = {
    environment,
    folder,
    requests: [],
    sent_bytes: 0,
    fault: () => undefined,
    isConditional: true,
    open: (prefix, options = {}) => openStore(`s3://${BUCKET}/${prefix}`, environment, { pause_ms: 5, ...options }),
  }
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return store
}
