import type { FastifyBaseLogger } from 'fastify'
import { Engine, type EngineOptions, type Served } from '../../engine/index.ts'

export type LakeOptions = { lake: string; reload_ms: number; options: EngineOptions; log: FastifyBaseLogger }

/** A lake as requests see it: its engine, undefined while there is no snapshot. */
export type Lake = { engine(): Engine | undefined }

/** The state of a lake for operators. */
export type LakeState = Served & {
  /** When the served snapshot was published, RFC 3339; null without one. */
  published_at: string | null
  /**
   * The published snapshot while an older one is served in its place, `unknown` if the pointer cannot be read; else
   * null.
   */
  fallback_for: string | null
  /** For how long the served snapshot has differed from the one that the pointer names. */
  lag_seconds: number
  /** Snapshots refused as damaged since the start. */
  refused_snapshots: number
  /** Why the last check for a snapshot failed; null if it succeeded. */
  problem: string | null
}

const NOTHING: Served = { snapshot_id: null, published_id: null, damage: null }

/**
 * The engine of a lake that is refreshed while it is served: opened with the first snapshot, switched to each new one,
 * and back to the newest intact one if one is damaged. Each change is logged.
 */
export const createLake = ({ lake, reload_ms, options, log }: LakeOptions) => {
  let engine: Engine | undefined
  let problem: string | null = null
  let logged = ''
  let refused_snapshots = 0
  let lag_since: number | null = null

  /** Records since when the served snapshot differs from the one that the pointer names. */
  const noteLag = (): void => {
    const { snapshot_id, published_id } = engine?.state ?? NOTHING
    const isLagging = published_id !== null && published_id !== snapshot_id
    lag_since = isLagging ? (lag_since ?? performance.now()) : null
  }

  const logDamage = ({ snapshot_id, damage }: Served): void => {
    if (!damage) return
    refused_snapshots += 1
    const { snapshot_id: damaged, file, reason } = damage
    const outcome = snapshot_id ? 'another snapshot answers in its place' : 'nothing can be answered'
    log.error({ snapshot_id: damaged, file, reason, serving: snapshot_id }, `damaged snapshot: ${outcome}`)
  }

  const logState = (opened: Engine): void => {
    const state = opened.state
    const now = JSON.stringify(state)
    if (now === logged) return
    logged = now
    logDamage(state)
    const { snapshot_id } = state
    if (snapshot_id === null) return
    const { fallback_for, lease_problem, has_listings_in_memory } = opened
    const place = has_listings_in_memory ? {} : { listings: 'beyond the memory budget' }
    log.info({ snapshot_id, ...(fallback_for ? { fallback_for } : {}), ...place }, 'serving snapshot')
    if (lease_problem) log.warn({ snapshot_id, reason: lease_problem }, 'no lease on the snapshot: it may be removed')
  }

  const checkForSnapshot = async (): Promise<void> => {
    try {
      if (engine) await engine.reload()
      engine ??= await Engine.open(lake, options)
      problem = null
      logState(engine)
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) log.error({ reason: message }, 'no new snapshot')
      problem = message
    } finally {
      noteLag()
    }
  }

  let checking: Promise<void> | undefined
  const checkOnce = (): Promise<void> => {
    checking ??= checkForSnapshot().finally(() => {
      checking = undefined
    })
    return checking
  }
  let timer: NodeJS.Timeout | undefined

  return {
    engine: (): Engine | undefined => engine,
    state: (): LakeState => ({
      ...(engine?.state ?? NOTHING),
      published_at: engine?.manifest.published_at ?? null,
      fallback_for: engine?.fallback_for ?? null,
      lag_seconds: lag_since === null ? 0 : Math.round((performance.now() - lag_since) / 1000),
      refused_snapshots,
      problem,
    }),
    /** Checks for a snapshot now, and then at intervals. */
    async watch(): Promise<void> {
      timer = setInterval(checkOnce, reload_ms).unref()
      await checkOnce()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await checking
      engine?.close()
    },
  }
}

export type WatchedLake = ReturnType<typeof createLake>
