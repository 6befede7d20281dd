import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { currentSnapshotId, snapshotFolder } from '../engine/index.ts'
import { ensureCopies } from './copies/lake.ts'
import { openDuckDB } from './duckdb.ts'
import { AS_OF } from './lake.ts'
import type { BenchOptions } from './options.ts'
import { median, quantile } from './quantile.ts'

const REQUESTS = 100
const LEVELS = [1, 16, 64]
/** Answered from metadata: the cost of routing, planning and writing an answer. */
const FLOOR = '/v1/public/stats'
/** Listings with a price in the last nine days of the lake, so that queries about them have answers. */
const PRICED = `price IS NOT NULL AND last_day >= DATE '2026-11-12'`

const service = fileURLToPath(new URL('../api/main.ts', import.meta.url))
const clock = new URL('shifted-clock.ts', import.meta.url).href

/** Serves a lake without payments in a process of its own, whose clock starts after the lake's last day and runs. */
const serve = async (lake: string) => {
  const child = spawn(process.execPath, [...process.execArgv, '--import', clock, service], {
    env: {
      ...process.env,
      SHELFMARK_LAKE: lake,
      SHELFMARK_PORT: '0',
      SHELFMARK_ADMIN_PORT: '',
      SHELFMARK_PAYMENTS: 'off',
      SHELFMARK_BENCH_NOW: AS_OF.toISOString(),
      SHELFMARK_RATE: '100000000',
      SHELFMARK_BURST: '100000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  for await (const line of createInterface(child.stdout)) {
    const { msg = '' } = JSON.parse(line)
    port ||= Number(/:(\d+)$/.exec(msg)?.[1] ?? 0)
    if (msg === 'serving snapshot') break
  }
  child.stdout.resume()
  /** Advances the service's clock by a minute. */
  const passMinute = async (): Promise<void> => {
    child.kill('SIGUSR2')
    await wait(100)
  }
  return { port, passMinute, stop: () => child.kill() }
}

type Response = { ms: number; status: number; etag: string | undefined }

/** Requests a path; with an ETag as a client that cached the answer. A busy service responds with 503. */
const request = async (agent: Agent, port: number, path: string, etag: string | undefined): Promise<Response> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const headers = etag === undefined ? {} : { 'if-none-match': etag }
    get({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume().once('end', () => {
        const { statusCode: status = 0 } = response
        if (status === 200 || status === 304 || status === 503)
          resolve({ ms: performance.now() - start, status, etag: response.headers.etag })
        else reject(new Error(`${status} for ${path}`))
      })
    }).once('error', reject)
  })

type Etags = Map<string, string>

/** Requests the paths over a number of connections, each as soon as its last answer has arrived. */
const timed = async (port: number, paths: readonly string[], connections: number, cached?: Etags) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const responses: Response[] = []
  const etags: Etags = new Map()
  const waiting = [...paths]
  const requestAll = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const response = await request(agent, port, path, cached?.get(path))
      responses.push(response)
      if (response.etag !== undefined) etags.set(path, response.etag)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, requestAll))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  const share = (wanted: number): number =>
    (100 * responses.filter(({ status }) => status === wanted).length) / responses.length
  const times = responses.filter(({ status }) => status !== 503).map(({ ms }) => ms)
  const figures = {
    p50_ms: median(times),
    p99_ms: quantile(times, 0.99),
    per_second: times.length / seconds,
    not_modified_pct: share(304),
    busy_pct: share(503),
  }
  return { figures, etags }
}

type PathsOf = (turn: number) => string[]

/** Queries about different listings and shelves in each turn, so that no answer is cached. */
const pathsOf = async (lake: string): Promise<Record<string, PathsOf>> => {
  const connection = await openDuckDB()
  const snapshot = snapshotFolder(lake, (await currentSnapshotId(lake)) ?? '')
  const listings = `read_parquet('${snapshot}/listings/country=us/*.parquet')`
  const texts = async (sql: string): Promise<string[]> =>
    (await connection.runAndReadAll(sql)).getRowsJS().map(([text]) => encodeURIComponent(String(text)))
  const wanted = (LEVELS.length + 1) * REQUESTS
  const listed = async (column: string): Promise<string[]> =>
    texts(`SELECT ${column} FROM ${listings} WHERE ${PRICED} ORDER BY hash(product_uid) LIMIT ${wanted}`)
  const names = await listed('product_name')
  const uids = await listed('product_uid')
  const shelves = await texts(
    `SELECT path FROM ${listings} JOIN '${snapshot}/categories.parquet' USING (category_id) WHERE ${PRICED}
     GROUP BY path HAVING count(*) >= 20 ORDER BY hash(path) LIMIT ${wanted}`,
  )
  connection.closeSync()
  const of = (texts: readonly string[], turn: number): string[] => {
    const each = Math.floor(texts.length / (LEVELS.length + 1))
    return texts.slice(turn * each, turn * each + Math.min(each, REQUESTS))
  }
  return {
    'best-price, name': (turn) => [...new Set(of(names, turn))].map((name) => `/v1/shopper/best-price?q=${name}`),
    'best-price, uid': (turn) => of(uids, turn).map((uid) => `/v1/shopper/best-price?product_uid=${uid}`),
    'price-history, uid': (turn) =>
      of(uids, turn).map((uid) => `/v1/shopper/price-history?product_uid=${uid}&days=365`),
    'price-dispersion': (turn) => of(shelves, turn).map((path) => `/v1/analyst/price-dispersion?category=${path}`),
    inflation: (turn) => of(shelves, turn).map((path) => `/v1/analyst/inflation?category=${path}&days=365`),
  }
}

/**
 * Latency for clients without payment, compared with the floor in the same run: a new query, the same one repeated, repeated
 * with its ETag, and both a minute later.
 */
export const benchHttp = async ({ observations, cache }: BenchOptions) => {
  const lake = await ensureCopies(observations, cache)
  const { port, passMinute, stop } = await serve(lake)
  try {
    const queries = await pathsOf(lake)
    const rows: Record<string, unknown>[] = []
    // Statements are prepared and code is compiled by the first requests.
    for (const paths of Object.values(queries)) await timed(port, paths(LEVELS.length), 4)
    for (const [turn, connections] of LEVELS.entries()) {
      const { figures: floor } = await timed(port, Array<string>(REQUESTS).fill(FLOOR), connections)
      const add = (query: string, step: string, figures: typeof floor): void => {
        rows.push({ query, step, connections, ...figures, ratio: figures.p50_ms / floor.p50_ms })
      }
      add('floor', 'repeated', floor)
      for (const [query, paths] of Object.entries(queries)) {
        const cold = await timed(port, paths(turn), connections)
        add(query, 'cold', cold.figures)
        add(query, 'cached', (await timed(port, paths(turn), connections)).figures)
        add(query, 'with ETag', (await timed(port, paths(turn), connections, cold.etags)).figures)
        await passMinute()
        add(query, 'a minute later, with ETag', (await timed(port, paths(turn), connections, cold.etags)).figures)
        await passMinute()
        add(query, 'a minute later', (await timed(port, paths(turn), connections)).figures)
      }
    }
    return rows
  } finally {
    stop()
  }
}
