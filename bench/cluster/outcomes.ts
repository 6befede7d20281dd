import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, EngineError, type Plan } from '../../engine/index.ts'

/** A plan with the bytes of its answer from the files. */
export type ExpectedAnswer = { plan: Plan; answer: string }

/** What came of queries that ran during a phase of a fault; `wrong` are answers that differ by a byte. */
export type Outcomes = { phase: string; right: number; refused: number; wrong: number; slowest_ms: number }

const AT_ONCE = 4
const REFUSED_MS = 50

export type QueryLoop = {
  /** Begins a phase, in which queries have a deadline if one is given. One that spans phases counts as in flight. */
  enter(phase: string, deadline_ms?: number): void
  /** Waits until so many queries of this phase have ended. */
  ended(count: number): Promise<void>
  /** Waits until a query of this phase is right, as after a repair. */
  right(): Promise<void>
  /** Ends the loop: the outcomes of each phase, why queries were refused, and the wrong answers. */
  end(): Promise<{ outcomes: Outcomes[]; reasons: Set<string>; wrong: string[] }>
}

/** Runs queries again and again, four at once. */
export const loopQueries = (engine: Engine, expected: readonly ExpectedAnswer[]): QueryLoop => {
  const byPhase = new Map<string, Outcomes>()
  const reasons = new Set<string>()
  const wrong: string[] = []
  let phase = 'before'
  let deadline: number | undefined
  let isEnding = false
  let next = 0

  const of = (name: string): Outcomes => {
    const outcomes = byPhase.get(name) ?? { phase: name, right: 0, refused: 0, wrong: 0, slowest_ms: 0 }
    byPhase.set(name, outcomes)
    return outcomes
  }
  const runOne = async ({ plan, answer }: ExpectedAnswer): Promise<'right' | 'refused' | 'wrong'> => {
    try {
      const signal = deadline === undefined ? undefined : AbortSignal.timeout(deadline)
      const actual = JSON.stringify(await engine.run(plan, { signal }))
      if (actual === answer) return 'right'
      wrong.push(`${plan.query} ${JSON.stringify(plan.params)}: ${actual}, not ${answer}`)
      return 'wrong'
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      if (error.code === 'NOT_READY') {
        reasons.add(error.message)
        return 'refused'
      }
      // Any other refusal says something about the data.
      wrong.push(`${plan.query} ${JSON.stringify(plan.params)}: ${error.code} ${error.message}`)
      return 'wrong'
    }
  }
  const runAll = async (): Promise<void> => {
    while (!isEnding) {
      const begun = phase
      const start = performance.now()
      const outcome = await runOne(expected[next++ % expected.length]!)
      const outcomes = of(begun === phase ? begun : 'in flight')
      outcomes[outcome] += 1
      outcomes.slowest_ms = Math.max(outcomes.slowest_ms, Math.round(performance.now() - start))
      // A refused connection takes no time: others would get none.
      if (outcome === 'refused') await sleep(REFUSED_MS)
    }
  }
  let failure: unknown
  const running = Promise.all(Array.from({ length: AT_ONCE }, runAll)).catch((cause: unknown) => {
    failure = cause
  })
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      if (failure) throw failure
      await sleep(5)
    }
  }
  return {
    enter: (name, deadline_ms) => {
      phase = name
      deadline = deadline_ms
      of(name)
    },
    ended: (count) => until(() => of(phase).right + of(phase).refused + of(phase).wrong >= count),
    right: () => until(() => of(phase).right > 0),
    end: async () => {
      isEnding = true
      await running
      if (failure) throw failure
      return { outcomes: [...byPhase.values()], reasons, wrong }
    },
  }
}
