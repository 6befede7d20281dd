import type { WatchedLake } from './lake.ts'
import type { Payments } from './payment/payments.ts'

const hoursSince = (time: string | null): number | null =>
  time === null ? null : Math.round(((Date.now() - Date.parse(time)) / 3_600_000) * 10) / 10

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

/**
 * Whether the service can answer, and if not, why. A snapshot older than the pointer's, and a facilitator that is down
 * after its networks were fetched, are reported but do not make it unready.
 */
export const readiness = async (lake: WatchedLake, payments: Payments | null | undefined, isStopping = false) => {
  const snapshot = snapshotState(lake)
  const journal = payments ? await payments.journal() : null
  const facilitator = payments?.facilitator() ?? null
  const hasNeverAnswered = facilitator !== null && facilitator.state !== 'up' && !facilitator.calls.supported.ok
  const reasons = [
    ...(isStopping ? ['the service is stopping'] : []),
    ...(snapshot.snapshot_id === null ? [`snapshot: ${snapshot.reason ?? 'none is open yet'}`] : []),
    ...(payments === undefined ? ['payments: starting'] : []),
    ...(journal !== null && journal !== 'ok' ? [`journal: ${journal}`] : []),
    ...(hasNeverAnswered ? [`facilitator: ${facilitator.reason ?? 'has not answered yet'}`] : []),
  ]
  return {
    status: reasons.length === 0 ? ('ready' as const) : ('not ready' as const),
    reasons,
    snapshot,
    journal,
    facilitator: facilitator && { state: facilitator.state, reason: facilitator.reason },
  }
}
