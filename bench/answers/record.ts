import { readFileSync } from 'node:fs'
import { DAY_MS } from '../../engine/contract/time.ts'
import { Engine, EngineError, findQuery, readCurrentManifest, readParams, sha256OfText } from '../../engine/index.ts'
import { drawQueries, type QueryText } from './draw.ts'
import type { NamedLake } from './lakes.ts'
import { namesOf } from './names.ts'

/** A query with its answer: the SHA-256 of the answer's bytes, or the code of the refusal. */
export type Recorded = QueryText & { lake: string; answer: string }

const SEED = 1
const AT_ONCE = 4

/** Noon after the newest observation: the time at which queries of a lake run. */
export const clockOf = (observed_to: string): Date => new Date(Date.parse(observed_to.slice(0, 10)) + 1.5 * DAY_MS)

/** The answer of all engines, from files and from memory, which must be the same. */
const answersOf = async (engines: readonly Engine[], query: QueryText): Promise<string> => {
  const answers = await Promise.all(engines.map((engine) => answerTo(engine, query)))
  return [...new Set(answers)].join(' from files, from memory ')
}

/** Runs a query and hashes its answer, without the snapshot's id and time of publication, which differ between lakes. */
const answerTo = async (engine: Engine, { query: id, params }: QueryText): Promise<string> => {
  const [group = '', name = ''] = id.split('/')
  const query = findQuery(group, name)
  if (!query) return 'removed'
  const { snapshot_id, published_at } = engine.manifest
  try {
    const answer = await engine.run(await engine.plan(query, readParams(query, params)))
    const text = JSON.stringify(answer).replaceAll(snapshot_id, 'SNAPSHOT').replaceAll(published_at, 'PUBLISHED')
    return sha256OfText(text)
  } catch (error) {
    if (error instanceof EngineError) return error.code
    throw new Error(`${id} ${JSON.stringify(params)} failed`, { cause: error })
  }
}

/** Runs the given queries over a lake, by default random ones, and records the answers in the order of the queries. */
export const record = async ({ name, lake, queries }: NamedLake, given?: readonly QueryText[]): Promise<Recorded[]> => {
  const drawn = given ?? drawQueries(await namesOf(lake), queries, SEED)
  const manifest = await readCurrentManifest(lake)
  const as_of = clockOf(manifest!.observed_to!)
  const engines = await Promise.all([false, true].map((warm) => Engine.open(lake, { as_of, warm })))
  const recorded: Recorded[] = []
  let next = 0
  const runAll = async (): Promise<void> => {
    for (let i = next++; i < drawn.length; i = next++) {
      const { query, params } = drawn[i]!
      recorded[i] = { lake: name, query, params, answer: await answersOf(engines, { query, params }) }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runAll))
  for (const engine of engines) engine.close()
  return recorded
}

export const linesOf = (recorded: readonly Recorded[]): string =>
  recorded.map((line) => `${JSON.stringify(line)}\n`).join('')

export const readRecorded = (file: string): Recorded[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
