import { type AnyQuery, type DrawingThread, dayOf, EngineError, type Plot, queryId } from '../../engine/index.ts'
import type { Admission } from '../http/admission.ts'
import { refusalOf } from '../http/problem.ts'
import type { Lake } from '../ops/lake.ts'
import { exampleParams } from './example-params.ts'
import { computeAnswer } from './free-answers.ts'
import { type LakeFacts, readLakeFacts } from './lake-facts.ts'

/** An answer with its plots; null where these were not drawn in time. */
export type PlottedAnswer = { answer: Record<string, unknown>; plots: readonly Plot[] | null }

/** The example of a query: its answer, why the lake has none, or neither while it is being computed. */
export type Example = { params: Record<string, string> } & (
  | ({ state: 'answered' } & PlottedAnswer)
  | { state: 'refused'; message: string }
  | { state: 'pending' }
)

type StartedExample = { params: Record<string, string>; example: Promise<Example> }

/** What the examples of one snapshot and day share. */
type Generation = { key: string; facts: LakeFacts; examples: Map<string, StartedExample>; last: Promise<unknown> }

/** How long a page waits for its example, after which it says that the example is being computed. */
const MAX_WAIT_MS = 1000

export type ExampleOptions = { lake: Lake; admission: Admission; drawing: DrawingThread; timeout_ms: number }

/** Waits for a value at most for a time. */
const within = async <T>(work: Promise<T>, milliseconds: number): Promise<T | null> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/**
 * The examples on the pages. Their parameters come from the lake, never from a visitor, so that none is computed twice
 * for a snapshot and a day. One is computed at a time, in a lane of its own: pages take at most one connection.
 */
export const createExamples = ({ lake, admission, drawing, timeout_ms }: ExampleOptions) => {
  let current: Promise<Generation> | undefined
  let currentKey = ''

  /** The generation of the served snapshot; null while there is none. */
  const generation = async (): Promise<Generation | null> => {
    const engine = lake.engine()
    if (!engine) return null
    const key = `${engine.manifest.snapshot_id} ${engine.epoch} ${dayOf(engine.now())}`
    if (key !== currentKey || !current) {
      currentKey = key
      current = readLakeFacts(engine).then((facts) => ({ key, facts, examples: new Map(), last: Promise.resolve() }))
      current.catch(() => {
        currentKey = ''
      })
    }
    return current
  }

  const compute = async (query: AnyQuery, params: Record<string, string>): Promise<Example> => {
    const engine = lake.engine()
    if (!engine) return { params, state: 'pending' }
    try {
      const signal = AbortSignal.timeout(timeout_ms)
      const answer = await computeAnswer(engine, admission, query, params, signal)
      const plots = await drawing.draw(query, JSON.stringify(answer), timeout_ms)
      return { params, state: 'answered', answer, plots }
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'NOT_READY')
        return { params, state: 'refused', message: refusalOf(error).message }
      throw error
    }
  }

  const start = (current: Generation, query: AnyQuery): StartedExample => {
    const id = queryId(query)
    const params = exampleParams(query, current.facts)
    const example = current.last.then(() => compute(query, params))
    current.last = example.catch(() => {
      // The next visitor starts it again.
      current.examples.delete(id)
    })
    const started = { params, example }
    current.examples.set(id, started)
    return started
  }

  return {
    /** The facts of the served snapshot, and the key that changes with them; null while there is none. */
    async facts(): Promise<{ key: string; facts: LakeFacts } | null> {
      const current = await generation()
      return (
        current && { key: current.key, facts: { ...current.facts, now: lake.engine()?.now() ?? current.facts.now } }
      )
    },
    /**
     * Computes the examples of queries in this order, and resolves with the first of them; those that fail are left to the
     * next visitor.
     */
    async warm(queries: readonly AnyQuery[]): Promise<void> {
      const current = await generation().catch(() => null)
      if (!current) return
      const examples = queries.map((query) => (current.examples.get(queryId(query)) ?? start(current, query)).example)
      const [first] = examples.map((example) => example.catch(() => {}))
      await first
    },
    /** The example of a query for the facts of now; pending while it is being computed. */
    async of(query: AnyQuery): Promise<Example> {
      const current = await generation()
      if (!current) return { params: {}, state: 'pending' }
      // Else the first page would wait for the thread in place of its example.
      await within(drawing.start(), timeout_ms)
      const { params, example } = current.examples.get(queryId(query)) ?? start(current, query)
      return (
        (await within(
          example.catch(() => null),
          MAX_WAIT_MS,
        )) ?? { params, state: 'pending' }
      )
    },
  }
}

export type Examples = ReturnType<typeof createExamples>
