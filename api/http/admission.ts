import type { Group } from '../../engine/index.ts'
import { Cancelled } from './deadline.ts'
import { notReady } from './problem.ts'

/**
 * A queue: one for each group of queries, `planning` for everything computed before a payment, and `pages` for the
 * examples on the pages.
 */
export type Lane = Group | 'planning' | 'pages'

type Waiting = { start(): void; refuse(): void }
type LaneState = {
  running: number
  waiting: Set<Waiting>
  /** When the lane last refused, and when it began to refuse without a pause of CALM_MS. */
  refused_at: number
  overloaded_at: number
  turn: number
}

const BUSY = 'The service is busy; retry shortly.'

/** An overload ends when nothing was refused for this time. */
const CALM_MS = 1000
/** A burst arrives within this time; what is still refused after it is an overload. */
const BURST_MS = 100

export type AdmissionOptions = {
  /** Work done at a time. */
  connections: number
  /** Maximum length of each lane's queue. */
  queue: number
  /** The clock, in milliseconds. */
  now?: () => number
}

/**
 * Admits work to DuckDB: `connections` at a time, each lane with a queue of `queue`. A lane gets at most half of the
 * connections, since one query uses several cores, and a free connection goes to the lane that has the fewest: slow
 * queries in one lane do not block those in another. A lane whose queue is full refuses; work that is cancelled while
 * it waits leaves its queue at once.
 *
 * A queue absorbs a burst; in an overload it would only make every client wait. A lane that still refuses after a tenth
 * of a second is overloaded until a second has passed without a refusal: meanwhile one request waits at a time, the
 * newest, which replaces the previous one.
 */
export const createAdmission = ({ connections, queue, now = () => performance.now() }: AdmissionOptions) => {
  const share = Math.max(1, Math.floor(connections / 2))
  const lanes = new Map<Lane, LaneState>()
  let running = 0
  let turns = 0

  const stateOf = (lane: Lane): LaneState => {
    const never = Number.NEGATIVE_INFINITY
    const state = lanes.get(lane) ?? {
      running: 0,
      waiting: new Set(),
      refused_at: never,
      overloaded_at: never,
      turn: 0,
    }
    lanes.set(lane, state)
    return state
  }
  const mayStart = (state: LaneState): boolean => running < connections && state.running < share

  const acquire = (state: LaneState): void => {
    running += 1
    turns += 1
    state.running += 1
    state.turn = turns
  }

  /** The lane to start work from: the one with the fewest connections, then the one least recently served. */
  const next = (): LaneState | undefined =>
    [...lanes.values()]
      .filter((state) => state.waiting.size > 0 && mayStart(state))
      .sort((a, b) => a.running - b.running || a.turn - b.turn)[0]

  const release = (state: LaneState): void => {
    running -= 1
    state.running -= 1
    for (let lane = next(); lane; lane = next()) {
      const [first] = lane.waiting
      acquire(lane)
      first?.start()
    }
  }

  const wait = (state: LaneState, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        state.waiting.delete(waiting)
        signal.removeEventListener('abort', cancel)
        settle()
      }
      const cancel = () => leave(() => reject(new Cancelled()))
      const waiting: Waiting = {
        start: () => leave(resolve),
        refuse: () => leave(() => reject(notReady(BUSY))),
      }
      signal.addEventListener('abort', cancel, { once: true })
      state.waiting.add(waiting)
    })

  const hasRefused = (state: LaneState): boolean => now() < state.refused_at + CALM_MS
  const isOverloaded = (state: LaneState): boolean => hasRefused(state) && now() > state.overloaded_at + BURST_MS
  const isFull = (state: LaneState): boolean =>
    !mayStart(state) && state.waiting.size >= (isOverloaded(state) ? Math.min(1, queue) : queue)

  const noteRefusal = (state: LaneState): void => {
    if (!hasRefused(state)) state.overloaded_at = now()
    state.refused_at = now()
  }

  const refuseWhenFull = (lane: Lane): void => {
    const state = stateOf(lane)
    if (!isFull(state)) return
    noteRefusal(state)
    throw notReady(BUSY)
  }

  /** Makes room in the queue for one more, or refuses it. */
  const makeRoom = (state: LaneState): void => {
    if (!isFull(state)) return
    const isReplacing = isOverloaded(state) && queue > 0
    noteRefusal(state)
    if (!isReplacing) throw notReady(BUSY)
    for (const waiting of [...state.waiting]) waiting.refuse()
  }

  return {
    /**
     * Throws NOT_READY if the lane's queue is full. Called before a payment challenge: what cannot be computed is not
     * sold.
     */
    refuseWhenFull,
    /**
     * Runs work when its turn comes. Throws NOT_READY if the queue is full, and Cancelled if the signal aborts first.
     */
    async enter<T>(lane: Lane, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      if (signal.aborted) throw new Cancelled()
      const state = stateOf(lane)
      makeRoom(state)
      if (mayStart(state)) acquire(state)
      else await wait(state, signal)
      try {
        return await work()
      } finally {
        release(state)
      }
    },
    /** How many run, and how many wait in each lane. */
    counts: () => ({
      running,
      waiting: [...lanes].map(([lane, { waiting }]) => ({ lane, waiting: waiting.size })),
    }),
  }
}

export type Admission = ReturnType<typeof createAdmission>
