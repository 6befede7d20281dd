import type { FastifyRequest } from 'fastify'
import type { Metrics } from '../ops/metrics.ts'
import { newTrace, type Trace } from './trace.ts'

/** How a request ended. */
export type Ending = { status: number; bytes: number }

/** For the log and metrics only: the client disconnected before its answer. */
export const DISCONNECTED: Ending = { status: 499, bytes: 0 }

const rounded = (milliseconds: number): number => Number(milliseconds.toFixed(2))

/** The log line of a request that has ended. */
const logLine = ({ method, routeOptions }: FastifyRequest, { status, bytes }: Ending, trace: Trace) => {
  const { query, snapshot_id, plan, cache, timings, payment } = trace
  const steps = Object.entries(timings).map(([step, ms]) => [`${step}_ms`, rounded(ms)])
  return {
    method,
    route: routeOptions.url,
    status,
    ms: rounded(performance.now() - trace.start),
    bytes,
    ...(query ? { query } : {}),
    ...(plan ? { snapshot_id, plan, cache } : {}),
    ...Object.fromEntries(steps),
    ...(payment ? { payment } : {}),
  }
}

/**
 * Logs and counts a request that has ended. A disconnected client is not an error. A query that ran longer than
 * `slow_ms` is logged with its plan.
 */
export const record = (request: FastifyRequest, ending: Ending, metrics: Metrics, slow_ms: number): void => {
  const { trace = newTrace(), log, plan } = request
  const line = logLine(request, ending, trace)
  metrics.count(trace, ending.status, line.ms)
  log.info(line, ending === DISCONNECTED ? 'client disconnected' : 'answered')
  const { run_ms } = line as { run_ms?: number }
  if (run_ms !== undefined && run_ms > slow_ms) log.warn({ query: trace.query, run_ms, plan }, 'slow query')
}
