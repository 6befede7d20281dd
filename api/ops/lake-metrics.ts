import { Counter, Gauge, type Registry } from 'prom-client'
import type { WatchedLake } from './lake.ts'

const secondsSince = (time: string): number => (Date.now() - Date.parse(time)) / 1000

/** Registers metrics of the served snapshot and of refused ones. */
export const addLakeMetrics = (registry: Registry, lake: WatchedLake): void => {
  const registers = [registry]
  new Gauge({
    name: 'shelfmark_snapshot_info',
    help: '1 for the snapshot that is served.',
    labelNames: ['snapshot_id'],
    registers,
    collect() {
      this.reset()
      const manifest = lake.engine()?.manifest
      if (manifest) this.set({ snapshot_id: manifest.snapshot_id }, 1)
    },
  })
  new Gauge({
    name: 'shelfmark_snapshot_age_seconds',
    help: 'Seconds since the snapshot that is served was published.',
    registers,
    collect() {
      const manifest = lake.engine()?.manifest
      if (manifest) this.set(secondsSince(manifest.published_at))
    },
  })
  new Gauge({
    name: 'shelfmark_newest_observation_age_seconds',
    help: 'Seconds since the newest observation of the snapshot.',
    registers,
    collect() {
      const newest = lake.engine()?.newest_observed_at
      if (newest) this.set(secondsSince(newest))
    },
  })
  new Gauge({
    name: 'shelfmark_snapshot_lag_seconds',
    help: 'Seconds for which the pointer of the lake has named another snapshot than the one that is served.',
    registers,
    collect() {
      this.set(lake.state().lag_seconds)
    },
  })
  new Gauge({
    name: 'shelfmark_coverage_cells',
    help: 'Shelves (retailer, department) by country and quality status.',
    labelNames: ['country', 'quality_status'],
    registers,
    async collect() {
      this.reset()
      for (const { country, quality_status } of (await lake.engine()?.coverage()) ?? [])
        this.inc({ country, quality_status })
    },
  })
  new Counter({
    name: 'shelfmark_snapshots_refused_total',
    help: 'Snapshots that could not be opened: damaged, or of another format.',
    registers,
    collect() {
      this.reset()
      this.inc(lake.state().refused_snapshots)
    },
  })
}
