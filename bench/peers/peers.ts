import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Engine, findQuery, readParams, snapshotFolder } from '../../engine/index.ts'
import { ensureCopies } from '../copies/lake.ts'
import { AS_OF } from '../lake.ts'
import { alternate, processCpuMs, type Variant } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { readScopes } from '../queries/cases.ts'
import { openSql } from '../queries/sql.ts'
import { openArquero } from './arquero.ts'
import { hasPandas, openPandas } from './pandas.ts'
import { openPolars } from './polars.ts'
import { loadResident } from './resident.ts'
import { openChDB, openDuckDBPeer } from './sql-peers.ts'
import {
  areEqual,
  FIRST_MONTH,
  INDEX_MONTH,
  type Peer,
  type PeerScope,
  type PeerSource,
  SINCE,
  type Statistic,
  statistics,
} from './statistics.ts'

const require = createRequire(import.meta.url)

/** A package of this folder; undefined, with a message, where it is not installed or does not run here. */
const find = (name: string): unknown => {
  try {
    return require(name)
  } catch (error) {
    console.error(`Skipped ${name} (${(error as Error).message.split('\n')[0]}): npm install --prefix bench/peers`)
    return undefined
  }
}

const openPeers = async (source: PeerSource): Promise<Peer[]> => {
  const peers = [await openDuckDBPeer(source)]
  const [chdb, polars, arquero] = ['chdb', 'nodejs-polars', 'arquero'].map(find)
  if (chdb) peers.push(openChDB(chdb, source))
  if (polars) peers.push(openPolars(polars, source))
  const resident = arquero || hasPandas() ? await loadResident(source) : null
  if (arquero && resident) peers.push(openArquero(arquero, source, resident))
  if (hasPandas() && resident) peers.push(await openPandas(source, resident))
  else console.error('Skipped pandas: apt install python3-pandas')
  return peers
}

/** The queries whose core figures the peers compute; the engine gives the full answer. */
const queried: Record<Statistic, [name: string, params: Record<string, string>]> = {
  dispersion: ['analyst/price-dispersion', {}],
  'like-for-like': ['analyst/inflation', { from: FIRST_MONTH, to: '2026-11-01' }],
  'share of shelf': ['marketing/share-of-shelf', {}],
  'retailer index': ['analyst/retailer-index', { from: INDEX_MONTH, to: '2026-11-01', granularity: 'monthly' }],
}

const enginePlan = async (engine: Engine, retailer: string, statistic: Statistic, { first, last }: PeerScope) => {
  const [id, params] = queried[statistic]
  const query = findQuery(...(id.split('/') as [string, string]))!
  const known = Object.hasOwn(query.params.shape, 'retailer') && statistic === 'retailer index' ? { retailer } : {}
  const plan = await engine.plan(query, readParams(query, { category: 'grocery', ...params, ...known }))
  return { ...plan, bindings: { ...plan.bindings, first, last } }
}

/** The engine's full answers beside the core figures alone by other engines, over the same files in the same run. */
export const benchPeers = async ({ observations, cache, query = '', scope = '', runs }: BenchOptions) => {
  const lake = await ensureCopies(observations, cache)
  const engine = await Engine.open(lake, { as_of: AS_OF, warm: true })
  const snapshot = resolve(snapshotFolder(lake, engine.manifest.snapshot_id))
  const sql = await openSql()
  const scopes = (await readScopes(sql, snapshot, SINCE)).filter((known) => known.scope.includes(scope))
  const [retailers] = await (
    await sql.prepare([
      `SELECT retailer_id, platform FROM '${snapshot}/retailers.parquet' ORDER BY product_count DESC LIMIT 1`,
    ])
  )()
  const months = (year: number): string => `${snapshot}/listing_months/country=us/year=${year}/part-0.parquet`
  const peers = await openPeers({
    listings: `${snapshot}/listings/country=us/part-0.parquet`,
    months: [months(2025), months(2026)],
    retailer_id: Number(retailers!.retailer_id![0]),
  })
  const rows: Record<string, unknown>[] = []
  for (const statistic of statistics.filter((name) => name.includes(query)))
    for (const known of scopes) {
      const plan = await enginePlan(engine, String(retailers!.platform![0]), statistic, known)
      const expected = await peers[0]!.run(statistic, known)
      const variants: Record<string, Variant> = { engine: { run: () => engine.run(plan), cpuMs: processCpuMs } }
      for (const peer of peers) {
        const figures = await peer.run(statistic, known)
        if (areEqual(expected, figures))
          variants[peer.name] = { run: async () => peer.run(statistic, known), cpuMs: peer.cpuMs ?? processCpuMs }
        else {
          console.error(
            `${peer.name}, ${statistic}, ${known.scope}: ${JSON.stringify(figures)}, DuckDB ${JSON.stringify(expected)}`,
          )
          process.exitCode = 1
        }
      }
      const measured = await alternate(variants, runs)
      for (const [name, { cpu_ms, wall_ms }] of Object.entries(measured))
        rows.push({
          statistic,
          scope: known.scope,
          listings: known.listings,
          by: name,
          cpu_ms,
          wall_ms,
          engine_cpu_ratio: measured.engine!.cpu_ms / cpu_ms,
          engine_wall_ratio: measured.engine!.wall_ms / wall_ms,
        })
    }
  for (const peer of peers) peer.close?.()
  engine.close()
  sql.close()
  return rows
}
