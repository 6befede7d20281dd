import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { completeRefresh, writeDay } from './days.ts'
import { type Measured, progress, skipped, Tally } from './figure.ts'
import { load } from './load.ts'
import { drawnTargets } from './numbered.ts'
import { serveProcess } from './served.ts'

const REFRESHES = 24
/** The parts before memory is compared. */
const WARM_UP = REFRESHES / 3
const CONNECTIONS = 16
/** The allocator keeps what the most requests at once needed, so the warm-up has more at once than come later. */
const WARM_UP_CONNECTIONS = 32
/** Pino's number of errors, which are faults and damage. */
const ERROR_LEVEL = 50
const GOAL_MIB = 1
/** Answers by how many of each 40: most of what a service answers is cheap. */
const ANSWERS: readonly (readonly [path: string, times: number])[] = [
  ['/v1/public/stats', 24],
  ['/v1/marketing/competitive-landscape?category=coffee&offset={n}', 12],
  ['/v1/shopper/best-price?q=coffee+{n}', 2],
  ['/v1/analyst/inflation?category=coffee&days={days}', 1],
  ['/v1/analyst/inflation?category=coffee&granularity=daily&days={days}', 1],
]
/** Answers, and for each 40 of them 12 pages, files, results over MCP and batches. */
const TARGETS = [
  ...ANSWERS.flatMap(([path, times]) => Array.from({ length: times }, () => path)),
  ...drawnTargets('analyst/inflation', { category: 'coffee', days: '{days}' }),
  ...drawnTargets('marketing/competitive-landscape', { category: 'coffee' }),
]

/** Preloaded into the service: on SIGUSR2 all its threads collect their garbage, which is no growth. */
const COLLECTING = `
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { isMainThread } from 'node:worker_threads'
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const threads = new BroadcastChannel('collect')
  threads.unref()
  threads.onmessage = collect
  if (isMainThread) process.on('SIGUSR2', () => { threads.postMessage(null); collect() })`
/** Memory is read this often after that: what is still buffered is no growth either. */
const READINGS = 20
const READING_MS = 100

type Sample = { queries: number; rss_mib: number; descriptors: number }

const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The lowest of the readings of a process that nothing asks for anything, once it has collected its garbage. */
const measureProcess = async (pid: number): Promise<Omit<Sample, 'queries'>> => {
  process.kill(pid, 'SIGUSR2')
  let rss_mib = Number.POSITIVE_INFINITY
  for (let reading = 0; reading < READINGS; reading++) {
    await sleep(READING_MS)
    rss_mib = Math.min(rss_mib, rssOf(pid))
  }
  return { rss_mib, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** The slope of the line of least squares through points. */
const slopeOf = (points: readonly (readonly [number, number])[]): number => {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}

/** Queries over a lake that is refreshed again and again: what memory and descriptors do after the first third. */
export const measureSoak = async (rounds: number): Promise<Measured> => {
  if (process.platform !== 'linux') return skipped('memory and descriptors are read from /proc, which is of Linux')
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-soak-'))
  const lake = join(folder, 'lake')
  const tally = new Tally()
  try {
    await completeRefresh(await writeDay(folder, 0), lake)
    const { port, child, log, stop } = await serveProcess({
      SHELFMARK_LAKE: lake,
      SHELFMARK_AS_OF: '2026-02-01',
      SHELFMARK_RELOAD_MS: '100',
      SHELFMARK_CACHE_MIB: '8',
      SHELFMARK_QUEUE: String(WARM_UP_CONNECTIONS),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECTING)}`,
    })
    void once(child, 'exit').then(() => tally.count('the service is gone'))
    const samples: Sample[] = []
    const say = progress('refreshes', REFRESHES)
    let queries = 0
    for (let day = 1; day <= REFRESHES; day++) {
      const part = Math.ceil(rounds / REFRESHES)
      const refreshed = writeDay(folder, day).then((feeds) => completeRefresh(feeds, lake))
      const connections = day <= WARM_UP ? WARM_UP_CONNECTIONS : CONNECTIONS
      const { statuses } = await load({ port, targets: TARGETS, connections, seconds: 3600, requests: part })
      queries += part
      tally.count((await refreshed) !== 0 && 'a refresh failed')
      for (const [status, times] of Object.entries(statuses))
        if (!['200', '404'].includes(status)) tally.count(`${times} x ${status}`)
      for (const { level, msg } of log.splice(0))
        if (Number(level) >= ERROR_LEVEL) tally.count(`an error in the log: ${msg}`)
      samples.push({ queries, ...(await measureProcess(child.pid!)) })
      say(day)
    }
    tally.rounds = queries
    const steady = samples.slice(WARM_UP)
    const slope = slopeOf(steady.map(({ queries, rss_mib }) => [queries / 100_000, rss_mib]))
    const [first, last] = [steady[0]!, steady.at(-1)!]
    const isFlat = last.descriptors <= first.descriptors * 1.1 + 8
    child.removeAllListeners('exit')
    await stop()
    const descriptors = `descriptors ${first.descriptors} to ${last.descriptors}`
    const memory = `${steady.map(({ rss_mib }) => rss_mib.toFixed(0)).join(' ')} MiB`
    const summary = `${queries.toLocaleString('en')} queries, ${REFRESHES} refreshes: ${slope.toFixed(2)} MiB per 100,000, ${memory}, ${descriptors}`
    return tally.measured(summary, slope < GOAL_MIB && isFlat)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
