import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseOf, Engine, type Manifest, openStore, readCurrentManifest, type Store } from '../../engine/index.ts'
import type { LoadReport } from '../../ingest/cluster/load.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, refreshed, temporaryFolder } from '../support/given.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { feedRow, listing, observed } from '../support/rows.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'
import { addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

let nodes: Node[]
let lake: string
let manifest: Manifest
let objects: ObjectStore
let store: Store

const answer = async (options: { cluster?: string } = {}): Promise<unknown> => {
  const engine = await Engine.open(lake, { as_of: new Date(WORLD_END), ...options })
  return ask(engine, 'analyst/inflation', { category: 'Grocery', days: 120 }).finally(() => engine.close())
}

const databases = async (): Promise<unknown[]> =>
  (
    await Promise.all(
      nodes.map((node) => node.as('writer').rows("SELECT name FROM system.databases WHERE name LIKE 'shelfmark%'")),
    )
  ).flatMap((rows) => rows.map(({ name }) => name))

const drop = async (): Promise<void> => {
  for (const node of nodes)
    for (const name of await databases()) await node.as('writer').execute(`DROP DATABASE IF EXISTS ${name} SYNC`)
}

/** The object of the first file of a folder. */
const objectOf = (folder: string): string =>
  `files/${manifest.files.find(({ path }) => path.startsWith(`${folder}/`))!.sha256}`

const isReadByNode = (method: string, object: string): boolean => method !== 'PUT' && object.startsWith('files/')

beforeAll(async () => {
  nodes = await startNodes(2)
  const rows = worldOf(11).filter(({ observed_at }) => observed_at > '2026-10')
  ;({ lake } = await ensureLake({ observations: rows.map(feedRow) }))
  manifest = (await readCurrentManifest(lake))!
  objects = await startObjectStore()
  store = objects.open('grocery', { attempts: 2 })
  await push(lake, store)
})
beforeEach(async () => {
  objects.fault = () => undefined
  await drop()
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

describe('a load from a store', () => {
  test('is pulled by the nodes, which answer as the lake does', async () => {
    const before = objects.requests.length
    const { nodes: loaded } = await loadNodes(store, nodes, 'loader')
    expect(loaded.map(({ shard, was_loaded }) => [shard, was_loaded])).toEqual([
      [1, false],
      [2, false],
    ])
    // The load itself asks for the size of a file, and for the pointer and the manifest.
    const read = objects.requests.slice(before).filter((request) => request.startsWith('GET files/'))
    const sent = objects.requests.slice(before).filter((request) => request.startsWith('PUT'))
    expect(read.length).toBeGreaterThan(0)
    expect(sent).toEqual([])
    expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
  })

  test('in a folder is pulled as well', async () => {
    const folder = openStore(await temporaryFolder())
    await push(lake, folder)
    await loadNodes(folder, nodes, 'loader')
    expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
  })

  test('that was emptied is refused', async () => {
    await expect(loadNodes(objects.open('nothing'), nodes)).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(/there is no snapshot in s3:.*push --lake LAKE/),
    })
  })
})

describe('nothing is loaded, and the object named, where', () => {
  test.each(['listings', 'observations', 'shelf_days'])('a file of %s is damaged in the store', async (folder) => {
    const object = objectOf(folder)
    const path = join(objects.folder, 'grocery', object)
    const intact = await readFile(path)
    let refused = 0
    for (const share of [0.1, 0.3]) {
      const damaged = Buffer.from(intact)
      damaged[Math.floor(share * damaged.length)]! ^= 16
      await writeFile(path, damaged)
      const failure = await loadNodes(store, nodes).then(
        () => null,
        (cause: Error) => cause.message,
      )
      // Some bytes are of statistics, or of columns that are not read: they damage no row.
      if (failure === null) {
        expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
        await drop()
        continue
      }
      refused += 1
      expect(failure).toContain(`${object}: SHA-256 not as published; delete the object`)
      expect(await databases()).toEqual([])
    }
    expect(refused).toBeGreaterThan(0)
    await writeFile(path, intact)
    await loadNodes(store, nodes)
    expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
  })

  test('a file is missing', async () => {
    const object = objectOf('observation_times')
    objects.fault = (_, name) => (name.endsWith(object) ? 404 : undefined)
    await expect(loadNodes(store, nodes)).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(`${object}: missing`),
    })
    expect(await databases()).toEqual([])
  })

  test('the store answers 500 for files', async () => {
    objects.fault = (method, object) => (isReadByNode(method, object) ? 500 : undefined)
    await expect(loadNodes(store, nodes)).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(/files\/\w+: 500 .*retry later/),
    })
    expect(await databases()).toEqual([])
  })
})

test('a store that fails at times is tried again', async () => {
  let requests = 0
  objects.fault = (method, object) => {
    requests += 1
    return isReadByNode(method, object) && requests % 7 === 0 ? 503 : undefined
  }
  await loadNodes(store, nodes)
  expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
})

test('a load that is cancelled ends on the nodes, too', async () => {
  const cancelled = new AbortController()
  const load = loadNodes(store, nodes, 'loader', {
    signal: cancelled.signal,
    onProgress: () => {
      objects.fault = async () => void (await sleep(1000))
      setTimeout(() => cancelled.abort(new Error('cancelled by the test')), 500)
    },
  })
  await expect(load).rejects.toThrow('cancelled by the test')
  expect(await databases()).toEqual([])
  for (const node of nodes)
    await expect
      .poll(() => node.as('writer').rows("SELECT query FROM system.processes WHERE user = 'loader'"))
      .toEqual([])
})

test('the keys of the store are in no message and in no log of a node', async () => {
  const secrets = { AWS_SECRET_ACCESS_KEY: "wrong'se\\cret", AWS_SESSION_TOKEN: 'thetoken' }
  const wrong = openStore('s3://lakes/grocery', { ...objects.environment, ...secrets }, { attempts: 1 })
  // The manifest is read with the right keys, so that the nodes are those that are refused.
  const mixed: Store = { ...store, locate: wrong.locate }
  const refused: Error = await loadNodes(mixed, nodes, 'logged').catch((cause) => cause)
  expect(refused.message).toMatch(/HTTP response code: 403/)
  let logged = 0
  for (const node of nodes) {
    await node.as('writer').execute('SYSTEM FLUSH LOGS query_log')
    const lines = await node
      .as('writer')
      .rows("SELECT query, exception FROM system.query_log WHERE user = 'logged' AND query LIKE '%s3(%'")
    logged += lines.length
    for (const secret of ['cret', 'thetoken']) expect(JSON.stringify(lines)).not.toContain(secret)
  }
  expect(logged).toBeGreaterThan(0)
})

test('a pointer that moves during a load changes nothing in it; the next load takes the other snapshot', async () => {
  let moved: Promise<unknown> | undefined
  const moveOnce = () => {
    moved ??= refreshed(lake, { observations: observed(listing('newest'), { '2026-11-04': 700 }).map(feedRow) }).then(
      () => push(lake, store),
    )
  }
  const first: LoadReport = await loadNodes(store, nodes, 'loader', { onProgress: moveOnce })
  await moved
  expect(first.snapshot_id).toBe(manifest.snapshot_id)
  const next = (await readCurrentManifest(lake))!.snapshot_id
  const second = await loadNodes(store, nodes, 'loader')
  expect(second).toMatchObject({ snapshot_id: next })
  for (const { linked } of second.nodes) expect(linked).toBeGreaterThan(0)
  expect(await answer({ cluster: addressOf(nodes) })).toEqual(await answer())
  expect(await databases()).toContain(databaseOf(manifest.snapshot_id))
})
