import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../engine/index.ts'

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code

/**
 * Who a process is, for as long as it lives: its pid, and where /proc tells, when it started since which boot, so that
 * another process given the same pid later is not taken for it. Null once it has ended.
 */
const identityOf = (pid: number): string | null => {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if (codeOf(cause) === 'ESRCH') return null
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // proc(5): the command's name, in brackets, may hold anything; after it come the state (3) and the start time (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : `${pid} ${fields[19]} ${boot}`
  } catch {
    return `${pid}`
  }
}

// A live process whose start cannot be read is known by its pid alone.
const isAlive = (pid: number, owner: string): boolean => {
  const identity = identityOf(pid)
  return identity !== null && owner.startsWith(identity)
}

const ownerOf = (lock: string): string | null => {
  try {
    return readlinkSync(lock)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null
    throw cause
  }
}

// A symbolic link is made whole and exclusively in one call: a lock is never seen half written, whoever is killed.
const isTaken = (lock: string, owner: string): boolean => {
  try {
    symlinkSync(owner, lock)
    return false
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return true
    throw cause
  }
}

const take = (lock: string, self: string): void => {
  while (isTaken(lock, self)) {
    const owner = ownerOf(lock)
    if (owner === null) continue
    const pid = Number.parseInt(owner, 10)
    if (isAlive(pid, owner))
      throw new EngineError('NOT_READY', `process ${pid} is changing this lake: run again when it has ended`, { pid })
    // Only its heir may remove a dead owner's lock: of two that found it, the slower would remove the faster one's.
    take(`${lock}.heir`, self)
    if (ownerOf(lock) === owner) unlinkSync(lock)
    unlinkSync(`${lock}.heir`)
  }
}

/**
 * Runs work that changes a lake, made if it is missing, while no other process of this machine does. A lock whose owner
 * has died is taken over. NOT_READY, naming the owner's pid, where another is at work; it does not nest.
 */
export const withLock = async <T>(lake: string, work: () => Promise<T>): Promise<T> => {
  mkdirSync(lake, { recursive: true })
  const lock = join(lake, 'refresh.lock')
  take(lock, identityOf(process.pid)!)
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}
