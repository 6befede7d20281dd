import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { currentSnapshotId, snapshotFolder } from '../engine/index.ts'
import { refresh } from '../ingest/refresh.ts'
import { givenCatalogue } from './catalogue.ts'
import { openFloor } from './floor.ts'
import { AS_OF, isReadable } from './lake.ts'
import { median, quantile } from './quantile.ts'

const MOST_LISTINGS = 2_000_000
const QUESTIONS = 200
const LEVELS = [1, 16, 64]
/** Answered from files' metadata: what routing, planning and writing an answer cost. */
const FLOOR = '/v1/public/stats'

const service = fileURLToPath(new URL('../api/main.ts', import.meta.url))

/** A lake of a made-up catalogue, made once and kept. */
const givenLake = async (listings: number): Promise<string> => {
  const feeds = await givenCatalogue(listings)
  const lake = join(feeds, '..', 'http-lake')
  if (await isReadable(lake)) return lake
  await rm(lake, { recursive: true, force: true })
  console.error(`Refreshing ${lake}`)
  const { status } = await refresh({ feeds, lake, memory_limit: '2GiB' })
  if (status !== 'published') throw new Error(`the refresh was ${status}`)
  return lake
}

/** Serves a lake without payments in a process of its own. */
const serve = async (lake: string) => {
  const child = spawn(process.execPath, [...process.execArgv, service], {
    env: {
      ...process.env,
      SHELFMARK_LAKE: lake,
      SHELFMARK_PORT: '0',
      SHELFMARK_ADMIN_PORT: '',
      SHELFMARK_PAYMENTS: 'off',
      SHELFMARK_AS_OF: AS_OF.toISOString(),
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
  return { port, stop: () => child.kill() }
}

/** Milliseconds from a request to the last byte of its answer. */
const time = (agent: Agent, port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    get({ agent, port, host: '127.0.0.1', path }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - start)
        else reject(new Error(`${response.statusCode} for ${path}`))
      })
    }).once('error', reject)
  })

/** Requests the paths over a number of connections, each as soon as its last answer has arrived. */
const timed = async (port: number, paths: readonly string[], connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const waiting = [...paths]
  const ask = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) times.push(await time(agent, port, path))
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, ask))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  return { p50_ms: median(times), p99_ms: quantile(times, 0.99), per_second: paths.length / seconds }
}

/** Questions about different listings, so that no answer is known before: `turn` picks others each time. */
const questionsOf = async (lake: string) => {
  const floor = await openFloor()
  const id = (await currentSnapshotId(lake)) ?? ''
  const rows = await floor.runAndReadAll(
    `SELECT product_uid, product_name FROM read_parquet('${snapshotFolder(lake, id)}/listings/country=us/*.parquet')
     WHERE price IS NOT NULL ORDER BY hash(product_uid) LIMIT ${(LEVELS.length + 1) * QUESTIONS}`,
  )
  const names = rows.getRowsJS() as [string, string][]
  const of = (turn: number) => names.slice(turn * QUESTIONS, (turn + 1) * QUESTIONS)
  return {
    'a name': (turn: number) => of(turn).map(([, name]) => `/v1/shopper/best-price?q=${encodeURIComponent(name)}`),
    'a uid': (turn: number) => of(turn).map(([uid]) => `/v1/shopper/best-price?product_uid=${uid}`),
  }
}

/** best-price over HTTP without payment, of new and of repeated questions, beside the floor in the same run. */
export const benchHttp = async (observations: number) => {
  const lake = await givenLake(Math.min(observations, MOST_LISTINGS))
  const { port, stop } = await serve(lake)
  try {
    const questions = await questionsOf(lake)
    const rows: Record<string, unknown>[] = []
    // Statements are prepared and code is compiled by the first questions.
    for (const paths of Object.values(questions)) await timed(port, paths(LEVELS.length), 4)
    for (const [turn, connections] of LEVELS.entries()) {
      const floor = await timed(port, Array<string>(QUESTIONS).fill(FLOOR), connections)
      rows.push({ question: 'floor', connections, ...floor, ratio: 1 })
      for (const [question, paths] of Object.entries(questions))
        for (const asked of ['new', 'repeated']) {
          const measured = await timed(port, paths(turn), connections)
          rows.push({
            question: `${question}, ${asked}`,
            connections,
            ...measured,
            ratio: measured.p50_ms / floor.p50_ms,
          })
        }
    }
    return rows
  } finally {
    stop()
  }
}
