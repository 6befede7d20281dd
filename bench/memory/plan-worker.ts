import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Engine, EngineError, readParams } from '../../engine/index.ts'
import { bestPrice } from '../../engine/queries/shopper/best-price.ts'
import { AS_OF } from '../lake.ts'
import { median, quantile } from '../quantile.ts'

/** What a worker measures of planning product searches. */
export type PlanFigures = {
  start_seconds: number
  start_block_ms: number
  cold_p50_ms: number | null
  cold_p99_ms: number | null
  p50_ms: number
  p99_ms: number
  peak_mib: number
}

/** Cold queries are few: each reads blocks that no other has read. */
const COLD_QUERIES = 100

const [lake = '', budget = '', queriesFile = ''] = process.argv.slice(2)
const texts = JSON.parse(readFileSync(queriesFile, 'utf8')) as string[]

/** Empties the page cache; false where that is not permitted. */
const dropPageCache = (): boolean => {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '1')
    return true
  } catch {
    return false
  }
}

const plan = async (engine: Engine, q: string): Promise<number> => {
  const params = readParams(bestPrice, { q })
  const start = performance.now()
  await engine.plan(bestPrice, params).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error
  })
  return performance.now() - start
}

const timesOf = async (engine: Engine, queries: readonly string[]): Promise<number[]> => {
  const times: number[] = []
  for (const q of queries) times.push(await plan(engine, q))
  return times
}

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const start = performance.now()
const engine = await Engine.open(lake, {
  as_of: AS_OF,
  warm: true,
  memory_limit: '2GiB',
  memory_budget: Number(budget),
})
const start_seconds = (performance.now() - start) / 1000
const start_block_ms = delay.max / 1e6
delay.disable()
const cold = dropPageCache() ? await timesOf(engine, texts.slice(0, COLD_QUERIES)) : null
// The first round compiles the code and reads the files.
await timesOf(engine, texts.slice(COLD_QUERIES))
const warm = await timesOf(
  engine,
  texts.slice(COLD_QUERIES).map((text) => `${text} `),
)
process.send?.({
  start_seconds,
  start_block_ms,
  cold_p50_ms: cold && median(cold),
  cold_p99_ms: cold && quantile(cold, 0.99),
  p50_ms: median(warm),
  p99_ms: quantile(warm, 0.99),
  peak_mib: process.resourceUsage().maxRSS / 1024,
} satisfies PlanFigures)
engine.close()
