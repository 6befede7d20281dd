import { EngineError } from '../../contract/errors.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { type Bindings, type Columns, cancelled, type Row, type RunOptions } from '../../duckdb/pool.ts'
import { hostOfNode } from './address.ts'
import { SETTINGS } from './settings.ts'

/** Time after which a node that does not answer counts as failed, in milliseconds. */
export const MAX_WAIT_MS = 60_000
/** The same for a statement or file of a load. */
export const MAX_LOAD_MS = HOUR_MS

/** A request to a node that has ended, for metrics. One that was cancelled has not failed. */
export type NodeRequest = {
  host: string
  outcome: 'answered' | 'failed' | 'cancelled'
  seconds: number
  /** Of the answer. */
  rows: number
  bytes: number
}

export type NodeRequestOptions = {
  /** Time after which a statement that reads is ended, on the node too, in milliseconds; default a minute. */
  max_ms?: number | undefined
  onRequest?: ((request: NodeRequest) => void) | undefined
}

/** How one statement is run. */
export type StatementOptions = RunOptions & {
  /** Less time than other statements have, in milliseconds. */
  max_ms?: number | undefined
  /** Settings of this statement alone. */
  settings?: Readonly<Record<string, string>> | undefined
}

export type NodeOptions = NodeRequestOptions & { url: string; user: string; password: string; database?: string }

/** How ClickHouse and the system say that a disk is full. */
const IS_FULL = /\(NOT_ENOUGH_SPACE\)|No space left on device/

/** Why a node cannot answer. */
export const unavailable = (url: string, reason: string): EngineError => {
  const problem = IS_FULL.test(reason) ? 'has no disk space left' : 'cannot answer'
  return new EngineError(
    'NOT_READY',
    `The ClickHouse node ${hostOfNode(url)} ${problem}: ${reason.replace(/\.$/, '')}.`,
  )
}

/** The body of an answer, and how many rows the node says it has. */
type NodeAnswer = { body: ArrayBuffer; rows: number }

const resultRows = (headers: Headers): number => {
  const { result_rows = 0 } = JSON.parse(headers.get('x-clickhouse-summary') ?? '{}') as { result_rows?: string }
  return Number(result_rows)
}

/** Whether a connection was closed: nodes close those that are idle for seconds, perhaps just as the next request is sent. */
const isClosedConnection = (cause: unknown): boolean => {
  const { code } = ((cause as Error).cause ?? {}) as { code?: string }
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET'
}

/** A request to one node of ClickHouse through its HTTP interface. */
export class ClusterNode {
  readonly #options: NodeOptions

  constructor(options: NodeOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#options.url
  }

  get host(): string {
    return hostOfNode(this.#options.url)
  }

  /** The same node with another database. */
  in(database: string): ClusterNode {
    return new ClusterNode({ ...this.#options, database })
  }

  /** The rows of a statement as objects. */
  async rows(sql: string, bindings: Bindings = {}, options: StatementOptions = {}): Promise<Row[]> {
    const answer = await this.#send(sql, bindings, 'JSONEachRow', options)
    return this.#whole(answer, () => {
      const lines = Buffer.from(answer.body).toString('utf8').split('\n')
      const rows = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
      return [rows, rows.length]
    })
  }

  /** Whether the node answers at all within a time. */
  answers(within_ms: number): Promise<boolean> {
    const signal = AbortSignal.timeout(within_ms)
    return fetch(`${this.#options.url}/ping`, { redirect: 'error', signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** The columns of a statement that counts: whole numbers, none of them null. */
  async columns(sql: string, bindings: Bindings = {}, options: StatementOptions = {}): Promise<Columns> {
    // Loaded on demand: a lake without a cluster does not need it.
    const { tableFromIPC } = await import('apache-arrow')
    const answer = await this.#send(sql, bindings, 'ArrowStream', options)
    return this.#whole(answer, () => {
      const table = tableFromIPC(new Uint8Array(answer.body))
      const columns = table.schema.fields.map(({ name }) => [name, table.getChild(name)!.toArray()])
      return [Object.fromEntries(columns) as Columns, table.numRows]
    })
  }

  /** What is read from an answer, unless it is cut off: that happens without an error where it passes through a full disk. */
  #whole<T>({ rows }: NodeAnswer, read: () => [result: T, rows: number]): T {
    try {
      const [result, found] = read()
      if (found === rows) return result
    } catch {
      // Nor can the last of it be read.
    }
    throw unavailable(this.url, `its answer of ${rows} rows was cut off; its disk may be full`)
  }

  /** Runs a statement that may write, such as one that creates a table. Returns what it prints. */
  async execute(sql: string, options: RunOptions = {}): Promise<string> {
    const query = new URLSearchParams({ ...SETTINGS, ...this.#database })
    return Buffer.from((await this.#request(query, sql, MAX_LOAD_MS, options)).body).toString('utf8')
  }

  get #database() {
    return { database: this.#options.database ?? 'default' }
  }

  #send(sql: string, bindings: Bindings, format: string, options: StatementOptions): Promise<NodeAnswer> {
    const max_ms = Math.min(this.#options.max_ms ?? MAX_WAIT_MS, options.max_ms ?? Number.POSITIVE_INFINITY)
    const query = new URLSearchParams({
      ...SETTINGS,
      ...options.settings,
      ...this.#database,
      default_format: format,
      // Only what may not write is ended when the client disconnects; max_execution_time is for one that is cut off.
      readonly: '2',
      max_execution_time: String(max_ms / 1000),
    })
    for (const [name, value] of Object.entries(bindings))
      query.set(`param_${name}`, value === null ? '\\N' : String(value))
    return this.#request(query, sql, max_ms, options)
  }

  async #request(query: URLSearchParams, body: string, max_ms: number, { signal }: RunOptions): Promise<NodeAnswer> {
    const { url, user, password, onRequest } = this.#options
    const start = performance.now()
    const request: NodeRequest = { host: this.host, outcome: 'failed', seconds: 0, rows: 0, bytes: 0 }
    const deadline = AbortSignal.timeout(max_ms)
    const credentials = Buffer.from(`${user}:${password}`).toString('base64')
    const post = (): Promise<Response> =>
      fetch(`${url}/?${query}`, {
        method: 'POST',
        // Not compressed: fetch of Node 20 may never end where it is aborted while it decompresses a body.
        headers: { authorization: `Basic ${credentials}`, 'accept-encoding': 'identity' },
        body,
        // A redirect would send the password elsewhere.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
    try {
      const response = await post().catch((cause: unknown) => {
        if (query.has('readonly') && isClosedConnection(cause)) return post()
        throw cause
      })
      const answer = await response.arrayBuffer()
      if (!response.ok) throw unavailable(url, Buffer.from(answer).toString('utf8').slice(0, 500).trim())
      const rows = resultRows(response.headers)
      Object.assign(request, { outcome: 'answered', rows, bytes: answer.byteLength })
      return { body: answer, rows }
    } catch (cause) {
      if (signal?.aborted) request.outcome = 'cancelled'
      if (cause instanceof EngineError) throw cause
      if (signal?.aborted) throw cancelled()
      if (deadline.aborted) throw unavailable(url, `no answer within ${max_ms / 1000} seconds`)
      const { cause: reason = cause } = cause as { cause?: unknown }
      throw unavailable(url, (reason as Error).message)
    } finally {
      onRequest?.({ ...request, seconds: (performance.now() - start) / 1000 })
    }
  }
}
