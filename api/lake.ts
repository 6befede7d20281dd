import type { FastifyBaseLogger } from 'fastify'
import { Engine, EngineError, type EngineOptions } from '../engine/index.ts'

export type LakeOptions = { lake: string; reload_ms: number; options: EngineOptions; log: FastifyBaseLogger }

/**
 * The engine of a lake that is refreshed while it is served: opened when there is a first snapshot, switched when there
 * is a new one. A damaged new snapshot is logged once and the one before keeps serving.
 */
export const watchLake = async ({ lake, reload_ms, options, log }: LakeOptions) => {
  let engine: Engine | undefined
  let complaint = ''

  /** Opens or switches; what happened is a line for the log, where anything did. */
  const look = async (): Promise<() => void> => {
    try {
      const switched = engine ? await engine.reload() : true
      engine ??= await Engine.open(lake, options)
      complaint = ''
      const { snapshot_id } = engine.manifest
      return () => switched && log.info({ snapshot_id }, 'serving snapshot')
    } catch (error) {
      const { message } = error as Error
      const isNew = message !== complaint
      complaint = message
      return () => isNew && log.error({ message }, 'no new snapshot')
    }
  }

  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const first = await look()

  return {
    /** Logs what was found at first and looks again from time to time. */
    watch(): void {
      first()
      timer = setInterval(() => {
        looking ??= look().then((tell) => {
          tell()
          looking = undefined
        })
      }, reload_ms).unref()
    },
    /** The open engine. Throws NOT_READY while there is no snapshot. */
    engine(): Engine {
      if (!engine) throw new EngineError('NOT_READY', 'There is no snapshot yet.')
      return engine
    },
    isReady: (): boolean => engine !== undefined,
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      engine?.close()
    },
  }
}
export type ServedLake = Awaited<ReturnType<typeof watchLake>>
