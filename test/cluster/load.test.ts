import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, Engine, readCurrentManifest, snapshotFolder } from '../../engine/index.ts'
import { toFormat3 } from '../ingest/format-3.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, refreshed, temporaryFolder } from '../support/given.ts'
import { connectTo } from '../support/prepared.ts'
import { feedRow, listing, type Observation, observed } from '../support/rows.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'
import { addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

const TABLES = ['listing', 'listing_month', 'listing_size', 'observation', 'observation_time', 'shelf_day']

let nodes: Node[]
let lake: string
let snapshot_id: string
let expected: unknown

const openOn = (of: readonly Node[] = nodes): Promise<Engine> =>
  Engine.open(lake, { as_of: new Date(WORLD_END), cluster: addressOf(of) })

const answerOf = (engine: Engine) => ask(engine, 'analyst/inflation', { category: 'Grocery', days: 120 })

/** The answer through the nodes. */
const answer = async (): Promise<unknown> => {
  const engine = await openOn()
  return answerOf(engine).finally(() => engine.close())
}

const database = (): string => databaseOf(snapshot_id)

const databasesOf = async (node: Node): Promise<string[]> => {
  const databases = await node.as('writer').rows("SELECT name FROM system.databases WHERE name LIKE 'shelfmark%'")
  return databases.map(({ name }) => String(name)).sort()
}

const dropShards = async (): Promise<void> => {
  for (const node of nodes) await node.as('writer').execute(`DROP DATABASE ${database()} SYNC`)
}

beforeAll(async () => {
  nodes = await startNodes(3)
  // Few months, and so few files: a load takes a second.
  const rows = worldOf(11).filter(({ observed_at }) => observed_at > '2026-10')
  ;({ lake } = await ensureLake({ observations: rows.map(feedRow) }))
  snapshot_id = (await readCurrentManifest(lake))!.snapshot_id
  const engine = await Engine.open(lake, { as_of: new Date(WORLD_END) })
  expected = await answerOf(engine)
  engine.close()
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

describe('a load that is killed', () => {
  test.each([0.4, 1])('after %f of the rows is refused by readers, and repaired by a load', async (share) => {
    const script = fileURLToPath(new URL('./killed-load.ts', import.meta.url))
    const args = ['--import', 'tsx', script, lake, addressOf(nodes, 'writer'), String(share)]
    const env = { ...process.env, TMPDIR: await temporaryFolder() }
    expect(spawnSync(process.execPath, args, { env })).toMatchObject({ signal: 'SIGKILL' })
    await expect(openOn()).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(
        /does not have its shard of snapshot .*: there is none .*refresh.* load --from STORE .* --cluster NAME/,
      ),
    })
    await loadNodes(lake, nodes)
    expect(await answer()).toEqual(expected)
    await dropShards()
  })
})

describe('a load', () => {
  test('puts each row on one shard, and listings of one entity on the same one', async () => {
    const { nodes: loaded } = await loadNodes(lake, nodes)
    expect(loaded.map(({ was_loaded }) => was_loaded)).toEqual([false, false, false])
    const files = await connectTo(snapshotFolder(lake, snapshot_id))
    const rows = async (sql: string) => (await files.runAndReadAll(sql)).getRowObjectsJS()
    const onNodes = async (sql: string) =>
      (await Promise.all(nodes.map((node) => node.as('reader', database()).rows(sql)))).flat()
    const sorted = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).sort()
    const listings = 'SELECT country, listing_id, product_id, entity_uid, price FROM listing'
    expect(sorted(await onNodes(listings))).toEqual(sorted(await rows(listings)))
    const days = 'SELECT listing_id, day::VARCHAR AS day, price, list_price, promo_flag, in_stock FROM observation'
    expect(sorted(await onNodes(days.replace('day::VARCHAR', 'toString(day)')))).toEqual(sorted(await rows(days)))
    for (const table of TABLES) {
      const [{ n } = { n: -1 }] = (await rows(`SELECT count(*)::INTEGER AS n FROM ${table}`)) as { n: number }[]
      const counts = loaded.map(({ rows }) => rows[table]!)
      expect(counts, table).toEqual((await onNodes(`SELECT count() AS n FROM ${table}`)).map(({ n }) => n))
      // The days of shelves are on every node.
      if (table === 'shelf_day') expect(counts).toEqual([n, n, n])
      else expect(counts.reduce((sum, count) => sum + count, 0)).toBe(n)
    }
    const entities = (await onNodes('SELECT DISTINCT entity_uid AS e FROM listing WHERE e IS NOT NULL')).map(
      ({ e }) => e,
    )
    expect(new Set(entities).size).toBe(entities.length)
    files.closeSync()
  })

  test('of what is loaded already does nothing', async () => {
    const tables = () =>
      Promise.all(
        nodes.map((node) =>
          node
            .as('writer')
            .rows("SELECT database, name, uuid FROM system.tables WHERE database LIKE 'shelfmark%' ORDER BY ALL"),
        ),
      )
    const before = await tables()
    const { nodes: loaded } = await loadNodes(lake, nodes)
    expect(loaded.map(({ was_loaded, removed }) => ({ was_loaded, removed }))).toEqual(
      Array(3).fill({ was_loaded: true, removed: [] }),
    )
    expect(await tables()).toEqual(before)
  })

  test('at the same time as another leaves one whole snapshot', async () => {
    await dropShards()
    // Those of killed loads are removed a day later.
    const before = await databasesOf(nodes[0]!)
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => loadNodes(lake, nodes)))
    expect(await answer()).toEqual(expected)
    expect(await databasesOf(nodes[0]!)).toEqual([...before, database()].sort())
  })

  test('of a node that was replaced by an empty one sends that shard alone', async () => {
    const [first, ...others] = nodes as [Node, Node, Node]
    await first.as('writer').execute(`DROP DATABASE ${database()} SYNC`)
    const { nodes: loaded } = await loadNodes(lake, [first, ...others])
    expect(loaded.map(({ was_loaded }) => was_loaded)).toEqual([false, true, true])
    expect(await answer()).toEqual(expected)
  })

  test('outlives the node: a killed and restarted one has its shard', async () => {
    for (const node of nodes) await node.kill()
    await Promise.all(nodes.map((node) => node.start()))
    expect(await answer()).toEqual(expected)
  })
})

