import type { FastifyBaseLogger } from 'fastify'
import { Engine, type EngineOptions, type Served } from '../engine/index.ts'

export type LakeOptions = { lake: string; reload_ms: number; options: EngineOptions; log: FastifyBaseLogger }

/** What a request sees of a lake: its engine, undefined while there is no snapshot. */
export type Lake = { engine(): Engine | undefined }

/** The state of a lake for operators. */
export type LakeState = Served & {
  /** When the snapshot that is served was published, RFC 3339; null without one. */
  published_at: string | null
  /** The published snapshot that an older one is served in place of, `unknown` where the pointer cannot be read; null normally. */
  fallback_for: string | null
  /** For how long another snapshot has been served than the pointer names. */
  lag_seconds: number
  /** Snapshots that were refused as damaged since the start. */
  refused_snapshots: number
  /** Why the last look at the lake failed; null where it did not. */
  problem: string | null
}

const NOTHING: Served = { snapshot_id: null, published_id: null, damage: null }

/**
 * The engine of a lake that is refreshed while it is served: opened when there is a first snapshot, switched when there
 * is a new one, and led back to the newest sound one where one is damaged. Each change of that is a line in the log.
 */
export const createLake = ({ lake, reload_ms, options, log }: LakeOptions) => {
  let engine: Engine | undefined
  let problem: string | null = null
  let logged = ''
  let refused_snapshots = 0
  let behind_since: number | null = null

  /** Records since when the served snapshot differs from the one the pointer names. */
  const noteLag = (): void => {
    const { snapshot_id, published_id } = engine?.state ?? NOTHING
    const isBehind = published_id !== null && published_id !== snapshot_id
    behind_since = isBehind ? (behind_since ?? performance.now()) : null
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
    const { fallback_for, lease_problem } = opened
    log.info({ snapshot_id, ...(fallback_for ? { fallback_for } : {}) }, 'serving snapshot')
    if (lease_problem) log.warn({ snapshot_id, reason: lease_problem }, 'no lease on the snapshot: it may be removed')
  }

  const look = async (): Promise<void> => {
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
    state: (): LakeState => ({
      ...(engine?.state ?? NOTHING),
      published_at: engine?.manifest.published_at ?? null,
      fallback_for: engine?.fallback_for ?? null,
      lag_seconds: behind_since === null ? 0 : Math.round((performance.now() - behind_since) / 1000),
      refused_snapshots,
      problem,
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
