import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type AnyQuery,
  commandLine,
  currentSnapshotId,
  DAY_MS,
  Engine,
  EngineError,
  queries,
  queryId,
  readManifest,
  snapshotIds,
  takeLease,
} from '../../engine/index.ts'
import type { OnProgress } from '../cli/progress.ts'
import { pointTo } from '../snapshot/durable.ts'
import { type FiguresByPlace, figuresOf } from './figures.ts'

export type ImpactOptions = {
  /** Default the one before the published one. */
  before?: string | undefined
  /** Default the published one. */
  after?: string | undefined
  /** The moment for which both answer; default the end of the last day of prices in `before`. */
  as_of?: Date | undefined
  country?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/** A figure that two snapshots differ in; null where one has none. */
export type Difference = {
  query: string
  country: string
  department: string
  figure: string
  before: number | null
  after: number | null
}

/** Which figures two snapshots differ in, of each statistic of each department. */
export type Impact = {
  before: string
  after: string
  as_of: string
  statistics: { query: string; compared: number; different: number }[]
  differences: Difference[]
}

/** A snapshot as the published one of a lake beside this one, which is kept from removal meanwhile. */
const openSnapshot = async (lake: string, id: string, as_of: Date) => {
  const lease = await takeLease(lake, id)
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-impact-'))
  await symlink(resolve(lake, 'snapshots'), join(folder, 'snapshots'))
  const close = async () => {
    lease.release()
    await rm(folder, { recursive: true, force: true })
  }
  const opening = pointTo(folder, id).then(async () => {
    const engine = await Engine.open(folder, { as_of })
    if (engine.manifest.snapshot_id === id) return engine
    engine.close()
    throw new EngineError(
      'NOT_READY',
      `The snapshot ${id} is damaged; to see how, run: ${commandLine('refresh', `verify --all --lake ${lake}`)}`,
    )
  })
  const engine = await opening.catch(async (cause: unknown) => {
    await close()
    throw cause
  })
  return {
    engine,
    async close() {
      engine.close()
      await close()
    },
  }
}

const chosen = async (lake: string, { before, after }: ImpactOptions) => {
  const ids = await snapshotIds(lake)
  const of = (given: string | undefined, usual: string | null | undefined): string => {
    const id = given ?? usual
    if (id && ids.includes(id)) return id
    const problem = given === undefined ? 'there is only one snapshot' : `there is no snapshot ${given}`
    throw new EngineError('NOT_FOUND', `${problem}; the lake has ${ids.join(', ') || 'none'}.`, { ids })
  }
  const last = of(after, await currentSnapshotId(lake))
  return [of(before, ids[ids.indexOf(last) + 1]), last] as const
}

/** The statistics of a whole department. */
const statistics = queries.filter(({ group }) => group === 'analyst')

type CountryDepartment = { country: string; department: string }

/** Besides the default window, in which a feed that comes once a month has at most one price of a listing. */
const MONTHS = { days: 365, granularity: 'monthly' }

type DepartmentQuestion = { params: object; window: '' | 'by month: ' }

/** The questions about a department: the default window and, of one with periods, the months of a year. */
const questionsOf = (query: AnyQuery, { country, department }: CountryDepartment): DepartmentQuestion[] => {
  const scope = [
    { country, department },
    { country, category: department },
  ].find((params) => query.params.safeParse(params).success)
  if (!scope) return []
  const question: DepartmentQuestion = { params: scope, window: '' }
  const hasPeriods = 'granularity' in query.params.shape
  return hasPeriods ? [question, { params: { ...scope, ...MONTHS }, window: 'by month: ' }] : [question]
}

/** The figures of a statistic; none where it is refused. */
const figuresIn = async (
  engine: Engine,
  query: AnyQuery,
  params: object,
  signal?: AbortSignal,
): Promise<FiguresByPlace> => {
  try {
    return figuresOf((await engine.ask(query, params as never, { signal })) as object)
  } catch (cause) {
    if (cause instanceof EngineError && cause.code !== 'NOT_READY') return new Map()
    throw cause
  }
}

const scopesOf = async (engines: readonly Engine[], country: string | undefined): Promise<CountryDepartment[]> => {
  const cells = (await Promise.all(engines.map((engine) => engine.coverage()))).flat()
  const names = new Set(cells.map((cell) => `${cell.country} ${cell.category_root}`))
  const scopes = [...names].sort().map((name) => {
    const [of = '', department = ''] = name.split(' ')
    return { country: of, department }
  })
  return country === undefined ? scopes : scopes.filter((scope) => scope.country === country)
}

/**
 * Which published figures a refresh or a change of method altered: those of every analyst statistic of each department, as
 * answered by two snapshots for one moment.
 *
 * @throws EngineError NOT_FOUND for a snapshot that the lake lacks, NOT_READY for a damaged one.
 */
export const impactOf = async (lake: string, options: ImpactOptions = {}): Promise<Impact> => {
  const { signal, onProgress, country } = options
  const [before, after] = await chosen(lake, options)
  const { observed_to } = await readManifest(lake, before)
  const as_of = options.as_of ?? (observed_to ? new Date(Date.parse(observed_to.slice(0, 10)) + DAY_MS) : new Date())
  const opened = [await openSnapshot(lake, before, as_of), await openSnapshot(lake, after, as_of)]
  try {
    const engines = opened.map(({ engine }) => engine)
    const work = (await scopesOf(engines, country)).flatMap((scope) =>
      statistics.flatMap((query) => questionsOf(query, scope).map((question) => ({ query, scope, ...question }))),
    )
    const counts = new Map<string, { query: string; compared: number; different: number }>()
    const differences: Difference[] = []
    for (const [done, { query, scope, params, window }] of work.entries()) {
      signal?.throwIfAborted()
      onProgress?.({ step: 'comparing', done, total: work.length, rows: 0 })
      const [own, other] = await Promise.all(engines.map((engine) => figuresIn(engine, query, params, signal)))
      const all = [...new Set([...own!.keys(), ...other!.keys()])]
      const differing = all
        .map((figure) => ({ figure, before: own!.get(figure) ?? null, after: other!.get(figure) ?? null }))
        .filter((each) => each.before !== each.after)
      const count = counts.get(queryId(query)) ?? { query: queryId(query), compared: 0, different: 0 }
      counts.set(count.query, count)
      count.compared += all.length
      count.different += differing.length
      differences.push(
        ...differing.map((each) => ({ query: count.query, ...scope, ...each, figure: `${window}${each.figure}` })),
      )
    }
    return {
      before,
      after,
      as_of: as_of.toISOString().replace('.000Z', 'Z'),
      statistics: [...counts.values()],
      differences,
    }
  } finally {
    for (const each of opened) await each.close()
  }
}
