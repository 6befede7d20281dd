import type { Registry } from 'prom-client'
import type { WatchedLake } from './lake.ts'
import { addMetrics } from './metric.ts'

const secondsSince = (time: string): number => (Date.now() - Date.parse(time)) / 1000

/** Registers metrics of the served snapshot and of refused ones. */
export const addLakeMetrics = (registry: Registry, lake: WatchedLake): void =>
  addMetrics(registry, [
    {
      name: 'shelfmark_snapshot_info',
      help: '1 for the snapshot that is served.',
      labelNames: ['snapshot_id'],
      read() {
        const engine = lake.engine()
        return engine ? [[1, { snapshot_id: engine.manifest.snapshot_id }]] : []
      },
    },
    {
      name: 'shelfmark_snapshot_age_seconds',
      help: 'Seconds since the snapshot that is served was published.',
      read() {
        const engine = lake.engine()
        return engine ? [[secondsSince(engine.manifest.published_at)]] : []
      },
    },
    {
      name: 'shelfmark_newest_observation_age_seconds',
      help: 'Seconds since the newest observation of the snapshot.',
      read() {
        const newest = lake.engine()?.newest_observed_at
        return newest ? [[secondsSince(newest)]] : []
      },
    },
    {
      name: 'shelfmark_snapshot_lag_seconds',
      help: 'Seconds for which the pointer of the lake has named another snapshot than the one that is served.',
      read: () => [[lake.state().lag_seconds]],
    },
    {
      name: 'shelfmark_coverage_cells',
      help: 'Shelves (retailer, department) by country and quality status.',
      labelNames: ['country', 'quality_status'],
      async read() {
        const cells = (await lake.engine()?.coverage()) ?? []
        return cells.map(({ country, quality_status }) => [1, { country, quality_status }])
      },
    },
    {
      name: 'shelfmark_snapshots_refused_total',
      help: 'Snapshots that could not be opened: damaged, or of another format.',
      read: () => [[lake.state().refused_snapshots]],
    },
  ])
