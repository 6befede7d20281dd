import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOf, Engine, type Manifest, readCurrentManifest, SHARD_TABLES, type Store } from '../../engine/index.ts'
import { filesOf, partitionOfFile } from '../../ingest/cluster/tables.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, refreshed } from '../support/given.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { barcode, feedRow, listing, type Observation, observed, times } from '../support/rows.ts'
import { addressOf, arrangeNodes, loadNodes, type Node, startNodes } from './nodes.ts'

/** Three shards of two replicas each. */
let nodes: Node[]
let lake: string
let objects: ObjectStore
let store: Store
let before: Manifest
let after: Manifest
/** Partitions of all tables whose files the month more has not changed, and the objects of these files. */
let unchanged: { partitions: number; objects: Set<string> }

const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10']
const PRODUCTS = 30

/** Prices of products at two retailers, whose names for one differ: that it is the same is seen by its barcode. */
const prices = (months: readonly string[], hasBarcodes: boolean): Observation[] =>
  ['alpha', 'beta'].flatMap((platform, retailer) =>
    Array.from({ length: PRODUCTS }, (_, i) => {
      const gtin = hasBarcodes ? barcode(i) : undefined
      const days = months.map((month, j) => [`${month}-10`, 300 + 10 * i + 7 * j + 25 * retailer] as const)
      return observed(listing(`${platform}${i}`, { platform, gtin }), Object.fromEntries(days))
    }).flat(),
  )

const answers = async (options: { cluster?: string } = {}): Promise<unknown[]> => {
  const engine = await Engine.open(lake, { as_of: new Date('2026-11-21'), ...options })
  const category = 'Grocery > Coffee'
  const found = [
    await ask(engine, 'analyst/inflation', { category, days: 120 }),
    await ask(engine, 'analyst/price-dispersion', { category }),
    await ask(engine, 'analyst/retailer-index', { category, retailer: 'alpha', days: 120 }),
  ]
  engine.close()
  return found
}

const partitionsOf = ({ files }: Pick<Manifest, 'files'>): string[] =>
  SHARD_TABLES.flatMap((table) => [
    ...new Set(filesOf(files, table).map(({ path }) => `${table} ${partitionOfFile(table, path)}`)),
  ])

const drop = (node: Node, { snapshot_id }: Manifest): Promise<string> =>
  node.as('writer').execute(`DROP DATABASE IF EXISTS ${databaseOf(snapshot_id)} SYNC`)

/**
 * Loads the snapshot of the month more into nodes that lack it. Returns how many partitions each linked and how many files that have
 * not changed were read from the store, after all answers are those of the files.
 */
const loadAfter = async (loads = 1): Promise<{ linked: number[]; readAgain: number }> => {
  for (const node of nodes) await drop(node, after)
  const first = objects.requests.length
  const [report] = await Promise.all(times(loads, 'loader' as const).map((user) => loadNodes(store, nodes, user)))
  const read = new Set(objects.requests.slice(first).map((request) => request.split('/').at(-1)!))
  expect(await answers({ cluster: addressOf(nodes) })).toEqual(await answers())
  return {
    linked: report!.nodes.map(({ linked }) => linked),
    readAgain: [...read].filter((object) => unchanged.objects.has(object)).length,
  }
}

beforeAll(async () => {
  nodes = await startNodes(3, 2)
  objects = await startObjectStore()
  store = objects.open('grocery')
  ;({ lake } = await ensureLake({ observations: prices(MONTHS, false).map(feedRow) }))
  before = (await readCurrentManifest(lake))!
  await push(lake, store)
  await loadNodes(store, nodes, 'loader')
  await refreshed(lake, { observations: prices(['2026-11'], true).map(feedRow) })
  after = (await readCurrentManifest(lake))!
  await push(lake, store)
  const hashes = new Map(before.files.map(({ path, sha256 }) => [path, sha256]))
  const changed = new Set(
    partitionsOf({ files: after.files.filter(({ path, sha256 }) => hashes.get(path) !== sha256) }),
  )
  const same = after.files.filter(({ path, sha256 }) => hashes.get(path) === sha256)
  unchanged = {
    partitions: partitionsOf(after).filter((part) => !changed.has(part)).length,
    objects: new Set(same.map(({ sha256 }) => sha256)),
  }
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

test('listings that a month more puts on other shards get their earlier prices from there', async () => {
  expect(await loadAfter()).toEqual({ linked: nodes.map(() => unchanged.partitions), readAgain: 0 })
  const [place, previous] = [after, before].map(({ snapshot_id }) => `${databaseOf(snapshot_id)}.place`)
  const came = `SELECT listing_id FROM ${place} WHERE listing_id NOT IN (SELECT listing_id FROM ${previous})`
  const observation = `${databaseOf(after.snapshot_id)}.observation`
  for (const node of nodes) {
    const rows = await node
      .as('reader')
      .rows(
        `SELECT month, count() AS n FROM ${observation} WHERE listing_id IN (${came}) GROUP BY month ORDER BY month`,
      )
    expect(rows.map(({ month }) => month)).toEqual([...MONTHS, '2026-11'])
  }
})

test('two loads at the same time leave one whole snapshot, and nothing by which rows were moved', async () => {
  await loadAfter(2)
  for (const node of nodes) {
    const tables = await node
      .as('writer')
      .rows("SELECT name FROM system.tables WHERE startsWith(database, 'shelfmark') AND engine = 'Distributed'")
    expect(tables).toEqual([{ name: 'shards' }, { name: 'shards' }])
  }
})

test('they come from the other replica where one of the shard does not have the snapshot before', async () => {
  await drop(nodes[4]!, before)
  const { linked } = await loadAfter()
  expect(linked).toEqual(nodes.map((_, i) => (i === 4 ? 0 : unchanged.partitions)))
})

test('a month that has other prices in the snapshot before than in its files is pulled', async () => {
  for (const node of nodes.slice(0, 2))
    await node
      .as('writer', databaseOf(before.snapshot_id))
      .execute("ALTER TABLE observation UPDATE price = price + 1 WHERE month = '2026-08' SETTINGS mutations_sync = 2")
  const { linked } = await loadAfter()
  expect(linked).toEqual(nodes.map((_, i) => (i === 4 ? 0 : unchanged.partitions - 1)))
})

test('they are pulled from the store where no replica of their shard has it', async () => {
  for (const node of nodes.slice(4)) await drop(node, before)
  const { linked, readAgain } = await loadAfter()
  expect(readAgain).toBeGreaterThanOrEqual(2 * MONTHS.length)
  for (const count of linked.slice(0, 4)) expect(count).toBeLessThan(unchanged.partitions)
  expect(linked.slice(4)).toEqual([0, 0])
})

test('from two shards to three, only the new one is pulled; back to two, all rows are right again', async () => {
  for (const node of nodes) for (const snapshot of [before, after]) await drop(node, snapshot)
  const [first, second, added] = [nodes[0]!, nodes[2]!, nodes[4]!]
  const partitions = partitionsOf(after).length
  const linked = [
    [0, 0],
    [partitions, partitions, 0],
  ]
  for (const of of [
    [first, second],
    [first, second, added],
    [first, second],
  ]) {
    await arrangeNodes(of.map((node) => [node]))
    const report = await loadNodes(store, of, 'loader')
    expect(report.nodes.map((node) => node.linked)).toEqual(linked.shift() ?? [expect.anything(), expect.anything()])
    expect(await answers({ cluster: addressOf(of) })).toEqual(await answers())
  }
})
