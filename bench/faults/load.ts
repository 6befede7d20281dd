import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A request: a path to get, or one with headers or a body to post. */
export type LoadTarget = string | { path: string; headers: Record<string, string>; body?: string }

/** Requests to send; their paths are numbered (`numbered.ts`), so that no answer is cached. */
export type Load = {
  port: number
  targets: readonly LoadTarget[]
  /** The address of this machine that they come from, since rates are limited by address. */
  from?: string
  connections: number
  /** Requests per second, independent of responses; without it each connection sends the next request after a response. */
  rate?: number
  seconds: number
  requests?: number
  /** The process of the service, for whose waits for a processor `working_p99_ms` makes up. */
  service?: number | undefined
}

/** How often each status or error occurred, refusals that do not say when to come back apart, and the times of the responses with 200. */
export type Loaded = {
  sent: number
  /** Requests that were due while 2,000 others waited for an answer. */
  unsent: number
  statuses: Record<string, number>
  p50_ms: number
  p99_ms: number
  /** The same without the time in which service or client waited for a processor that others had. */
  working_p99_ms: number
}

const worker = fileURLToPath(new URL('load-worker.ts', import.meta.url))

/** Sends requests from a separate process. */
export const load = async (load: Load): Promise<Loaded> => {
  const child = fork(worker)
  child.send(load)
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code}`)
  })
  failed.catch(() => {})
  const [loaded] = (await Promise.race([once(child, 'message'), failed])) as [Loaded]
  return loaded
}

export const spreadOf = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${times.toLocaleString('en')} x ${status}`)
    .join(', ')
