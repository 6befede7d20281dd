import { sha256OfText } from '../manifest.ts'
import type { ByteChunks, ObjectContent } from './content.ts'
import { type RetryOptions, storeFailure, withRetries } from './failure.ts'
import { type AwsCredentials, signed, uriEncode } from './signature.ts'
import type { Store } from './store.ts'

/** A bucket, where it is, and who reads and writes it. */
export type S3Bucket = {
  bucket: string
  /** Of the names of objects; empty, or without a slash at either end. */
  prefix: string
  region: string
  /** Of another service than AWS. */
  endpoint?: string | undefined
  credentials: AwsCredentials
}

/** A request is given up, and sent again, after this time without a byte; and how failures are retried. */
export type S3Options = RetryOptions & { idle_ms: number }

/** More than one request can put, by the rules of S3. */
const MAX_PUT_BYTES = 5 * 2 ** 30

const ADVICE = {
  403: 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, the rights of this key (s3:GetObject, s3:ListBucket, and s3:PutObject to push) and the clock',
  404: 'check the name of the bucket',
  region: 'set AWS_REGION to the region of the bucket',
  busy: 'the store fails or is overloaded; retry later',
  other: 'check AWS_ENDPOINT_URL and AWS_REGION',
} as const

const REGION_CODES = /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/

/** S3 answers 409 while another conditional write of the same object is under way. */
const isBusy = (status: number): boolean => status === 409 || status === 429 || (status >= 500 && status !== 501)

const adviceOf = (status: number, code: string | undefined): string => {
  if (status === 401 || status === 403) return ADVICE[403]
  if (REGION_CODES.test(code ?? '') || (status >= 300 && status < 400)) return ADVICE.region
  if (status === 404) return ADVICE[404]
  return isBusy(status) ? ADVICE.busy : ADVICE.other
}

const tagIn = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(text)?.[1]

const EMPTY_SHA256 = sha256OfText('')

/** Aborts a request after a time without a call of `touch`, or with `outer`. */
const idleLimit = (idle_ms: number, outer: AbortSignal | undefined) => {
  const controller = new AbortController()
  const expire = () => controller.abort(new Error(`no answer within ${idle_ms / 1000} s`))
  let timer = setTimeout(expire, idle_ms)
  return {
    signal: AbortSignal.any([controller.signal, ...(outer ? [outer] : [])]),
    touch: () => {
      clearTimeout(timer)
      timer = setTimeout(expire, idle_ms)
    },
    stop: () => clearTimeout(timer),
  }
}

type Limit = ReturnType<typeof idleLimit>

async function* touching(chunks: ByteChunks, { touch }: Limit): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    touch()
    yield chunk
  }
}

/** Chunks, and the error that reading them threw. */
const watched = (chunks: ByteChunks) => {
  const errors: unknown[] = []
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (cause) {
      errors.push(cause)
      throw cause
    }
  }
  return { chunks: read(), hasFailed: () => errors.length > 0, failure: () => errors[0] }
}

type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT'
  object: string
  headers?: Record<string, string>
  content?: ObjectContent
}

/** The address of a bucket: in the host name, or in the path where an endpoint is set or the name has dots. */
const addressOf = ({ bucket, region, endpoint }: S3Bucket): string => {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  return bucket.includes('.')
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
}

