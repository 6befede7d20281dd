import { HOUR_MS } from '../../engine/index.ts'
import type { ClusterWatch } from './cluster.ts'
import type { WatchedLake } from './lake.ts'
import type { Replica } from './replica.ts'

const hoursSince = (time: string | null): number | null =>
  time === null ? null : Math.round(((Date.now() - Date.parse(time)) / HOUR_MS) * 10) / 10

/** The served snapshot, its age, and for how long the lake's pointer has named another. */
const snapshotState = (lake: WatchedLake) => {
  const { snapshot_id, published_id: pointer, published_at, fallback_for, damage, lag_seconds, problem } = lake.state()
  return {
    snapshot_id,
    published_at,
    fallback_for,
    age_hours: hoursSince(published_at),
    newest_observation_hours: hoursSince(lake.engine()?.newest_observed_at ?? null),
    pointer,
    lag_seconds,
    reason: damage ? `${damage.file}: ${damage.reason}` : problem,
  }
}

/** The store that the lake is pulled from; null without one. */
const storeState = (replica: Replica | null | undefined) => {
  if (!replica) return null
  const { store, snapshot_id, is_pulling, last_success, lag_seconds, error } = replica.state()
  return { name: store, snapshot_id, is_pulling, last_success, lag_seconds, error }
}

/** Why no snapshot is served. */
const missingReason = (reason: string | null, store: ReturnType<typeof storeState>): string => {
  if (store?.error) return `none yet: ${store.error}`
  if (store) return `none yet: ${store.snapshot_id ?? 'the newest one'} is being pulled from ${store.name}`
  return reason ?? 'none is open yet'
}

/** What payments say of themselves: whether their journal can be written, and how their facilitator is. */
export type PaymentState = {
  journal(): Promise<string>
  facilitator(): FacilitatorState | null
}

type FacilitatorState = { state: string; reason: string | null; calls: { supported: { ok?: number | undefined } } }

export type ReadinessOptions = {
  lake: WatchedLake
  payments: PaymentState | null | undefined
  isStopping?: boolean | undefined
  replica?: Replica | null | undefined
  cluster?: ClusterWatch | null | undefined
}

/**
 * Whether the service can answer, and if not, why. A snapshot older than the pointer's, a store that fails, a node of the cluster that is
 * away, and a facilitator that is down after its networks were fetched, are reported but do not make it unready.
 */
export const readiness = async ({ lake, payments, isStopping = false, replica, cluster }: ReadinessOptions) => {
  const snapshot = snapshotState(lake)
  const store = storeState(replica)
  const journal = payments ? await payments.journal() : null
  const facilitator = payments?.facilitator() ?? null
  const hasNeverAnswered = facilitator !== null && facilitator.state !== 'up' && !facilitator.calls.supported.ok
  const reasons = [
    ...(isStopping ? ['the service is stopping'] : []),
    ...(snapshot.snapshot_id === null ? [`snapshot: ${missingReason(snapshot.reason, store)}`] : []),
    ...(payments === undefined ? ['payments: starting'] : []),
    ...(journal !== null && journal !== 'ok' ? [`journal: ${journal}`] : []),
    ...(hasNeverAnswered ? [`facilitator: ${facilitator.reason ?? 'has not answered yet'}`] : []),
  ]
  return {
    status: reasons.length === 0 ? ('ready' as const) : ('not ready' as const),
    reasons,
    snapshot,
    store,
    cluster: cluster?.state() ?? null,
    journal,
    facilitator: facilitator && { state: facilitator.state, reason: facilitator.reason },
  }
}

export type Readiness = Awaited<ReturnType<typeof readiness>>

/** The same for queries over prices, which need a replica of every shard of the cluster. */
export const pricesReadiness = (state: Readiness): Readiness => {
  const problem = state.cluster?.problem ?? null
  if (problem === null) return state
  return { ...state, status: 'not ready', reasons: [...state.reasons, `cluster: ${problem}`] }
}
