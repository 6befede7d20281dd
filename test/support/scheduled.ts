import { readFileSync } from 'node:fs'

const UNKNOWN = { ran_ms: 0, waited_ms: 0 }

/**
 * How long the main thread of a process has run since its start, and how long it was ready to run while others had the
 * processors (`/proc/PID/schedstat` of Linux); 0 where the system does not count it.
 */
export const scheduled = (pid: number | 'self'): typeof UNKNOWN => {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')
    return { ran_ms: Number(ran) / 1e6, waited_ms: Number(waited) / 1e6 }
  } catch {
    return UNKNOWN
  }
}

/** The ticks of /proc/stat are hundredths of a second. */
const TICK_MS = 10

/** How long the processors have worked for other processes than this one, all together, in milliseconds; 0 where it is not known. */
export const othersRanMs = (): number => {
  try {
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'latin1')
      .split('\n', 1)[0]!
      .split(/\s+/)
      .map(Number)
    const own = process.cpuUsage()
    return TICK_MS * (user! + nice! + system! + irq! + softirq!) - (own.user + own.system) / 1000
  } catch {
    return 0
  }
}
