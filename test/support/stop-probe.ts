// Loaded before a service: measures the longest stop of its event loop, without what others on the machine do to it, and writes
// it to standard error at each SIGUSR2.
import { isMainThread } from 'node:worker_threads'
import { othersRanMs, scheduled } from './scheduled.ts'

/** A stop seems at most so much longer than it is. */
const TICK_MS = 5

const reading = () => ({ at: performance.now(), others_ms: othersRanMs(), ...scheduled('self') })

/**
 * How long the loop stopped between two readings: as long as its thread ran, or waited for anything but a processor. While
 * others have the processors, it may also wait for a thread of its own that has none, as the garbage collector's.
 */
const stopMs = (last: ReturnType<typeof reading>, now: ReturnType<typeof reading>): number => {
  const waited = now.at - last.at - (now.waited_ms - last.waited_ms)
  return Math.max(Math.min(waited, now.ran_ms - last.ran_ms), waited - (now.others_ms - last.others_ms))
}

const watch = (): void => {
  let longest = 0
  let last = reading()
  const look = (): void => {
    const now = reading()
    longest = Math.max(longest, stopMs(last, now))
    last = now
  }
  setInterval(look, TICK_MS).unref()
  process.on('SIGUSR2', () => {
    look()
    process.stderr.write(`stop ${longest.toFixed(1)}\n`)
    longest = 0
  })
}

if (isMainThread) watch()