/** A store in a bucket of an S3-compatible service. Requests are signed, limited in time, and retried. */
export const s3Store = (place: S3Bucket, { idle_ms, ...retries }: S3Options): Store => {
  const { bucket, prefix, region, credentials } = place
  const { signal } = retries
  const name = ['s3:/', bucket, prefix].filter(Boolean).join('/')
  const address = addressOf(place)
  const urlOf = (object: string): URL =>
    new URL(`${address}/${[prefix, object].filter(Boolean).join('/').split('/').map(uriEncode).join('/')}`)

  const networkFailure = (object: string, cause: unknown) => {
    signal?.throwIfAborted()
    const { message, cause: inner } = cause as Error & { cause?: Error & { code?: string } }
    const reason = inner?.code ?? inner?.message ?? message
    return storeFailure({ store: name, object, reason, is_transient: true }, `check the network and AWS_ENDPOINT_URL`)
  }
  const statusFailure = async (object: string, response: Response) => {
    const { status } = response
    const text = (await response.text().catch(() => '')).slice(0, 10_000)
    const [code, message] = [tagIn(text, 'Code'), tagIn(text, 'Message')]
    const reason = [status, code, message && `(${message})`].filter(Boolean).join(' ')
    return storeFailure({ store: name, object, reason, is_transient: isBusy(status) }, adviceOf(status, code))
  }
  const send = ({ method, object, headers = {}, content }: S3Request, body: ByteChunks | undefined, limit: Limit) => {
    const url = urlOf(object)
    const payload_sha256 = content?.sha256 ?? EMPTY_SHA256
    return fetch(url, {
      method,
      redirect: 'manual',
      signal: limit.signal,
      headers: {
        ...signed({ method, url, headers, payload_sha256 }, credentials, region, new Date()),
        'accept-encoding': 'identity',
        ...(content ? { 'content-length': String(content.bytes) } : {}),
      },
      ...(body ? { body: touching(body, limit), duplex: 'half' } : {}),
    })
  }
  /** Sends a request once. What its content throws is no failure of the store, and is thrown as it is. */
  const sendOnce = async (request: S3Request, limit: Limit): Promise<Response> => {
    const source = request.content && watched(request.content.open())
    try {
      return await send(request, source?.chunks, limit)
    } catch (cause) {
      if (source?.hasFailed()) throw source.failure()
      throw networkFailure(request.object, cause)
    }
  }
  /** Sends a request, with retries. Statuses below 300 and those in `expected` are for `read`. */
  const exchange = <T>(
    request: S3Request,
    expected: readonly number[],
    read: (response: Response, limit: Limit) => Promise<T>,
  ): Promise<T> =>
    withRetries(async () => {
      const limit = idleLimit(idle_ms, signal)
      try {
        const response = await sendOnce(request, limit)
        if (!response.ok && !expected.includes(response.status)) throw await statusFailure(request.object, response)
        return await read(response, limit)
      } finally {
        limit.stop()
      }
    }, retries)

  async function* bodyOf(object: string, { body }: Response, limit: Limit): AsyncGenerator<Uint8Array> {
    try {
      if (body) yield* touching(body, limit)
    } catch (cause) {
      throw networkFailure(object, cause)
    }
  }
  const discard = async (response: Response): Promise<void> => void (await response.arrayBuffer().catch(() => null))
  /** Puts an object, if these conditions hold. */
  const put = (object: string, content: ObjectContent, conditions: Record<string, string>): Promise<boolean> => {
    if (content.bytes > MAX_PUT_BYTES) {
      const failure = { store: name, object, reason: `${content.bytes} bytes`, is_transient: false }
      throw storeFailure(failure, 'S3 takes at most 5 GiB in a request; use a folder as the store')
    }
    const refused = Object.keys(conditions).length > 0 ? [412] : []
    return exchange({ method: 'PUT', object, headers: conditions, content }, refused, async (response) => {
      await discard(response)
      return response.ok
    })
  }
  return {
    name,
    folder: null,
    locate: (object) => ({ url: urlOf(object).href, credentials }),
    get: (object, consume) =>
      exchange({ method: 'GET', object }, [404], async (response, limit) => {
        if (response.ok) return consume({ body: bodyOf(object, response, limit), tag: response.headers.get('etag') })
        const text = await response.clone().text()
        if (tagIn(text, 'Code') === 'NoSuchBucket') throw await statusFailure(object, response)
        return null
      }),
    size: (object) =>
      exchange({ method: 'HEAD', object }, [404], async (response) =>
        response.ok ? Number(response.headers.get('content-length') ?? Number.NaN) : null,
      ),
    async put(object, content) {
      await put(object, content, {})
    },
    putIfAbsent: (object, content) => put(object, content, { 'if-none-match': '*' }),
    putIfMatch: (object, content, tag) => put(object, content, { 'if-match': tag }),
  }
}
