import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replica } from './replica.ts'

/** Registers metrics of the store; without one they have no values. */
export const addReplicaMetrics = (registry: Registry, replica: Replica | null): void => {
  const registers = [registry]
  const labelNames = ['store']
  new Gauge({
    name: 'shelfmark_store_failing',
    help: '1 if the last check of the store or the last pull failed, else 0.',
    labelNames,
    registers,
    collect() {
      const state = replica?.state()
      if (state) this.set({ store: state.store }, state.error === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'shelfmark_store_last_success_timestamp_seconds',
    help: 'When the lake last had the snapshot of the store, in Unix time.',
    labelNames,
    registers,
    collect() {
      const state = replica?.state()
      if (state?.last_success) this.set({ store: state.store }, Date.parse(state.last_success) / 1000)
    },
  })
  new Gauge({
    name: 'shelfmark_store_lag_seconds',
    help: 'Seconds for which the lake has lacked the snapshot of the store.',
    labelNames,
    registers,
    collect() {
      const state = replica?.state()
      if (state) this.set({ store: state.store }, state.lag_seconds)
    },
  })
  new Counter({
    name: 'shelfmark_store_pulls_total',
    help: 'Pulls of snapshots from the store, by outcome.',
    labelNames: ['store', 'outcome'],
    registers,
    collect() {
      const state = replica?.state()
      if (!state) return
      this.reset()
      for (const outcome of ['succeeded', 'failed'] as const)
        this.inc({ store: state.store, outcome }, state.pulls[outcome])
    },
  })
  new Counter({
    name: 'shelfmark_store_pulled_bytes_total',
    help: 'Bytes fetched from the store by pulls that succeeded.',
    labelNames,
    registers,
    collect() {
      const state = replica?.state()
      if (!state) return
      this.reset()
      this.inc({ store: state.store }, state.pulls.bytes)
    },
  })
}
