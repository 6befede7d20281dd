import { resolve } from 'node:path'
import { DAY_MS } from '../../engine/contract/time.ts'
import {
  Engine,
  EngineError,
  findQuery,
  type NodeRequest,
  type Plan,
  readClusterAddress,
  readCurrentManifest,
  readParams,
  snapshotFolder,
} from '../../engine/index.ts'
import { loadCluster } from '../../ingest/cluster/load.ts'
import { ensureCopies } from '../copies/lake.ts'
import type { BenchOptions } from '../options.ts'
import { median } from '../quantile.ts'
import { type Case, readCases, widen } from '../queries/cases.ts'
import { openSql } from '../queries/sql.ts'
import { nodesCpuMs } from './node-cpu.ts'

/** Scopes that are measured unless --scope says otherwise. */
const SCOPES = ['department', 'country', 'large brand', 'product']
const WARM_UP = 2

/** What answers plans, and what its nodes have done so far. */
type Subject = {
  name: string
  engine: Engine
  /** CPU milliseconds of all its nodes; null if a node runs on another machine. */
  cpuMs: (() => number) | null
  sent: { rows: number; bytes: number }
}

/** CPU milliseconds of this process, which plans and finishes, and of all nodes. */
type CaseMeasurement = { walls: number[]; service_cpu_ms: number; nodes_cpu_ms: number; rows: number; bytes: number }

/** Loads the lake into a cluster, and opens an engine on it. */
const openSubject = async (
  name: string,
  lake: string,
  address: string,
  as_of: Date,
  cluster?: string,
): Promise<Subject> => {
  const { nodes } = readClusterAddress(address)
  const start = performance.now()
  const report = await loadCluster(lake, address, { cluster })
  const seconds = (performance.now() - start) / 1000
  if (report.nodes.some(({ was_loaded }) => !was_loaded)) console.error(`${name}: loaded in ${seconds.toFixed(1)} s`)
  const sent = { rows: 0, bytes: 0 }
  const onRequest = ({ rows, bytes }: NodeRequest): void => {
    sent.rows += rows
    sent.bytes += bytes
  }
  const engine = await Engine.open(lake, { as_of, cluster: address, cluster_requests: { max_ms: 600_000, onRequest } })
  return { name, engine, cpuMs: nodesCpuMs(nodes), sent }
}

/** The answer of a plan, or the code of its refusal. */
const answerText = async ({ engine }: Subject, plan: Plan): Promise<string> => {
  try {
    return JSON.stringify(await engine.run(plan))
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'NOT_READY') return error.code
    throw error
  }
}

const planOf = async ({ engine }: Subject, measured: Case): Promise<Plan> => {
  const [group = '', name = ''] = measured.query.split('/')
  const query = findQuery(group, name)!
  const plan = await engine.plan(query, readParams(query, measured.params))
  return { ...plan, bindings: widen(plan.bindings, measured) }
}

const measureOnce = async ({ engine, cpuMs, sent }: Subject, plan: Plan, measured: CaseMeasurement): Promise<void> => {
  const before = { ...sent, nodes_cpu_ms: cpuMs?.() ?? 0, cpu: process.cpuUsage() }
  const start = performance.now()
  await engine.run(plan)
  measured.walls.push(performance.now() - start)
  const { user, system } = process.cpuUsage(before.cpu)
  measured.service_cpu_ms += (user + system) / 1000
  measured.nodes_cpu_ms += (cpuMs?.() ?? 0) - before.nodes_cpu_ms
  measured.rows = sent.rows - before.rows
  measured.bytes = sent.bytes - before.bytes
}

/** Measures all subjects in turn, so that other load on the machine affects all of them. */
const measureCase = async (subjects: readonly Subject[], plan: Plan, runs: number): Promise<CaseMeasurement[]> => {
  const all = subjects.map(
    (): CaseMeasurement => ({ walls: [], service_cpu_ms: 0, nodes_cpu_ms: 0, rows: 0, bytes: 0 }),
  )
  for (let run = -WARM_UP; run < runs; run += 1)
    for (const [index, subject] of subjects.entries())
      if (run < 0) await subject.engine.run(plan)
      else await measureOnce(subject, plan, all[index]!)
  return all
}

const timesOf = (
  { name, cpuMs }: Subject,
  { walls, service_cpu_ms, nodes_cpu_ms, rows, bytes }: CaseMeasurement,
  duckdb_ms: number,
) => ({
  [`${name}_ms`]: median(walls),
  [`${name}_ratio`]: median(walls) / duckdb_ms,
  [`${name}_service_cpu_ms`]: service_cpu_ms / walls.length,
  [`${name}_nodes_cpu_ms`]: cpuMs && nodes_cpu_ms / walls.length,
  [`${name}_rows`]: rows,
  [`${name}_bytes`]: bytes,
})

const lakeOf = async ({ lake, observations, cache }: BenchOptions): Promise<string> =>
  lake ?? ensureCopies(observations, cache)

/**
 * Every query over prices by DuckDB's statements, on a cluster of one node and on one of three: median times, CPU of
 * this process and of all nodes, and what these send. Answers are compared before times: where they differ the exit code is 1.
 */
export const benchCluster = async (options: BenchOptions) => {
  const { one = '', three = '', cluster, query = '', scope, runs } = options
  const lake = await lakeOf(options)
  const { snapshot_id, observed_to } = (await readCurrentManifest(lake))!
  const as_of = new Date(Math.ceil(Date.parse(observed_to!) / DAY_MS) * DAY_MS)
  const duckdb = {
    name: 'duckdb',
    engine: await Engine.open(lake, { as_of }),
    cpuMs: null,
    sent: { rows: 0, bytes: 0 },
  }
  const subjects: Subject[] = [
    duckdb,
    await openSubject('one', lake, one, as_of),
    await openSubject('three', lake, three, as_of, cluster),
  ]
  const sql = await openSql()
  const since = new Date(as_of.getTime() - 90 * DAY_MS).toISOString().slice(0, 10)
  const cases = (await readCases(sql, resolve(snapshotFolder(lake, snapshot_id)), since)).filter(
    (measured) =>
      measured.query.includes(query) &&
      measured.query !== 'public/coverage' &&
      (scope === undefined ? SCOPES.includes(measured.scope) : measured.scope.includes(scope)),
  )
  const rows: object[] = []
  for (const measured of cases) {
    const { query, scope, window, listings } = measured
    const plan = await planOf(duckdb, measured)
    const answers = await Promise.all(subjects.map((subject) => answerText(subject, plan)))
    if (new Set(answers).size > 1) {
      console.error(`${query}, ${scope}, ${window}: the answers differ`)
      process.exitCode = 1
      continue
    }
    const all = await measureCase(subjects, plan, runs)
    const duckdb_ms = median(all[0]!.walls)
    const duckdb_cpu_ms = all[0]!.service_cpu_ms / runs
    const times = subjects.slice(1).map((subject, index) => timesOf(subject, all[index + 1]!, duckdb_ms))
    rows.push(Object.assign({ query, scope, window, listings, duckdb_ms, duckdb_cpu_ms }, ...times))
  }
  for (const { engine } of subjects) engine.close()
  sql.close()
  return rows
}
