import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Engine, type Plan, snapshotFolder, snapshotIds } from '../../engine/index.ts'
import { rollback } from '../../ingest/snapshot/snapshots.ts'
import { ask, planOf } from '../support/ask.ts'
import { ensureLake, openEngine, refreshed, temporaryFolder } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

const as_of = new Date(WORLD_END)
const queries = [
  ['analyst/inflation', { category: 'Grocery > Coffee', from: '2026-08-10', to: '2026-11-21', granularity: 'weekly' }],
  ['analyst/inflation', { department: 'Grocery', from: '2026-08-01', to: '2026-11-01' }],
  ['analyst/price-dispersion', { category: 'Grocery > Coffee > Beans' }],
  ['analyst/category-summary', { department: 'Grocery', country: 'ca' }],
  ['public/stats', {}],
] as const

let lakeOfTwo: string
let ids: [string, string]

beforeAll(async () => {
  const { lake } = await ensureLake({ observations: worldOf(4).map(feedRow) })
  const more = Array.from({ length: 40 }, (_, i) => observed(listing(`more ${i}`), { '2026-11-18': 1500 + i })).flat()
  const { snapshot_id, previous } = await refreshed(lake, { observations: more.map(feedRow) })
  lakeOfTwo = lake
  ids = [previous!, snapshot_id!]
})

afterEach(() => vi.useRealTimers())

/** A lake of two snapshots that points to the first. */
const lakeAtFirst = async (): Promise<string> => {
  const folder = join(await temporaryFolder(), 'lake')
  await cp(lakeOfTwo, folder, { recursive: true })
  await rollback(folder, ids[0])
  return folder
}

const answersOf = async (engine: Engine): Promise<unknown[]> =>
  Promise.all(queries.map(([id, given]) => ask(engine, id, given)))
const plansOf = async (engine: Engine): Promise<Plan[]> =>
  Promise.all(queries.map(([id, given]) => planOf(engine, id, given)))
const runAll = async (engine: Engine, plans: readonly Plan[]): Promise<unknown[]> =>
  Promise.all(plans.map((plan) => engine.run(plan)))

test('a plan is answered from its own snapshot, even after the engine has switched to another', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of })
  const plans = await plansOf(engine)
  const before = await runAll(engine, plans)

  await rollback(lake, ids[1])
  expect(engine.manifest.snapshot_id).toBe(ids[0])
  expect(await engine.reload()).toBe(true)
  expect(engine.manifest.snapshot_id).toBe(ids[1])
  expect(await runAll(engine, plans)).toEqual(before)
  const after = await answersOf(engine)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await answersOf(await openEngine(lake, { as_of })))

  expect(await engine.reload()).toBe(false)
  await rollback(lake, ids[0])
  expect(await engine.reload()).toBe(true)
  expect(await answersOf(engine)).toEqual(before)
})

test('queries that run while snapshots change are each answered from a single snapshot', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of })
  const answers = new Map([[ids[0], await answersOf(engine)]])
  await rollback(lake, ids[1])
  await engine.reload()
  answers.set(ids[1], await answersOf(engine))

  const seen = new Set<string>()
  const asking = async (): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      const number = i % queries.length
      const [id, given] = queries[number]!
      const plan = await planOf(engine, id, given)
      expect(await engine.run(plan)).toEqual(answers.get(plan.snapshot_id)![number])
      seen.add(plan.snapshot_id)
    }
  }
  const switching = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await rollback(lake, ids[i % 2])
      await engine.reload()
    }
  }
  await Promise.all([asking(), asking(), asking(), switching()])
  expect(seen.size).toBe(2)
})

test('a snapshot is closed some time after the switch, and its plans are then answered from the current one', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of })
  const plans = await plansOf(engine)
  await rollback(lake, ids[1])
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await engine.reload()
  vi.advanceTimersByTime(60_000)
  await rm(snapshotFolder(lake, ids[0]), { recursive: true })
  expect(await runAll(engine, plans)).toEqual(await answersOf(engine))
})

