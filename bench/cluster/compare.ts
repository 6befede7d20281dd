import { isSharded } from '../../engine/counts/shards.ts'
import { type AnyQuery, Engine, EngineError, findQuery, type Plan, readParams } from '../../engine/index.ts'
import { Snapshot } from '../../engine/query/snapshot.ts'
import { drawQueries, type QueryText } from '../answers/draw.ts'
import type { NamedLake } from '../answers/lakes.ts'
import { namesOf } from '../answers/names.ts'
import { clockOf } from '../answers/record.ts'
import { canonicalText } from './canonical.ts'

/** How often the rows and answers of a query are the same from a snapshot's files and from a cluster. */
export type Compared = {
  lake: string
  query: string
  drawn: number
  /** Refused by both while they were planned: neither reads a row. */
  refused: number
  equal_rows: number
  equal_answers: number
  different: number
}

export type Comparison = { compared: Compared[]; differences: string[] }

const AT_ONCE = 2
/** One of so many answers to a query is computed by the engine as a whole. */
const THROUGH_ENGINE = 4
/** How much of two texts is shown where they differ. */
const SHOWN = 150

const queryOf = ({ query }: QueryText): AnyQuery => {
  const [group = '', name = ''] = query.split('/')
  return findQuery(group, name)!
}

/** The first place in which two texts differ. */
const differenceOf = (files: string, cluster: string): string => {
  let difference = 0
  while (files[difference] === cluster[difference]) difference += 1
  const part = (text: string) => text.slice(Math.max(0, difference - SHOWN), difference + SHOWN)
  return `from files ...${part(files)}..., from the cluster ...${part(cluster)}...`
}

/** An answer as bytes, or the refusal of running its plan. */
const answerTo = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await run())
  } catch (error) {
    // Without rows a query is refused; a node that fails is no answer.
    if (error instanceof EngineError && error.code !== 'NOT_READY') return `${error.code} ${error.message}`
    throw error
  }
}

/** The same snapshot by the files of a lake, and by a cluster that has it loaded, from a lake that may lack observed prices. */
export const openBoth = async (lake: string, cluster: string, over = lake) => {
  const files = await Engine.open(lake)
  const { snapshot_id: id, observed_to } = files.manifest
  files.close()
  const as_of = clockOf(observed_to!)
  const snapshots = [await Snapshot.open({ lake, id }), await Snapshot.open({ lake: over, id }, { cluster })]
  const engines = [await Engine.open(lake, { as_of }), await Engine.open(over, { as_of, cluster })]
  return {
    snapshots: snapshots as [Snapshot, Snapshot],
    engines: engines as [Engine, Engine],
    close: () => {
      for (const engine of engines) engine.close()
      for (const snapshot of snapshots) snapshot.retire()
    },
  }
}

/** Random queries that a cluster computes; equal seeds give equal queries. */
export const drawShardedQueries = async (lake: string, count: number, seed: number): Promise<QueryText[]> => {
  const drawn = drawQueries(await namesOf(lake), 3 * count, seed)
  return drawn.filter((query) => isSharded(queryOf(query))).slice(0, count)
}

/** The plan of a query, or null if it is refused. */
export const planOf = async (engine: Engine, text: QueryText): Promise<Plan | null> => {
  const query = queryOf(text)
  try {
    return await engine.plan(query, readParams(query, text.params))
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

/** Runs random queries from the files of a lake and from a cluster, and compares all their plans, rows and answers. */
export const compareLake = async (
  { name, lake, queries, over }: NamedLake & { over?: string },
  cluster: string,
  seed = 1,
): Promise<Comparison> => {
  const { snapshots, engines, close } = await openBoth(lake, cluster, over)
  const rows = new Map<string, Compared>()
  const differences: string[] = []
  const compareOne = async (text: QueryText): Promise<void> => {
    const { query, params } = text
    const counts = { drawn: 0, refused: 0, equal_rows: 0, equal_answers: 0, different: 0 }
    const row = rows.get(query) ?? { lake: name, query, ...counts }
    rows.set(query, row)
    row.drawn += 1
    const differ = (kind: string, files: string, both: string): void => {
      row.different += 1
      differences.push(`${name} ${query} ${JSON.stringify(params)} ${kind}: ${differenceOf(files, both)}`)
    }
    const [plan, same] = await Promise.all(engines.map((engine) => planOf(engine, text)))
    if (JSON.stringify(plan) !== JSON.stringify(same)) differ('plans', JSON.stringify(plan), JSON.stringify(same))
    if (!plan) {
      row.refused += 1
      return
    }
    const check = (kind: 'rows' | 'answers', [files, both]: readonly string[]): void => {
      if (files === both) row[`equal_${kind}`] += 1
      else differ(kind, files!, both!)
    }
    const drawn = queryOf(text)
    const reads = await Promise.all(snapshots.map((snapshot) => snapshot.read(drawn, plan.bindings, {})))
    check(
      'rows',
      reads.map((read) => canonicalText(drawn.reads, read)),
    )
    // The engine does nothing else; every few answers are its own.
    const isWhole = row.drawn % THROUGH_ENGINE === 1
    const catalog = await engines[0].catalog(new Date(plan.as_of))
    check(
      'answers',
      await Promise.all(
        reads.map((read, i) =>
          isWhole
            ? answerTo(() => engines[i]!.run(plan))
            : answerTo(async () => drawn.toAnswer(read, plan.context, catalog)),
        ),
      ),
    )
  }
  const rest = (await drawShardedQueries(lake, queries, seed)).values()
  const compareRest = async () => {
    for (const text of rest) await compareOne(text)
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, compareRest))
  } finally {
    close()
  }
  return { compared: [...rows.values()].sort((a, b) => (a.query < b.query ? -1 : 1)), differences }
}
