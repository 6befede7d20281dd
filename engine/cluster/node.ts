import type { Readable } from 'node:stream'
import { EngineError } from '../errors.ts'
import { type Bindings, cancelled, type Row, type RunOptions } from '../pool.ts'
import { countsOf, type ShardCounts } from './counts.ts'

/** What a statement means depends on these settings of ClickHouse: each request sends them, and opening checks them. */
export const SETTINGS: Readonly<Record<string, string>> = {
  aggregate_functions_null_for_empty: '0',
  join_use_nulls: '1',
  prefer_column_name_to_alias: '0',
  session_timezone: 'UTC',
  // A result is sent only once it is whole: a failure is then always a status other than 200.
  wait_end_of_query: '1',
  cancel_http_readonly_queries_on_client_close: '1',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_denormals: '1',
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: '1',
  output_format_arrow_low_cardinality_as_dictionary: '0',
}

/** Time after which a node that does not answer counts as failed, in milliseconds. */
const MAX_WAIT_MS = 60_000
/** The same for a statement or file of a load. */
const MAX_LOAD_MS = 3_600_000

export type NodeOptions = { url: string; user: string; password: string; database?: string }

const hostOf = (url: string): string => new URL(url).host

/** Why a node cannot answer; a query over the cluster is then refused. */
const unavailable = (url: string, reason: string): EngineError =>
  new EngineError('NOT_READY', `The ClickHouse node ${hostOf(url)} cannot answer: ${reason}. Retry.`)

/** A request to one node of ClickHouse through its HTTP interface. */
export class ClusterNode {
  readonly #options: NodeOptions

  constructor(options: NodeOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#options.url
  }

  /** The rows of a statement as objects. */
  async rows(sql: string, bindings: Bindings = {}, options: RunOptions = {}): Promise<Row[]> {
    const lines = Buffer.from(await this.#send(sql, bindings, 'JSONEachRow', options)).toString('utf8')
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  }

  /** The rows of a statement that counts, as columns. */
  async counts(sql: string, bindings: Bindings = {}, options: RunOptions = {}): Promise<ShardCounts> {
    return countsOf(new Uint8Array(await this.#send(sql, bindings, 'ArrowStream', options)))
  }

  /** Inserts the rows of a Parquet file. */
  async insert(table: string, file: Readable, options: RunOptions = {}): Promise<void> {
    const query = new URLSearchParams({ ...SETTINGS, ...this.#database, query: `INSERT INTO ${table} FORMAT Parquet` })
    await this.#request(query, file, MAX_LOAD_MS, options)
  }

  /** Runs a statement without a result, such as one that creates a table. */
  async execute(sql: string, options: RunOptions = {}): Promise<void> {
    await this.#request(new URLSearchParams({ ...SETTINGS, ...this.#database }), sql, MAX_LOAD_MS, options)
  }

  get #database() {
    return { database: this.#options.database ?? 'default' }
  }

  #send(sql: string, bindings: Bindings, format: string, options: RunOptions): Promise<ArrayBuffer> {
    const query = new URLSearchParams({ ...SETTINGS, ...this.#database, default_format: format })
    for (const [name, value] of Object.entries(bindings))
      query.set(`param_${name}`, value === null ? '\\N' : String(value))
    return this.#request(query, sql, MAX_WAIT_MS, options)
  }

  async #request(
    query: URLSearchParams,
    sent: string | Readable,
    max_ms: number,
    { signal }: RunOptions,
  ): Promise<ArrayBuffer> {
    const { url, user, password } = this.#options
    const deadline = AbortSignal.timeout(max_ms)
    try {
      const response = await fetch(`${url}/?${query}`, {
        method: 'POST',
        headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
        body: sent,
        duplex: 'half',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      const body = await response.arrayBuffer()
      if (response.ok) return body
      throw unavailable(url, Buffer.from(body).toString('utf8').slice(0, 500).trim())
    } catch (cause) {
      if (cause instanceof EngineError) throw cause
      if (signal?.aborted) throw cancelled()
      if (deadline.aborted) throw unavailable(url, `no answer within ${max_ms / 1000} seconds`)
      const { cause: reason = cause } = cause as { cause?: unknown }
      throw unavailable(url, (reason as Error).message)
    }
  }
}
