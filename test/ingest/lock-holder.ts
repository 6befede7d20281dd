// A process that holds the lock of LAKE until it is killed. It says `held`, or why it does not hold it.
import { withLock } from '../../ingest/snapshot/lock.ts'

const untilKilled = () => new Promise<never>(() => setInterval(() => {}, 60_000))

await withLock(process.argv[2]!, () => {
  process.stdout.write('held')
  return untilKilled()
}).catch((cause: Error) => void process.stdout.write(cause.message))