test('a snapshot that is open is not removed by later refreshes', async () => {
  const lake = await lakeAtFirst()
  const engine = await Engine.open(lake, { as_of })
  const plans = await plansOf(engine)
  const before = await runAll(engine, plans)
  const refreshOn = (day: number) => {
    const rows = observed(listing('late'), { [`2026-11-${day}`]: 1500 }).map(feedRow)
    return refreshed(lake, { observations: rows }, { keep: 1 })
  }
  const { warnings } = await refreshOn(17)
  expect(warnings).toContain(`snapshot ${ids[0]} is in use and stays; the next refresh removes it`)
  await refreshOn(18)
  expect(await runAll(engine, plans)).toEqual(before)
  engine.close()
  expect((await refreshOn(20)).warnings).not.toContainEqual(expect.stringContaining('is in use'))
  expect(await snapshotIds(lake)).toHaveLength(1)
})

test('concurrent reloads switch once', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of })
  await rollback(lake, ids[1])
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await Promise.all([engine.reload(), engine.reload(), engine.reload()])
  vi.advanceTimersByTime(60_000)
  expect(engine.manifest.snapshot_id).toBe(ids[1])
  expect(await answersOf(engine)).toEqual(await answersOf(await openEngine(lake, { as_of })))
})

test('a lake without a snapshot is not ready', async () => {
  const lake = await temporaryFolder()
  await expect(Engine.open(lake)).rejects.toMatchObject({ code: 'NOT_READY' })
  await writeFile(join(lake, 'current'), '000001-abcdefab\n')
  await expect(Engine.open(lake)).rejects.toMatchObject({ code: 'NOT_READY' })
})

test('a closed engine finishes the queries it had accepted and refuses later ones', async () => {
  const engine = await Engine.open(lakeOfTwo, { as_of })
  const [plan] = await plansOf(engine)
  const running = engine.run(plan!)
  engine.close()
  await expect(running).resolves.toBeDefined()
  await expect(engine.run(plan!)).rejects.toMatchObject({ code: 'NOT_READY' })
  await expect(engine.explain(plan!)).rejects.toMatchObject({ code: 'NOT_READY' })
  engine.close()
})

test('an engine that is closed while it plans a query finishes the plan first', async () => {
  const engine = await Engine.open(lakeOfTwo, { as_of })
  const planning = planOf(engine, 'analyst/price-dispersion', { category: 'coffee', retailer: 'alpha' })
  engine.close()
  await expect(planning).resolves.toBeDefined()
  await expect(planOf(engine, 'public/coverage', {}, '2026-09-02T00:00:00Z')).rejects.toMatchObject({
    code: 'NOT_READY',
  })
})

test('a cancelled query is refused, and its connection runs the next one', async () => {
  const engine = await openEngine(lakeOfTwo, { as_of, connections: 1 })
  const plans = await plansOf(engine)
  await expect(engine.run(plans[0]!, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'NOT_READY' })
  const leaving = new AbortController()
  const withdrawn = engine.run(plans[1]!, { signal: leaving.signal })
  leaving.abort()
  await expect(withdrawn).rejects.toMatchObject({ code: 'NOT_READY' })
  expect(await runAll(engine, plans)).toEqual(await answersOf(engine))
})

test('files that are temporarily missing are read again once they are back', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of, connections: 1 })
  const plans = await plansOf(engine)
  await rename(join(lake, 'snapshots'), join(lake, 'away'))
  await expect(engine.run(plans[0]!)).rejects.toMatchObject({ code: 'NOT_READY' })
  await expect(engine.run(plans[1]!)).rejects.toMatchObject({ code: 'NOT_READY' })
  expect(await engine.reload()).toBe(false)
  expect(engine.state).toMatchObject({ snapshot_id: null, published_id: ids[0], damage: { reason: 'missing' } })
  await rename(join(lake, 'away'), join(lake, 'snapshots'))
  // The first look sees that something has changed, the second that it stays so.
  expect([await engine.reload(), await engine.reload()]).toEqual([false, true])
  expect(await runAll(engine, plans)).toEqual(await answersOf(await openEngine(lake, { as_of })))
})

test('planning reads no files once a warm engine is open', async () => {
  const lake = await lakeAtFirst()
  const engine = await openEngine(lake, { as_of, warm: true })
  await rm(lake, { recursive: true })
  const plan = await planOf(engine, 'analyst/inflation', { category: 'Grocery > Coffee', retailer: 'alpha' })
  await expect(engine.run(plan)).rejects.toThrow()
})
