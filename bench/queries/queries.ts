import { resolve } from 'node:path'
import { Engine, findQuery, readParams, snapshotFolder } from '../../engine/index.ts'
import { ensureCopies } from '../copies/lake.ts'
import { AS_OF } from '../lake.ts'
import { alternate, type MedianTimes, processCpuMs } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { type Case, readCases, widen } from './cases.ts'
import { differences } from './floor.ts'
import { floors } from './floors.ts'
import { filesOf, openSql, type Sql } from './sql.ts'

/** A day before which no price is current by default. */
const SINCE = '2026-08-23'

type Timing = Pick<Case, 'query' | 'scope' | 'window' | 'listings'> & {
  cpu_ms: number
  floor_cpu_ms: number | typeof NO_FLOOR
  cpu_ratio: number | null
  wall_ms: number
  floor_wall_ms: number | typeof NO_FLOOR
  wall_ratio: number | null
  files_cpu_ms: number
  files_cpu_ratio: number | null
  files_wall_ms: number
  files_wall_ratio: number | null
}

/** What the table has in place of the times of a missing floor. */
const NO_FLOOR = 'no floor'

/** The engines of a service and of a command line: the first holds current prices in memory, the second reads files. */
type Engines = { engine: Engine; fromFiles: Engine }

type PerVariant<T> = { engine: T; files: T; floor?: T }

/** The engines and the floor of a case, ready to run. */
const prepare = async (
  { engine, fromFiles }: Engines,
  sql: Sql,
  snapshot: string,
  measured: Case,
): Promise<PerVariant<() => Promise<unknown>>> => {
  const [group = '', name = ''] = measured.query.split('/')
  const query = findQuery(group, name)!
  const planned = await engine.plan(query, readParams(query, measured.params))
  const plan = { ...planned, bindings: widen(planned.bindings, measured) }
  const values = { ...(plan.context as object), ...plan.params, ...plan.bindings } as Parameters<typeof filesOf>[1]
  const files = filesOf(snapshot, values)
  const full = { engine: () => engine.run(plan), files: () => fromFiles.run(plan) }
  const floor = floors[measured.query]
  if (!floor) return full
  const first = await sql.prepare(floor.statements(files, values))
  const second = await sql.prepare(floor.second?.(files, values) ?? [])
  return { ...full, floor: async () => floor.figures(await first(), values, second) }
}

const describe = ({ query, scope, window }: Case): string => `${query}, ${scope}, ${window}`

/**
 * Every query over prices compared with the best hand-written SQL for the same figures, on the same files in the same run.
 * Figures are compared before times: where they differ the exit code is 1.
 */
export const benchQueries = async ({ observations, cache, query = '', scope = '', runs }: BenchOptions) => {
  const lake = await ensureCopies(observations, cache)
  const engine = await Engine.open(lake, { as_of: AS_OF, warm: true })
  const fromFiles = await Engine.open(lake, { as_of: AS_OF })
  const sql = await openSql()
  const snapshot = resolve(snapshotFolder(lake, engine.manifest.snapshot_id))
  const cases = (await readCases(sql, snapshot, SINCE)).filter(
    (measuredCase) => measuredCase.query.includes(query) && measuredCase.scope.includes(scope),
  )
  const timings: Timing[] = []
  for (const measuredCase of cases) {
    const variants = await prepare({ engine, fromFiles }, sql, snapshot, measuredCase)
    const unlike = variants.floor ? differences(await variants.floor(), await variants.engine()) : []
    if (unlike.length > 0) {
      console.error(`${describe(measuredCase)}: ${unlike.length} figures differ\n  ${unlike.slice(0, 5).join('\n  ')}`)
      process.exitCode = 1
      continue
    }
    const measured = await alternate(
      Object.fromEntries(Object.entries(variants).map(([name, run]) => [name, { run, cpuMs: processCpuMs }])),
      runs,
    )
    const { engine: full, files, floor } = measured as PerVariant<MedianTimes>
    const ratioOf = (times: MedianTimes, kind: keyof MedianTimes) => (floor ? times[kind] / floor[kind] : null)
    timings.push({
      query: measuredCase.query,
      scope: measuredCase.scope,
      window: measuredCase.window,
      listings: measuredCase.listings,
      cpu_ms: full.cpu_ms,
      floor_cpu_ms: floor?.cpu_ms ?? NO_FLOOR,
      cpu_ratio: ratioOf(full, 'cpu_ms'),
      wall_ms: full.wall_ms,
      floor_wall_ms: floor?.wall_ms ?? NO_FLOOR,
      wall_ratio: ratioOf(full, 'wall_ms'),
      files_cpu_ms: files.cpu_ms,
      files_cpu_ratio: ratioOf(files, 'cpu_ms'),
      files_wall_ms: files.wall_ms,
      files_wall_ratio: ratioOf(files, 'wall_ms'),
    })
  }
  engine.close()
  fromFiles.close()
  sql.close()
  return timings
}
