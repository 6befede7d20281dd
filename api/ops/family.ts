import { existsSync, readdirSync, readFileSync } from 'node:fs'

const CHECK_MS = 250

/** The parent of a process; 0 if it is unknown: outside Linux, or after the process has ended. */
const parentOf = (pid: number): number => {
  try {
    // The name in parentheses may contain anything; the state and the parent follow it.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(parent)
  } catch {
    return 0
  }
}

const tasks = '/proc/self/task'

/** The child processes of all threads of this process; none outside Linux. */
const ownChildren = (): string[] => {
  if (!existsSync(tasks)) return []
  const lists = readdirSync(tasks).map((thread) => readFileSync(`${tasks}/${thread}/children`, 'utf8'))
  return lists.flatMap((list) => list.split(' ').filter(Boolean))
}

/** Sends SIGTERM to this process as soon as a condition, checked at intervals, is false. */
const stopUnless = (isComplete: () => boolean): void => {
  const timer = setInterval(() => {
    if (isComplete()) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS).unref()
}

/**
 * Stops this process when npm, or the shell in which it runs scripts, ends: neither forwards every signal. Outside
 * Linux only the end of the shell is noticed.
 */
export const stopWithParents = (): void => {
  const shell = process.ppid
  const npm = parentOf(shell)
  stopUnless(() => process.ppid === shell && parentOf(shell) === npm)
}

/** On Linux, stops this process when one of its child processes ends. */
export const stopWithChildren = (): void => {
  const children = ownChildren()
  stopUnless(() => children.every((pid) => existsSync(`/proc/${pid}`)))
}
