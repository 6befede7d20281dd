import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { notReady, Refusal } from './problem.ts'

/** Work whose client disconnected or whose time is up. */
export class Cancelled extends Refusal {
  constructor() {
    const { code, details, headers } = notReady('')
    super(code, 'The query timed out or was cancelled; retry.', details, headers)
  }
}

/** Turns of the event loop needed to read a request, the end of its connection and its consequences. */
const EVENT_LOOP_TURNS = 4

/**
 * Lets the event loop notice disconnected clients. Otherwise a statement would start, only to be interrupted, for each
 * client that disconnected while the service was busy.
 */
export const detectDisconnects = async (): Promise<void> => {
  for (let turn = 0; turn < EVENT_LOOP_TURNS; turn += 1) await setImmediate()
}

/** A call to a payment network that timed out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** The time limit of one request. */
export type Deadline = {
  /** Aborts when the client disconnects or the time is up. */
  signal: AbortSignal
  /**
   * Waits for a payment network; the time, limited to `milliseconds`, does not count as the request's own. Throws
   * TimedOut at the limit; the work is not stopped, since money may be on its way.
   */
  grant<T>(milliseconds: number, work: () => Promise<T>): Promise<T>
}

/**
 * Runs the work of a request under one deadline, from planning to settling. `connection` closes when the client
 * disconnects: the request, or the response to a request with a body, which closes when its body was read.
 */
export const withDeadline = async <T>(
  milliseconds: number,
  connection: IncomingMessage | ServerResponse,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let remaining = milliseconds
  let since = performance.now()
  let timer = setTimeout(abort, remaining)
  connection.once('close', abort)

  const grant = async <R>(granted: number, wait: () => Promise<R>): Promise<R> => {
    clearTimeout(timer)
    remaining -= performance.now() - since
    let timedOut: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timedOut = setTimeout(() => reject(new TimedOut(`no answer within ${granted} ms`)), granted)
    })
    try {
      return await Promise.race([wait(), timeout])
    } finally {
      clearTimeout(timedOut)
      since = performance.now()
      timer = setTimeout(abort, Math.max(0, remaining))
    }
  }

  try {
    return await work({ signal: controller.signal, grant })
  } finally {
    clearTimeout(timer)
    connection.off('close', abort)
  }
}
