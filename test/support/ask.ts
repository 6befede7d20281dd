import type { z } from 'zod'
import { type AnyQuery, type Engine, EngineError, findQuery, type Plan, readParams } from '../../engine/index.ts'
import { readFiles } from './files.ts'
import { strict } from './strict.ts'

export type Given = Record<string, string | number | boolean | undefined>

/** The query of a name such as `analyst/inflation`. */
export const queryNamed = (id: string): AnyQuery => {
  const [group = '', name = ''] = id.split('/')
  const query = findQuery(group, name)
  if (!query) throw new Error(`there is no query ${id}`)
  return query
}

/** Plans a query as a URL or a command line sends it: every parameter is text. */
export const planOf = async (engine: Engine, id: string, given: Given, as_of?: string): Promise<Plan> => {
  const query = queryNamed(id)
  const text = Object.entries(given).map(([name, value]) => [name, value === undefined ? undefined : String(value)])
  return engine.plan(query, readParams(query, Object.fromEntries(text)), {
    now: as_of ? new Date(as_of) : undefined,
  })
}

/** The answer to a query, checked against the strict form of its schema: no key too many, none missing. */
export const ask = async (
  engine: Engine,
  id: string,
  given: Given,
  as_of?: string,
): Promise<z.output<AnyQuery['answer']>> => {
  const answer = await engine.run(await planOf(engine, id, given, as_of))
  return strict(queryNamed(id).answer).parse(answer)
}

/** What a query is refused with, while it is planned or run. Throws where it is answered. */
export const refusalOf = async (engine: Engine, id: string, given: Given, as_of?: string): Promise<EngineError> => {
  try {
    await engine.run(await planOf(engine, id, given, as_of))
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error(`${id} of ${JSON.stringify(given)} is answered`)
}

/** The answer to a query from what its statements read, also where memory holds it. */
export const askFiles = async (engine: Engine, id: string, given: Given): Promise<unknown> => {
  const query = queryNamed(id)
  const plan = await planOf(engine, id, given)
  const catalog = await engine.catalog()
  return strict(query.answer).parse(query.toAnswer(await readFiles(engine, query, plan), plan.context, catalog))
}
