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

  const open = async (): Promise<void> => {
    const isNew = engine ? await engine.reload() : true
    engine ??= await Engine.open(lake, options)
    complaint = ''
    if (isNew) log.info({ snapshot_id: engine.manifest.snapshot_id }, 'serving snapshot')
  }

  const look = async (): Promise<void> => {
    let id = ''
    try {
      id = (await currentSnapshotId(lake)) ?? ''
      if (id !== '' && id === refused.id && performance.now() < refused.until) return
      await open()
    } catch (error) {
      refused = { id, until: performance.now() + REFUSED_MS }
      const { message } = error as Error
      if (message !== complaint) log.error({ reason: message }, 'no new snapshot')
      complaint = message
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
