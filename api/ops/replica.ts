import type { FastifyBaseLogger } from 'fastify'
import { emptyStore, readPointer, readStorePointer, type Store } from '../../engine/index.ts'
import type { WatchedLake } from './lake.ts'
import { pullInBackground } from './pull.ts'

export type ReplicaOptions = {
  store: Store
  /** The folder of the lake that snapshots are pulled into. */
  folder: string
  /** Whether observed prices are left out, since a cluster has them. */
  without_facts: boolean
  lake: Pick<WatchedLake, 'state'>
  poll_ms: number
  log: FastifyBaseLogger
}

/** The state of the store for operators. */
export type ReplicaState = {
  store: string
  /** The snapshot that the store has published, as last read; null before the first time. */
  snapshot_id: string | null
  is_pulling: boolean
  /** When the lake last had the snapshot of the store, RFC 3339; null if it never had. */
  last_success: string | null
  /** Why the last check or pull failed; null if it succeeded. */
  error: string | null
  /** For how long the lake has lacked the snapshot of the store. */
  lag_seconds: number
  /** Pulls since the start, and the bytes that they fetched. */
  pulls: { succeeded: number; failed: number; bytes: number }
}

/** After failures the interval doubles, up to this many times itself. */
const MAX_BACKOFF = 4

/** A random factor around 1, so that replicas do not read the store at the same moment. */
const jitter = (): number => 0.8 + 0.4 * Math.random()

/**
 * Keeps a lake a replica of a store: reads the pointer of the store at intervals and, when it has moved or the lake is
 * damaged, pulls its snapshot. The service finds it as it finds one of a refresh. If the store fails, the lake stays as
 * it is.
 */
export const createReplica = ({ store, folder, without_facts, lake, poll_ms, log }: ReplicaOptions) => {
  const stopping = new AbortController()
  const pulls = { succeeded: 0, failed: 0, bytes: 0 }
  let snapshot_id: string | null = null
  let is_pulling = false
  let last_success: string | null = null
  let error: string | null = null
  let failures = 0
  let lag_since: number | null = null
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> = Promise.resolve()

  const pull = async (): Promise<void> => {
    is_pulling = true
    lag_since ??= performance.now()
    const start = performance.now()
    log.info({ snapshot_id, store: store.name }, 'pulling snapshot')
    try {
      const { fetched, reused, ...pulled } = await pullInBackground(
        { store: store.name, lake: folder, without_facts },
        stopping.signal,
      )
      pulls.succeeded += 1
      pulls.bytes += fetched.bytes
      snapshot_id = pulled.snapshot_id
      const ms = Math.round(performance.now() - start)
      log.info({ snapshot_id, fetched, reused, ms }, 'pulled snapshot')
      for (const reason of pulled.warnings) log.warn({ snapshot_id, reason }, 'pulled snapshot')
    } catch (cause) {
      if (!stopping.signal.aborted) pulls.failed += 1
      throw cause
    } finally {
      is_pulling = false
    }
  }

  const check = async (): Promise<void> => {
    const pointer = await readStorePointer(store)
    if (pointer === null) throw emptyStore(store)
    snapshot_id = pointer.snapshot_id
    const there = await readPointer(folder).catch(() => null)
    if (there?.manifest_sha256 !== pointer.manifest_sha256 || lake.state().damage !== null) await pull()
    lag_since = null
    last_success = new Date().toISOString()
  }

  const checkAndReport = async (): Promise<void> => {
    try {
      await check()
      if (error !== null) log.info({ store: store.name }, 'the store can be pulled from again')
      error = null
      failures = 0
    } catch (cause) {
      if (stopping.signal.aborted) return
      const { message } = cause as Error
      if (message !== error) log.error({ store: store.name, reason: message }, 'cannot pull from the store')
      error = message
      failures += 1
    }
  }

  const poll = (): void => {
    checking = checkAndReport().finally(() => {
      if (stopping.signal.aborted) return
      timer = setTimeout(poll, poll_ms * jitter() * Math.min(2 ** failures, MAX_BACKOFF)).unref()
    })
  }

  return {
    state: (): ReplicaState => ({
      store: store.name,
      snapshot_id,
      is_pulling,
      last_success,
      error,
      lag_seconds: lag_since === null ? 0 : Math.round((performance.now() - lag_since) / 1000),
      pulls: { ...pulls },
    }),
    /** Checks the store now, and then at intervals. */
    start: poll,
    /** Stops, and ends a pull that is running; the next one continues it. */
    async close(): Promise<void> {
      clearTimeout(timer)
      stopping.abort()
      await checking
    },
  }
}

export type Replica = ReturnType<typeof createReplica>
