// A process that refreshes LAKE with one small snapshot after another until it is killed.
// It says `ready` once loaded, and starts when it is sent a line.
import { once } from 'node:events'
import { snapshotIds } from '../../engine/index.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { removeOrphans } from '../../ingest/snapshot/publish.ts'
import { publishNth } from './small-lake.ts'

const lake = process.argv[2]!
process.stdout.write('ready\n')
await once(process.stdin, 'data')
await withLock(lake, async () => {
  await removeOrphans(lake)
  for (;;) {
    const [newest] = await snapshotIds(lake)
    await publishNth(lake, newest ? Number.parseInt(newest, 10) + 1 : 1)
  }
})
