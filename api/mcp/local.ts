import { type AnyQuery, Engine, type EngineOptions, readParams, readRows } from '../../engine/index.ts'
import type { CallContext, QueryClient, TextParams } from './client.ts'

/** How often the lake is checked for a new snapshot, while there are calls. */
const RELOAD_MS = 1000

type LocalOptions = {
  lake: string
  options: EngineOptions
  /** Receives lines about the lake for people. */
  log: (line: string) => void
}

/** Answers from a lake in this process, free of charge. The lake opens with the first call or `warm`, and follows its refreshes. */
export const createLocalClient = ({ lake, options, log }: LocalOptions): QueryClient & { warm(): void } => {
  let opened: Promise<Engine> | undefined
  let engine: Engine | undefined
  let checked_at = 0
  let logged = ''

  /** Logs a problem once. */
  const report = (error: unknown): void => {
    const { message } = error as Error
    if (message !== logged) log(message)
    logged = message
  }

  const open = (): Promise<Engine> => {
    checked_at = performance.now()
    const opening = Engine.open(lake, options)
    opening.catch((error) => {
      // There may be a lake at the next call.
      opened = undefined
      report(error)
    })
    return opening
  }

  const current = async (): Promise<Engine> => {
    opened ??= open()
    engine = await opened
    if (performance.now() - checked_at > RELOAD_MS) {
      checked_at = performance.now()
      await engine.reload().catch(report)
    }
    if (engine.state.damage)
      report(new Error(`damaged: ${engine.state.damage.file}; serving ${engine.state.snapshot_id}`))
    return engine
  }

  const ask = async (query: AnyQuery, params: TextParams, { signal }: CallContext) => {
    const read = readParams(query, params)
    const engine = await current()
    const plan = await engine.plan(query, read)
    return { answer: (await engine.run(plan, { signal })) as Record<string, unknown> }
  }

  return {
    countries: () => engine?.countries,
    priceOf: () => 0,
    ask,
    findCategory: async (text) => (await current()).findCategory(text),
    readRows: async (sql, { signal, limit }) => readRows(await current(), lake, sql, { signal, limit }),
    warm: () => void current().catch(() => {}),
  }
}
