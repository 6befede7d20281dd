import { loadCluster } from '../../ingest/cluster/load.ts'
import { CLUSTER_NAME } from './nodes.ts'

/** Loads a lake (argv[2]) into a cluster (argv[3]), and is killed after as many files (argv[4]). */
const [lake = '', address = '', files = ''] = process.argv.slice(2)
let sent = 0
await loadCluster(lake, address, {
  cluster: CLUSTER_NAME,
  onProgress: () => {
    sent += 1
    if (sent === Number(files)) process.kill(process.pid, 'SIGKILL')
  },
})