describe('a shard', () => {
  const changes: [name: string, sql: string, problem: RegExp][] = [
    [
      'that has lost a row',
      'ALTER TABLE listing DELETE WHERE price = 500 SETTINGS mutations_sync = 2',
      /listing has 2 rows, not 3/,
    ],
    ['with a row deleted lightly', 'DELETE FROM observation WHERE price = 500', /observation has 5 rows, not 6/],
    [
      'with a row more',
      'INSERT INTO listing_month SELECT * FROM listing_month LIMIT 1',
      /listing_month has 4 rows, not 3/,
    ],
    ['without a part of a table', "ALTER TABLE observation DROP PARTITION '2026-11'", /observation has 0 rows, not 6/],
    ['without a table', 'DROP TABLE shelf_day SYNC', /there is no shelf_day/],
    ['of an unfinished load', 'TRUNCATE TABLE shard', /its load was not completed/],
  ]
  const rows = ['a', 'b', 'c'].flatMap((id) => observed(listing(id), { '2026-11-10': 400, '2026-11-12': 600 }))
  let small: string

  beforeAll(async () => {
    rows[1] = { ...rows[1]!, price: 500 }
    ;({ lake: small } = await ensureLake({ observations: rows.map(feedRow) }))
  })

  test.each(changes)('%s is refused, and repaired by a load', async (_, sql, problem) => {
    const of = nodes.slice(0, 1)
    const open = () => Engine.open(small, { cluster: addressOf(of) })
    const { nodes: loaded } = await loadNodes(small, of)
    expect(loaded).toMatchObject([{ was_loaded: false }])
    ;(await open()).close()
    await of[0]!.as('writer', loaded[0]!.database).execute(sql)
    await expect(open()).rejects.toMatchObject({ code: 'NOT_READY', message: expect.stringMatching(problem) })
  })
})

test('of the snapshots before, only the last one stays', async () => {
  const later = [2, 3].map((seed) => worldOf(seed).slice(0, 100).map(feedRow))
  const ids = [snapshot_id]
  for (const observations of later) {
    await refreshed(lake, { observations })
    await loadNodes(lake, nodes)
    ids.push((await readCurrentManifest(lake))!.snapshot_id)
  }
  const databases = (await databasesOf(nodes[2]!)).filter((name) => !name.includes('_loading_'))
  expect(databases).toEqual(ids.slice(1).map((id) => databaseOf(id)))
})

describe('a load after a refresh', () => {
  /** The answer from the files, and what a load by a user with the grants of loads did. */
  const loadedAfter = async (observations: Observation[]) => {
    await refreshed(lake, { observations: observations.map(feedRow) })
    const engine = await Engine.open(lake, { as_of: new Date(WORLD_END) })
    const fromFiles = await answerOf(engine).finally(() => engine.close())
    const { nodes: loaded } = await loadNodes(lake, nodes, 'loader')
    return { fromFiles, linked: loaded.map(({ linked }) => linked), rows: loaded.map(({ rows }) => rows) }
  }
  const prices = (low: number, high: number): Observation[] =>
    [low, high].flatMap((price, i) => observed(listing(`swapped ${i}`), { '2026-08-03': price, '2026-11-03': price }))

  test('links the months that it has not changed, and sends the others', async () => {
    await loadedAfter(prices(500, 900))
    const { fromFiles, linked } = await loadedAfter(observed(listing('newest'), { '2026-11-04': 700 }))
    for (const count of linked) expect(count).toBeGreaterThan(0)
    expect(await answer()).toEqual(fromFiles)
  })

  test('sends a month in which it has changed prices, also where their sum is the same', async () => {
    const { fromFiles } = await loadedAfter(prices(900, 500))
    expect(await answer()).toEqual(fromFiles)
    const days = (await readCurrentManifest(lake))!.snapshot_id
    const found = await Promise.all(
      nodes.map((node) =>
        node
          .as('reader', databaseOf(days))
          .rows(
            "SELECT product_id, o.price AS price FROM observation AS o JOIN listing USING (listing_id) WHERE month = '2026-08' AND startsWith(product_id, 'swapped')",
          ),
      ),
    )
    expect(found.flat().sort((a, b) => Number(a.price) - Number(b.price))).toEqual([
      { product_id: 'swapped 1', price: 500 },
      { product_id: 'swapped 0', price: 900 },
    ])
  })
})

test('a snapshot of an earlier release is refused; a refresh with the same feeds makes one to load', async () => {
  await toFormat3(lake)
  await expect(loadNodes(lake, nodes)).rejects.toMatchObject({
    code: 'NOT_READY',
    message: expect.stringMatching(/was written by an earlier release.*refresh the lake, then load the new snapshot/),
  })
  await refreshed(lake, { observations: observed(listing('newest'), { '2026-11-04': 700 }).map(feedRow) })
  await loadNodes(lake, nodes)
  const engine = await Engine.open(lake, { as_of: new Date(WORLD_END) })
  const fromFiles = await answerOf(engine).finally(() => engine.close())
  expect(await answer()).toEqual(fromFiles)
})
