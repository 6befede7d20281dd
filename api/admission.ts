import type { Group } from '../engine/index.ts'
import { Cancelled } from './deadline.ts'
import { notReady } from './problem.ts'

/** What shares a queue: the queries of a group, and reading what planning lacks. */
export type Lane = Group | 'planning'

type LaneState = { running: number; waiting: Set<() => void>; turn: number }

const BUSY = 'The service is busy; retry shortly.'

/**
 * Admits work to DuckDB: `connections` at a time, each lane with a queue of `queue`. A lane gets at most all connections
 * but one, and a connection that becomes free goes to the lane that has the fewest: however slow the queries of a lane
 * are, those of another wait for one of them at most. A lane whose queue is full refuses; what is cancelled while it
 * waits leaves its queue at once.
 */
export const createAdmission = ({ connections, queue }: { connections: number; queue: number }) => {
  const share = Math.max(1, connections - 1)
  const lanes = new Map<Lane, LaneState>()
  let running = 0
  let turns = 0

  const stateOf = (lane: Lane): LaneState => {
    const known = lanes.get(lane) ?? { running: 0, waiting: new Set(), turn: 0 }
    lanes.set(lane, known)
    return known
  }
  const mayStart = (state: LaneState): boolean => running < connections && state.running < share

  const take = (state: LaneState): void => {
    running += 1
    turns += 1
    state.running += 1
    state.turn = turns
  }

  /** The lane whose first in the queue is to start: that with the fewest connections, of these the longest unserved. */
  const next = (): LaneState | undefined =>
    [...lanes.values()]
      .filter((state) => state.waiting.size > 0 && mayStart(state))
      .sort((a, b) => a.running - b.running || a.turn - b.turn)[0]

  const give = (state: LaneState): void => {
    running -= 1
    state.running -= 1
    for (let lane = next(); lane; lane = next()) {
      const [start] = lane.waiting
      take(lane)
      start?.()
    }
  }

  const wait = (state: LaneState, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        state.waiting.delete(start)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        state.waiting.delete(start)
        reject(new Cancelled())
      }
      signal.addEventListener('abort', leave, { once: true })
      state.waiting.add(start)
    })

  const refuseWhenFull = (lane: Lane): void => {
    const state = stateOf(lane)
    if (!mayStart(state) && state.waiting.size >= queue) throw notReady(BUSY)
  }

  return {
    /** Throws NOT_READY where the lane's queue is full: before a challenge, since what cannot be computed is not sold. */
    refuseWhenFull,
    /** Does work when its turn comes. Throws NOT_READY where the queue is full, and Cancelled when the signal aborts first. */
    async enter<T>(lane: Lane, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      if (signal.aborted) throw new Cancelled()
      refuseWhenFull(lane)
      const state = stateOf(lane)
      if (mayStart(state)) take(state)
      else await wait(state, signal)
      try {
        return await work()
      } finally {
        give(state)
      }
    },
    /** How much runs and waits now. */
    counts: () => ({
      running,
      waiting: [...lanes].map(([lane, { waiting }]) => ({ lane, waiting: waiting.size })),
    }),
  }
}

export type Admission = ReturnType<typeof createAdmission>
