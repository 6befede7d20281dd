import { loadCluster } from '../../ingest/cluster/load.ts'
import { CLUSTER_NAME } from '../cluster/nodes.ts'
import { atEnd } from './at-end.ts'

/** The variable with the address of the cluster, if engines of tests get their rows from one (test/cluster/). */
export const CLUSTER = 'SHELFMARK_TEST_CLUSTER'

const loaded = new Map<string, Promise<unknown>>()

/** Loads the published snapshot of a lake into the cluster of the tests: what an engine is opened with to use it. */
export const clusterOf = async (lake: string): Promise<{ cluster?: string }> => {
  const cluster = process.env[CLUSTER]
  if (!cluster) return {}
  if (loaded.size === 0) atEnd(() => loaded.clear())
  // One after the other: several lakes of a test may hold the same snapshot.
  const before = [...loaded.values()].at(-1)
  const loading = Promise.resolve(before).then(() => loadCluster(lake, cluster, { cluster: CLUSTER_NAME }))
  loaded.set(
    `${lake} ${loaded.size}`,
    loading.catch(() => undefined),
  )
  await loading
  return { cluster }
}
