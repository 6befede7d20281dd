import type { Registry } from 'prom-client'
import { addMetrics } from './metric.ts'
import type { Replica } from './replica.ts'

/** Registers metrics of the store; without one they have no values. */
export const addReplicaMetrics = (registry: Registry, replica: Replica | null): void => {
  const labelNames = ['store']
  const of = (read: (state: ReturnType<Replica['state']>) => number | null) => () => {
    const state = replica?.state()
    const value = state ? read(state) : null
    return state && value !== null ? [[value, { store: state.store }] as const] : []
  }
  addMetrics(registry, [
    {
      name: 'shelfmark_store_failing',
      help: '1 if the last check of the store or the last pull failed, else 0.',
      labelNames,
      read: of(({ error }) => Number(error !== null)),
    },
    {
      name: 'shelfmark_store_last_success_timestamp_seconds',
      help: 'When the lake last had the snapshot of the store, in Unix time.',
      labelNames,
      read: of(({ last_success }) => (last_success ? Date.parse(last_success) / 1000 : null)),
    },
    {
      name: 'shelfmark_store_lag_seconds',
      help: 'Seconds for which the lake has lacked the snapshot of the store.',
      labelNames,
      read: of(({ lag_seconds }) => lag_seconds),
    },
    {
      name: 'shelfmark_store_pulls_total',
      help: 'Pulls of snapshots from the store, by outcome.',
      labelNames: ['store', 'outcome'],
      read() {
        if (!replica) return []
        const { store, pulls } = replica.state()
        return (['succeeded', 'failed'] as const).map((outcome) => [pulls[outcome], { store, outcome }])
      },
    },
    {
      name: 'shelfmark_store_pulled_bytes_total',
      help: 'Bytes fetched from the store by pulls that succeeded.',
      labelNames,
      read: of(({ pulls }) => pulls.bytes),
    },
  ])
}
