import { readFileSync } from 'node:fs'
import { Engine, EngineError, findQuery, readCurrentManifest, readParams, sha256OfText } from '../../engine/index.ts'
import { type Asked, drawQueries } from './draw.ts'
import type { NamedLake } from './lakes.ts'
import { namesOf } from './names.ts'

/** A query with what it was answered: the SHA-256 of the answer's bytes, or the code of the refusal. */
export type Recorded = Asked & { lake: string; answer: string }

const SEED = 1
const AT_ONCE = 4
const DAY_MS = 86_400_000

/** Noon after the newest observation: the clock that a lake is asked at. */
const clockOf = (observed_to: string): Date => new Date(Date.parse(observed_to.slice(0, 10)) + 1.5 * DAY_MS)

/** Asks a query and reduces its answer. When and as which snapshot a lake was published says nothing about the engine. */
const answerTo = async (engine: Engine, { query, params }: Asked): Promise<string> => {
  const [group = '', name = ''] = query.split('/')
  const found = findQuery(group, name)
  if (!found) return 'removed'
  const { snapshot_id, published_at } = engine.manifest
  try {
    const answer = await engine.run(await engine.plan(found, readParams(found, params)))
    const text = JSON.stringify(answer).replaceAll(snapshot_id, 'SNAPSHOT').replaceAll(published_at, 'PUBLISHED')
    return sha256OfText(text)
  } catch (error) {
    if (error instanceof EngineError) return error.code
    throw new Error(`${query} ${JSON.stringify(params)} failed`, { cause: error })
  }
}

/** Asks a lake the queries given, by default random ones, and records the answers in their order. */
export const record = async ({ name, lake, queries }: NamedLake, given?: readonly Asked[]): Promise<Recorded[]> => {
  const asked = given ?? drawQueries(await namesOf(lake), queries, SEED)
  const manifest = await readCurrentManifest(lake)
  const engine = await Engine.open(lake, { as_of: clockOf(manifest!.observed_to!) })
  const recorded: Recorded[] = []
  let next = 0
  const ask = async (): Promise<void> => {
    for (let i = next++; i < asked.length; i = next++) {
      const { query, params } = asked[i]!
      recorded[i] = { lake: name, query, params, answer: await answerTo(engine, { query, params }) }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  engine.close()
  return recorded
}

export const linesOf = (recorded: readonly Recorded[]): string =>
  recorded.map((line) => `${JSON.stringify(line)}\n`).join('')

export const readRecorded = (file: string): Recorded[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
