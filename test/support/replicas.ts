import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentSnapshotId, Engine, readParams, type Store } from '../../engine/index.ts'
import { queryNamed } from './ask.ts'
import { refreshed, temporaryFolder } from './given.ts'
import { type Reply, send } from './http.ts'
import { type ObjectStore, startObjectStore } from './object-store.ts'
import { type Served, startService } from './process.ts'
import { feedRow, listing, observed } from './rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'

/** A service over a store: its process, its lake and its ports. */
export type Replica = { served: Served; lake: string; port: number; admin: number }

/** Leaves time to the pulls, which run at low priority. */
const POLL_MS = 100

export const until = async (what: () => Promise<boolean> | boolean, limit_ms = 200_000): Promise<void> => {
  for (const end = Date.now() + limit_ms; !(await what()); await sleep(POLL_MS))
    if (Date.now() > end) throw new Error(`not within ${limit_ms} ms: ${what}`)
}

/** What `/readyz` says, with its status. */
export const ready = async ({ admin }: Pick<Replica, 'admin'>) => {
  const { status, body } = await send(admin, '/readyz', { agent: false })
  return { status, ...JSON.parse(body) }
}

const serves = async (replica: Replica, id: string): Promise<boolean> => {
  const { snapshot, store } = await ready(replica)
  return snapshot.snapshot_id === id && store.snapshot_id === id && store.error === null
}

/** Waits until `/readyz` of all replicas names a snapshot, as served and as the store's. */
export const allServe = (replicas: readonly Replica[], id: string): Promise<void> =>
  until(async () => (await Promise.all(replicas.map((replica) => serves(replica, id)))).every(Boolean))

/** A lake that is pushed to a store, the services that pull from it, and what they must answer. */
export type Fleet = {
  objects: ObjectStore
  store: Store
  /** The lake that is refreshed. */
  writer: string
  /** The path of the query about a number of days. */
  path(days: number): string
  /** Publishes a day with so many more listings, and has a reference engine answer; returns the id of the snapshot. */
  publishDay(day: number): Promise<string>
  /** Starts a service with these settings over a lake of its own. */
  start(lake: string, environment?: Record<string, string>): Promise<Replica>
  /** The snapshot of an answer; null if it is no answer, or not the one of the reference engine over that snapshot. */
  snapshotOf(reply: Reply, days: number): string | null
}

/** Starts a store whose snapshots get one query, about shelf coffee, with each number of days. */
export const startFleet = async (prefix: string, id: string, days: readonly number[]): Promise<Fleet> => {
  const objects = await startObjectStore()
  const store = objects.open(prefix)
  const writer = await temporaryFolder()
  const query = queryNamed(id)
  /** By snapshot and days. */
  const expected = new Map<string, string>()

  const publishDay = async (day: number): Promise<string> => {
    const rows = Array.from({ length: 30 + day }, (_, i) =>
      observed(listing(`L${i}`), { [`2026-11-${String(day).padStart(2, '0')}`]: 1000 + i + day }),
    )
    await refreshed(writer, { observations: rows.flat().map(feedRow) })
    const engine = await Engine.open(writer, { as_of: new Date(AS_OF), threads: 1 })
    for (const count of days) {
      const answer = await engine.ask(query, readParams(query, { category: 'coffee', days: String(count) }))
      expected.set(`${engine.manifest.snapshot_id} ${count}`, JSON.stringify(answer))
    }
    engine.close()
    return (await currentSnapshotId(writer))!
  }

  const start = async (lake: string, environment: Record<string, string> = {}): Promise<Replica> => {
    const served = startService({
      ...environment,
      SHELFMARK_LAKE: lake,
      SHELFMARK_STORE: store.name,
      SHELFMARK_STORE_POLL_MS: '300',
      SHELFMARK_RELOAD_MS: '100',
      SHELFMARK_RATE: '10000000',
      SHELFMARK_BURST: '1000000',
      SHELFMARK_ADMIN_PORT: '0',
      SHELFMARK_AS_OF: AS_OF,
      ...objects.environment,
    })
    const portIn = (text: unknown): number => Number(/:(\d+)$/.exec(String(text))?.[1])
    await until(() => served.log.some(({ msg }) => msg === 'health and metrics'))
    const admin = portIn(served.log.find(({ msg }) => msg === 'health and metrics')?.address)
    return { served, lake, port: portIn(served.log[0]?.msg), admin }
  }

  const snapshotOf = ({ status, body }: Reply, count: number): string | null => {
    const { snapshot_id = null } = status === 200 ? JSON.parse(body).meta : {}
    return body === expected.get(`${snapshot_id} ${count}`) ? snapshot_id : null
  }

  return {
    objects,
    store,
    writer,
    path: (count) => `/v1/${id}?category=coffee&days=${count}`,
    publishDay,
    start,
    snapshotOf,
  }
}

/** Folders for the lakes of so many services, each empty. */
export const emptyLakes = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => join(await temporaryFolder(), 'lake')))
