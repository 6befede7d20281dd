import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const totals = z.object({ files: z.int(), bytes: z.int() })
const report = z.object({
  snapshot_id: z.string(),
  fetched: totals,
  reused: totals,
  warnings: z.array(z.string()),
})

/** What a pull has fetched from the store, and found in the lake. */
export type Pulled = z.output<typeof report>

/** What to pull: `without_facts` leaves out observed prices, which a service over a cluster does not need. */
export type PullJob = { store: string; lake: string; without_facts: boolean }

const lowerPriority = (pid: number | undefined): void => {
  try {
    // The lowest would starve it where requests keep every core busy.
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

/**
 * Pulls the snapshot of a store into a lake in a process of its own, with a low priority: hashing and locking the lake
 * never delay a request. Throws an error with what the process printed if it fails; `signal` ends it.
 */
export const pullInBackground = async (
  { store, lake, without_facts }: PullJob,
  signal: AbortSignal,
): Promise<Pulled> => {
  const script = fileURLToPath(new URL(`../../ingest/main${extname(import.meta.url)}`, import.meta.url))
  const flags = without_facts ? ['--without-facts', '--json'] : ['--json']
  const command = [...process.execArgv, script, 'pull', '--from', store, '--lake', lake, ...flags]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  lowerPriority(child.pid)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code === 0) return report.parse(JSON.parse(output))
  throw new Error(errors.trim().split('\n').at(-1) || `the pull ended with ${code}`)
}
