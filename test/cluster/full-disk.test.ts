import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, Engine, readCurrentManifest } from '../../engine/index.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, refreshed } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'
import { addressOf, hasDisks, loadNodes, type Node, startNodes } from './nodes.ts'

const AS_OF = new Date('2026-11-21')
const DISK_MIB = 256

let nodes: Node[]
let lake: string

/** Prices of many listings, whose rows take more than what is left free on a disk. */
const rowsOf = (price: number) =>
  Array.from({ length: 2000 }, (_, i) =>
    observed(listing(`L${i}`), { '2026-10-10': price + (i % 97), '2026-11-10': price + (i % 89) }),
  )
    .flat()
    .map(feedRow)

const open = (cluster?: string): Promise<Engine> =>
  Engine.open(lake, { as_of: AS_OF, ...(cluster !== undefined && { cluster }) })

const answerOf = (engine: Engine) => ask(engine, 'analyst/inflation', { category: 'Grocery > Coffee', days: 60 })

const answerOfOpened = async (opened: Promise<Engine>): Promise<unknown> => {
  const engine = await opened
  return answerOf(engine).finally(() => engine.close())
}

const databasesOf = async (node: Node): Promise<unknown[]> => {
  const rows = await node.as('writer').rows("SELECT name FROM system.databases WHERE name LIKE 'shelfmark%' ORDER BY 1")
  return rows.map(({ name }) => name)
}

describe.skipIf(!hasDisks())('a load into nodes of which one has a full disk', () => {
  beforeAll(async () => {
    nodes = await startNodes(2, 1, DISK_MIB)
    ;({ lake } = await ensureLake({ observations: rowsOf(400) }))
    await loadNodes(lake, nodes, 'loader')
  })
  afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

  test('fails and names it; the snapshot before is served; once there is space, another load succeeds', async () => {
    const engine = await open(addressOf(nodes))
    const before = await answerOf(engine)
    const loaded = await databasesOf(nodes[0]!)
    await refreshed(lake, { observations: rowsOf(500) })
    for (const free_bytes of [0, 32 * 1024, 128 * 1024]) {
      await nodes[1]!.fill(free_bytes)
      await expect(loadNodes(lake, nodes, 'loader'), `${free_bytes} bytes free`).rejects.toMatchObject({
        code: 'NOT_READY',
        message: expect.stringContaining(`The ClickHouse node ${nodes[1]!.host} has no disk space left: `),
      })
      expect(await answerOf(engine)).toEqual(before)
      for (const node of nodes) expect(await databasesOf(node)).toEqual(loaded)
      await nodes[1]!.fill(null)
    }
    await loadNodes(lake, nodes, 'loader')
    expect(await answerOf(engine)).toEqual(before)
    engine.close()
    const after = await answerOfOpened(open(addressOf(nodes)))
    expect(after).toEqual(await answerOfOpened(open()))
    expect(after).not.toEqual(before)
    const { snapshot_id } = (await readCurrentManifest(lake))!
    for (const node of nodes) expect(await databasesOf(node)).toContain(databaseOf(snapshot_id))
  })

  test('a result that does not pass through the full disk of its node is refused, not cut off', async () => {
    const long = 'SELECT number FROM numbers(1000000)'
    const node = nodes[1]!.as('reader')
    await nodes[1]!.fill(0)
    for (const answer of [() => node.rows(long), () => node.columns(long)])
      await expect(answer()).rejects.toMatchObject({
        code: 'NOT_READY',
        message: expect.stringMatching(/cut off; its disk may be full|has no disk space left/),
      })
    expect(await node.rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await nodes[1]!.fill(null)
    expect(await node.rows(long)).toHaveLength(1_000_000)
  })
})
