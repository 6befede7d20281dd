import { resolve } from 'node:path'
import { Engine, findQuery, readParams, snapshotFolder } from '../../engine/index.ts'
import { givenCopies } from '../copies/lake.ts'
import { AS_OF } from '../lake.ts'
import { alternate, processCpuMs } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { type Case, readCases, widen } from './cases.ts'
import { differences } from './floor.ts'
import { floors } from './floors.ts'
import { filesOf, openSql, type Sql } from './sql.ts'

/** A day before which no price is current by default. */
const SINCE = '2026-08-23'

type Timing = Pick<Case, 'query' | 'scope' | 'window' | 'listings'> & {
  cpu_ms: number
  floor_cpu_ms: number
  cpu_ratio: number
  wall_ms: number
  floor_wall_ms: number
  wall_ratio: number
}

/** The engine and the floor of a case, ready to run. */
const prepare = async (engine: Engine, sql: Sql, snapshot: string, measured: Case) => {
  const [group = '', name = ''] = measured.query.split('/')
  const query = findQuery(group, name)!
  const planned = await engine.plan(query, readParams(query, measured.params))
  const plan = { ...planned, bindings: widen(planned.bindings, measured) }
  const values = { ...(plan.context as object), ...plan.params, ...plan.bindings } as Parameters<typeof filesOf>[1]
  const files = filesOf(snapshot, values)
  const floor = floors[measured.query]!
  const first = await sql.prepare(floor.statements(files, values))
  const second = await sql.prepare(floor.second?.(files, values) ?? [])
  return {
    engine: () => engine.run(plan),
    floor: async () => floor.figures(await first(), values, second),
  }
}

const describe = ({ query, scope, window }: Case): string => `${query}, ${scope}, ${window}`

/**
 * Every query over prices beside the best SQL known by hand for the same figures, on the same files in the same run.
 * Figures are compared before times: where they differ the exit code is 1.
 */
export const benchQueries = async ({ observations, cache, query = '', scope = '', runs }: BenchOptions) => {
  const lake = await givenCopies(observations, cache)
  const engine = await Engine.open(lake, { as_of: AS_OF, warm: true })
  const sql = await openSql()
  const snapshot = resolve(snapshotFolder(lake, engine.manifest.snapshot_id))
  const cases = (await readCases(sql, snapshot, SINCE)).filter(
    (known) => known.query.includes(query) && known.scope.includes(scope),
  )
  const timings: Timing[] = []
  for (const known of cases) {
    const variants = await prepare(engine, sql, snapshot, known)
    const unlike = differences(await variants.floor(), await variants.engine())
    if (unlike.length > 0) {
      console.error(`${describe(known)}: ${unlike.length} figures differ\n  ${unlike.slice(0, 5).join('\n  ')}`)
      process.exitCode = 1
      continue
    }
    const { engine: full, floor } = variants
    const measured = await alternate(
      { engine: { run: full, cpuMs: processCpuMs }, floor: { run: floor, cpuMs: processCpuMs } },
      runs,
    )
    timings.push({
      query: known.query,
      scope: known.scope,
      window: known.window,
      listings: known.listings,
      cpu_ms: measured.engine.cpu_ms,
      floor_cpu_ms: measured.floor.cpu_ms,
      cpu_ratio: measured.engine.cpu_ms / measured.floor.cpu_ms,
      wall_ms: measured.engine.wall_ms,
      floor_wall_ms: measured.floor.wall_ms,
      wall_ratio: measured.engine.wall_ms / measured.floor.wall_ms,
    })
  }
  engine.close()
  sql.close()
  return timings
}
