import { existsSync, readdirSync, readFileSync } from 'node:fs'

const CHECK_MS = 250

/** The process that started another; 0 where that is unknown: outside Linux, or when it has ended. */
const parentOf = (pid: number): number => {
  try {
    // The name in parentheses may hold anything; the state and the parent follow it.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(parent)
  } catch {
    return 0
  }
}

const tasks = '/proc/self/task'

/** The processes that any thread of this one has started; none outside Linux. */
const childrenHere = (): string[] => {
  if (!existsSync(tasks)) return []
  const lists = readdirSync(tasks).map((thread) => readFileSync(`${tasks}/${thread}/children`, 'utf8'))
  return lists.flatMap((list) => list.split(' ').filter(Boolean))
}

/** Counts as SIGTERM to this process, once it is no longer so. */
const stopUnless = (isWhole: () => boolean): void => {
  const timer = setInterval(() => {
    if (isWhole()) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS).unref()
}

/**
 * Stops this process when the shell that npm runs scripts in ends, or npm itself: neither passes every signal on. Outside
 * Linux only the first is noticed.
 */
export const stopWithParents = (): void => {
  const shell = process.ppid
  const npm = parentOf(shell)
  stopUnless(() => process.ppid === shell && parentOf(shell) === npm)
}

/** Stops this process when one that it has started ends, on Linux. */
export const stopWithChildren = (): void => {
  const children = childrenHere()
  stopUnless(() => children.every((pid) => existsSync(`/proc/${pid}`)))
}
