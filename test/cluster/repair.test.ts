import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, Engine, readCurrentManifest, SHARD_TABLES } from '../../engine/index.ts'
import { filesOf, partitionOfFile } from '../../ingest/cluster/tables.ts'
import { ask } from '../support/ask.ts'
import { ensureLake } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'
import { addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

/** Of a shard with two replicas, the second is changed in most tests. */
let nodes: Node[]
let lake: string
let database: string
let expected: unknown
/** The partitions of all tables of a shard. */
let partitions: number

const answer = async (options: { cluster?: string } = {}): Promise<unknown> => {
  const engine = await Engine.open(lake, { as_of: new Date('2026-11-21'), ...options })
  return ask(engine, 'analyst/inflation', { category: 'Grocery > Coffee', days: 120 }).finally(() => engine.close())
}

const change = (node: Node, sql: string): Promise<string> =>
  node.as('writer', database).execute(`${sql} SETTINGS mutations_sync = 2`)

/** The tables of a node with their UUIDs: one that was created again has another. */
const tablesOf = (node: Node) =>
  node.as('writer').rows("SELECT database, name, uuid FROM system.tables WHERE database LIKE 'shelfmark%' ORDER BY ALL")

/** The rows of a table on a node. */
const rowsOf = (node: Node, table: string) => node.as('reader', database).rows(`SELECT * FROM ${table} ORDER BY ALL`)

beforeAll(async () => {
  nodes = await startNodes(2, 2)
  const days = { '2026-08-10': 400, '2026-09-10': 420, '2026-10-10': 440, '2026-11-10': 460 }
  const rows = Array.from({ length: 12 }, (_, i) => observed(listing(`L${i}`), days)).flat()
  ;({ lake } = await ensureLake({ observations: rows.map(feedRow) }))
  const manifest = (await readCurrentManifest(lake))!
  database = databaseOf(manifest.snapshot_id)
  await loadNodes(lake, nodes)
  expected = await answer()
  partitions = SHARD_TABLES.flatMap((table) => [
    ...new Set(filesOf(manifest.files, table).map(({ path }) => partitionOfFile(table, path))),
  ]).length
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

describe('a load repairs a replica, and pulls nothing else again, where', () => {
  const changes: [name: string, table: string, sql: string, pulled: number][] = [
    [
      'a price of a month was changed',
      'observation',
      "ALTER TABLE observation UPDATE price = price + 1 WHERE month = '2026-11' AND listing_id = (SELECT min(listing_id) FROM place)",
      1,
    ],
    ['names were changed', 'listing', "ALTER TABLE listing UPDATE product_name = 'other' WHERE 1", 1],
    [
      'a table that all shards have was changed',
      'shelf_day',
      'ALTER TABLE shelf_day UPDATE last_second = 1 WHERE 1',
      1,
    ],
    [
      'rows of a month are missing',
      'observation_time',
      "ALTER TABLE observation_time DELETE WHERE month = '2026-09'",
      1,
    ],
    [
      'two months were changed',
      'observation',
      "ALTER TABLE observation UPDATE price = 1 WHERE month IN ('2026-08', '2026-09')",
      2,
    ],
    [
      'there are rows of a month that the snapshot does not have',
      'observation',
      "INSERT INTO observation SELECT * REPLACE ('2027-01' AS month) FROM observation",
      0,
    ],
  ]

  test.each(changes)('%s', async (_, table, sql, pulled) => {
    const intact = await rowsOf(nodes[0]!, table)
    const others = () => Promise.all([nodes[0]!, nodes[2]!, nodes[3]!].map(tablesOf))
    const before = await others()
    await change(nodes[1]!, sql)
    expect(await rowsOf(nodes[1]!, table)).not.toEqual(intact)
    const { nodes: loaded } = await loadNodes(lake, nodes, 'loader')
    expect(loaded.map(({ was_loaded }) => was_loaded)).toEqual([true, false, true, true])
    expect(loaded[1]!.linked).toBe(partitions - pulled)
    expect(await rowsOf(nodes[1]!, table)).toEqual(intact)
    expect(await others()).toEqual(before)
    expect(await tablesOf(nodes[1]!)).toHaveLength(before[0]!.length)
    expect(await answer({ cluster: addressOf(nodes) })).toEqual(expected)
  })
})

test('a load repairs all replicas that were changed alike, and others beside them', async () => {
  const intact = await rowsOf(nodes[0]!, 'listing_month')
  for (const node of nodes.slice(0, 3)) await change(node, 'ALTER TABLE listing_month UPDATE price = 7 WHERE 1')
  await loadNodes(lake, nodes, 'loader')
  expect(await rowsOf(nodes[0]!, 'listing_month')).toEqual(intact)
  expect(await rowsOf(nodes[1]!, 'listing_month')).toEqual(intact)
  expect(await rowsOf(nodes[2]!, 'listing_month')).toEqual(await rowsOf(nodes[3]!, 'listing_month'))
  expect(await answer({ cluster: addressOf(nodes) })).toEqual(expected)
})

test('while it repairs, readers get the rows from before it or those of the snapshot, and no others', async () => {
  const changed = nodes.slice(0, 2)
  for (const node of changed)
    await change(node, "ALTER TABLE observation UPDATE price = 2 * price WHERE month > '2026-10'")
  const engine = await Engine.open(lake, { as_of: new Date('2026-11-21'), cluster: addressOf(nodes) })
  const query = () => ask(engine, 'analyst/inflation', { category: 'Grocery > Coffee', days: 120 })
  const wrong = await query()
  expect(wrong).not.toEqual(expected)
  let isLoading = true
  const load = loadNodes(lake, nodes).finally(() => {
    isLoading = false
  })
  const answers: unknown[] = []
  while (isLoading)
    answers.push(
      await query().catch((cause: { code: string }) => {
        expect(cause.code).toBe('NOT_READY')
        return expected
      }),
    )
  await load
  for (const one of answers) expect([wrong, expected]).toContainEqual(one)
  expect(await query()).toEqual(expected)
  engine.close()
})
