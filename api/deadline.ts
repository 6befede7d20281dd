import type { IncomingMessage } from 'node:http'

/** Does work that is withdrawn when the client leaves or the time for it is up. */
export const within = async <T>(
  milliseconds: number,
  request: IncomingMessage,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, milliseconds)
  request.once('close', abort)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    request.off('close', abort)
  }
}
