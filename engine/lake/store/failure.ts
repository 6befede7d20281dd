import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from '../../contract/errors.ts'

/** What failed: the store, the object, and whether a retry may succeed. */
export type StoreFailure = { store: string; object: string; reason: string; is_transient: boolean }

/** The refusal of a request to a store. */
export const storeFailure = (failure: StoreFailure, advice: string): EngineError =>
  new EngineError('NOT_READY', `${failure.store}: ${failure.object}: ${failure.reason}; ${advice}`, failure)

/** The failure of a store that an error reports; undefined for any other error. */
export const storeFailureOf = (cause: unknown): StoreFailure | undefined => {
  if (!(cause instanceof EngineError) || cause.code !== 'NOT_READY') return undefined
  const details = cause.details as Partial<StoreFailure>
  return details.store === undefined || details.object === undefined ? undefined : (details as StoreFailure)
}

export type RetryOptions = {
  /** How often a request is sent before its failure is reported. */
  attempts: number
  /** The longest pause before the first retry; it doubles with each. */
  pause_ms: number
  signal?: AbortSignal | undefined
}

/** Repeats work that fails for a reason that may pass, after pauses of random length, so that clients do not retry together. */
export const withRetries = async <T>(
  work: () => Promise<T>,
  { attempts, pause_ms, signal }: RetryOptions,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (cause) {
      if (attempt >= attempts || !storeFailureOf(cause)?.is_transient) throw cause
      await sleep(pause_ms * 2 ** (attempt - 1) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {
        throw signal?.reason
      })
    }
  }
}
