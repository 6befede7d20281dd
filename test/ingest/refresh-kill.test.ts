import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Engine, findQuery, type Manifest, readManifest, verifySnapshot } from '../../engine/index.ts'

const KILLS = 30
const LISTINGS = 40
const command = new URL('../../ingest/main.ts', import.meta.url).pathname
const folder = await mkdtemp(join(tmpdir(), 'shelfmark-kill-'))
const lake = join(folder, 'lake')

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A day's prices of every listing. */
const writeDay = async (day: number): Promise<string> => {
  const feeds = join(folder, `feeds-${day}`)
  const observed_at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
  const rows = Array.from({ length: LISTINGS }, (_, i) => ({
    platform: 'acme',
    country: 'us',
    listing_id: `l${i}`,
    observed_at,
    price: `${10 + i}.${String(day).padStart(2, '0')}`,
    currency: 'USD',
    category_path: 'Grocery > Coffee',
  }))
  await mkdir(join(feeds, 'price_observations'), { recursive: true })
  await writeFile(
    join(feeds, 'price_observations', 'day.jsonl'),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  )
  return feeds
}

const startRefresh = (feeds: string) =>
  spawn(process.execPath, ['--import', 'tsx', command, '--feeds', feeds, '--lake', lake], { stdio: 'ignore' })

const complete = async (feeds: string): Promise<number | null> => {
  const [code] = (await once(startRefresh(feeds), 'exit')) as [number | null]
  return code
}

const question = {
  category: 'coffee',
  country: 'us',
  from: '2026-01-01',
  to: '2026-03-01',
  granularity: 'daily',
} as const

/** Asks until told to stop: every answer is of one whole snapshot whose files are as its manifest says. */
const read = async (engine: Engine, stop: AbortSignal): Promise<Set<string>> => {
  const inflation = findQuery('analyst', 'inflation')!
  const manifests = new Map<string, Manifest>()
  while (!stop.aborted) {
    await engine.reload()
    const { snapshot_id } = engine.manifest
    const plan = await engine.plan(inflation, question)
    const answer = (await engine.run(plan)) as {
      meta: { snapshot_id: string }
      time_series: { observation_count: number }[]
    }
    expect(answer.meta.snapshot_id).toBe(snapshot_id)
    const manifest = manifests.get(snapshot_id) ?? (await readManifest(lake, snapshot_id))
    if (!manifests.has(snapshot_id)) await verifySnapshot(lake, manifest)
    manifests.set(snapshot_id, manifest)
    const observed = answer.time_series.reduce((sum, point) => sum + point.observation_count, 0)
    expect(observed).toBe(manifest.counts.observations)
    await sleep(5)
  }
  return new Set(manifests.keys())
}

test(`a refresh killed ${KILLS} times leaves the snapshot before, under a reader`, { timeout: 300_000 }, async () => {
  const started = performance.now()
  expect(await complete(await writeDay(0))).toBe(0)
  let took = performance.now() - started
  const engine = await Engine.open(lake, { as_of: new Date('2026-03-01') })
  const stop = new AbortController()
  const reading = read(engine, stop.signal)
  let killed = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const feeds = await writeDay(kill)
    const start = performance.now()
    const refresh = startRefresh(feeds)
    const exited = once(refresh, 'exit').then(([, signal]) => ({ signal, lasted: performance.now() - start }))
    // From before the first write to after the last, spread evenly so that no step is left out by chance.
    await sleep(took * (0.3 + (0.9 * ((kill * 7) % KILLS)) / KILLS))
    refresh.kill('SIGKILL')
    const { signal, lasted } = await exited
    // The first may have been slowed by what else ran: one that ends by itself tells how long they last now.
    if (signal === 'SIGKILL') killed += 1
    else took = lasted
  }
  for (let day = 1; day <= KILLS; day++)
    if (day % 10 === 0) expect(await complete(join(folder, `feeds-${day}`))).toBe(0)
  stop.abort()
  const seen = await reading
  await engine.reload()
  const { snapshot_id } = engine.manifest
  await verifySnapshot(lake, await readManifest(lake, snapshot_id))
  engine.close()
  expect(killed).toBeGreaterThan(KILLS / 3)
  expect(seen.size).toBeGreaterThan(0)
  expect(await readdir(join(lake, 'staging'))).toEqual([])
})
