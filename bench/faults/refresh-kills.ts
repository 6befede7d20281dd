import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Engine, findQuery, type Manifest, readManifest, verifySnapshot } from '../../engine/index.ts'
import { completeRefresh, startRefresh, writeDay } from './days.ts'
import { type Measured, progress, Tally } from './figure.ts'

const params = {
  category: 'coffee',
  country: 'us',
  from: '2026-01-01',
  to: '2026-12-01',
  granularity: 'daily',
} as const
type Inflation = { meta: { snapshot_id: string }; time_series: { observation_count: number }[] }

type Reading = { reads: number; snapshots: Set<string>; problems: string[] }

/** Reads until the signal and once after it, checking that every answer is from one complete, sound snapshot. */
const readUntil = async (lake: string, engine: Engine, stop: AbortSignal): Promise<Reading> => {
  const inflation = findQuery('analyst', 'inflation')!
  const manifests = new Map<string, Manifest>()
  const reading: Reading = { reads: 0, snapshots: new Set(), problems: [] }
  const read = async (): Promise<void> => {
    await engine.reload()
    const { snapshot_id } = engine.manifest
    const answer = (await engine.run(await engine.plan(inflation, params))) as Inflation
    if (answer.meta.snapshot_id !== snapshot_id) reading.problems.push('an answer of another snapshot')
    const manifest = manifests.get(snapshot_id) ?? (await readManifest(lake, snapshot_id))
    if (!manifests.has(snapshot_id)) await verifySnapshot(lake, manifest)
    manifests.set(snapshot_id, manifest)
    const observed = answer.time_series.reduce((sum, point) => sum + point.observation_count, 0)
    if (observed !== manifest.counts.observations) reading.problems.push('an answer of two snapshots')
    reading.snapshots.add(snapshot_id)
  }
  const countRead = async (): Promise<void> => {
    await read().catch((error: Error) => reading.problems.push(error.message))
    reading.reads += 1
  }
  while (!stop.aborted) {
    await countRead()
    // Refreshes share the machine with it.
    await sleep(20)
  }
  // A busy machine may not have let it read the last snapshot before the signal.
  await countRead()
  return reading
}

export type Kills = {
  /** Kills that landed before the refresh had ended, and those that came too late. */
  landed: number
  late: number
  reading: Reading
  /** What a run after the last kill left in `staging`. */
  orphans: string[]
}

/** Kills refreshes of a lake under a reader until enough kills have landed. Every tenth day is refreshed without one. */
export const killRefreshes = async (kills: number, listings?: number): Promise<Kills> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-kill-'))
  const lake = join(folder, 'lake')
  const report = progress('kills', kills)
  const refreshDay = async (day: number): Promise<void> => {
    const code = await completeRefresh(await writeDay(folder, day, listings), lake)
    if (code !== 0) throw new Error(`a refresh that was not killed exited with ${code}`)
  }
  try {
    const started = performance.now()
    await refreshDay(0)
    let took = performance.now() - started
    const engine = await Engine.open(lake, { as_of: new Date('2026-12-01') })
    const stop = new AbortController()
    const reading = readUntil(lake, engine, stop.signal)
    let landed = 0
    let late = 0
    let day = 1
    for (; landed < kills; day++) {
      const refresh = startRefresh(await writeDay(folder, day, listings), lake)
      const start = performance.now()
      const exited = once(refresh, 'exit').then(([, signal]) => ({ signal, lasted: performance.now() - start }))
      // From before the first write to after the last, spread evenly so that no step is left out by chance.
      await sleep(took * (0.3 + (0.9 * ((day * 7) % 30)) / 30))
      refresh.kill('SIGKILL')
      const { signal, lasted } = await exited
      // One that was not killed shows how long refreshes take at the current load.
      if (signal === 'SIGKILL') report(++landed)
      else {
        late += 1
        took = lasted
      }
      if (landed % 10 === 0) await refreshDay(day)
    }
    // A new day: a day that is already in the lake may publish nothing.
    await refreshDay(day)
    stop.abort()
    const seen = await reading
    await engine.reload()
    await verifySnapshot(lake, await readManifest(lake, engine.manifest.snapshot_id))
    engine.close()
    return { landed, late, reading: seen, orphans: await readdir(join(lake, 'staging')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const measureKills = async (rounds: number, listings?: number): Promise<Measured> => {
  const { landed, late, reading, orphans } = await killRefreshes(rounds, listings)
  const tally = new Tally()
  for (const problem of reading.problems) tally.count(problem)
  for (const orphan of orphans) tally.count(`${orphan} is an orphan`)
  tally.rounds = landed
  const { reads, snapshots } = reading
  return tally.measured(`${landed} kills landed, ${late} came late; ${reads} reads of ${snapshots.size} snapshots`)
}

export const measureRefreshKills = (rounds: number): Promise<Measured> => measureKills(rounds)

/** A merge of a million rows: those of the lake's first day, and as many of another. */
export const measureMergeKills = (rounds: number): Promise<Measured> => measureKills(rounds, 500_000)
