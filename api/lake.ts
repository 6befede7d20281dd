import type { FastifyBaseLogger } from 'fastify'
import { currentSnapshotId, Engine, type EngineOptions } from '../engine/index.ts'

export type LakeOptions = { lake: string; reload_ms: number; options: EngineOptions; log: FastifyBaseLogger }

/** What a request sees of a lake: its engine, undefined while there is no snapshot. */
export type Lake = { engine(): Engine | undefined }

/** A damaged snapshot is not tried again for so long: checking its files costs as much as reading them. */
const REFUSED_MS = 60_000

/**
 * The engine of a lake that is refreshed while it is served: opened when there is a first snapshot, switched when there
 * is a new one. A damaged new snapshot is logged once, and the one before keeps serving.
 */
export const createLake = ({ lake, reload_ms, options, log }: LakeOptions) => {
  let engine: Engine | undefined
  let refused = { id: '', until: 0 }
  let complaint = ''
  let refused_total = 0
  let pointer: string | null = null
  let behind_since: number | null = null

  /** Notes which snapshot the pointer names, and since when another one is served. */
  const noteLag = (): void => {
    const isBehind = engine !== undefined && pointer !== null && pointer !== engine.manifest.snapshot_id
    behind_since = isBehind ? (behind_since ?? performance.now()) : null
  }

  const open = async (): Promise<void> => {
    const isNew = engine ? await engine.reload() : true
    engine ??= await Engine.open(lake, options)
    complaint = ''
    if (isNew) log.info({ snapshot_id: engine.manifest.snapshot_id }, 'serving snapshot')
  }

  const look = async (): Promise<void> => {
    let id = ''
    try {
      pointer = await currentSnapshotId(lake)
      id = pointer ?? ''
      if (id !== '' && id === refused.id && performance.now() < refused.until) return
      await open()
    } catch (error) {
      refused = { id, until: performance.now() + REFUSED_MS }
      const { message } = error as Error
      if (message !== complaint) {
        refused_total += 1
        log.error({ reason: message }, 'no new snapshot')
      }
      complaint = message
    } finally {
      noteLag()
    }
  }

  let looking: Promise<void> | undefined
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  let timer: NodeJS.Timeout | undefined

  return {
    engine: (): Engine | undefined => engine,
    /** What became of the snapshots that the pointer named. */
    status: () => ({
      pointer,
      /** For how long another snapshot has been served than the pointer names. */
      lag_seconds: behind_since === null ? 0 : Math.round((performance.now() - behind_since) / 1000),
      /** Why the snapshot of the pointer is not served; null where nothing speaks against it. */
      reason: complaint || null,
      refused: refused_total,
    }),
    /** Looks for a snapshot now, and again from time to time. */
    async watch(): Promise<void> {
      timer = setInterval(lookOnce, reload_ms).unref()
      await lookOnce()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      engine?.close()
    },
  }
}

export type WatchedLake = ReturnType<typeof createLake>
