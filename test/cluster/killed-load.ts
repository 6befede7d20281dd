import { loadCluster } from '../../ingest/cluster/load.ts'
import { CLUSTER_NAME } from './nodes.ts'

/** Loads a lake (argv[2]) into a cluster (argv[3]), and is killed after a share of the rows (argv[4]). */
const [lake = '', address = '', share = ''] = process.argv.slice(2)
await loadCluster(lake, address, {
  cluster: CLUSTER_NAME,
  onProgress: ({ done, total }) => {
    if (done >= Number(share) * total) process.kill(process.pid, 'SIGKILL')
  },
})
