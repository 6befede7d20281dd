import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faults, prepareFaults, runFault, type UnderFault } from '../../bench/cluster/faults.ts'
import type { Shards } from '../../engine/counts/shards.ts'
import { ClusterNode, openCluster, readCurrentManifest, readSealedManifest } from '../../engine/index.ts'
import { loadCluster } from '../../ingest/cluster/load.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'
import { addressOf, type Node, PASSWORD, startNodes } from './nodes.ts'

let nodes: Node[]
let under: UnderFault
/** A line of the table of outcomes: fault, phase, queries that were right, refused, wrong. */
const counted: (string | number)[][] = [['fault', 'phase', 'right', 'refused', 'wrong']]

beforeAll(async () => {
  nodes = await startNodes(3)
  const { lake } = await sampleLake()
  under = await prepareFaults(lake, nodes)
})
afterAll(async () => {
  console.log(counted.map((line) => line.join(' | ')).join('\n'))
  under?.engine.close()
  await Promise.all((nodes ?? []).map((node) => node.remove()))
})

/** At full size each node has each fault. */
const rounds = sized([1], [0, 1, 2])
const cases = faults
  .filter(({ fault }) => rounds.length > 1 || !/deleted|dropped/.test(fault))
  .flatMap((fault) => rounds.map((round) => ({ ...fault, round })))

describe('while queries run, a node', () => {
  test.each(cases)(
    '$fault makes none wrong, and all right again without reopening the engine',
    async ({ round, ...fault }) => {
      const { outcomes, wrong } = await runFault(under, fault, round)
      for (const { phase, right, refused, wrong } of outcomes) counted.push([fault.fault, phase, right, refused, wrong])
      expect(wrong).toEqual([])
      const of = (name: string) => outcomes.find(({ phase }) => phase === name)
      expect(of('before')).toMatchObject({ refused: 0 })
      // Every query needs every node.
      expect(of('away')).toMatchObject({ right: 0 })
      expect(of('away')?.refused).toBeGreaterThan(0)
      expect(of('after')).toMatchObject({ refused: 0 })
    },
  )
})

test('after a query that waited for a node until its deadline, others are refused sooner until the node answers', async () => {
  const { engine, expected } = under
  const [{ plan, answer }] = expected as [(typeof expected)[number]]
  const run = () => engine.run(plan).then(JSON.stringify, (cause: Error) => cause.message)
  expect(await run()).toBe(answer)
  nodes[1]!.signal('SIGSTOP')
  const refusals = await run().then(async (first) => [first, await run(), await run()])
  nodes[1]!.signal('SIGCONT')
  expect(refusals).toEqual(
    [8, 2, 2].map(
      (seconds) => `The ClickHouse node ${nodes[1]!.host} cannot answer: no answer within ${seconds} seconds.`,
    ),
  )
  await expect.poll(run).toBe(answer)
})

/** The snapshot on the nodes, without an engine. */
const opened = async () => {
  const manifest = await readCurrentManifest(under.lake)
  return openCluster(addressOf(nodes), await readSealedManifest(under.lake, manifest!.snapshot_id))
}

test('a query that read a damaged table runs again where a load repaired it before the query ended', async () => {
  const cluster = await opened()
  const count = async (shards: Shards) =>
    (await shards.rows('SELECT count() AS n FROM listing', {})).reduce((sum, { n }) => sum + Number(n), 0)
  const [{ database } = { database: '' }] = await nodes[0]!
    .as('writer')
    .rows("SELECT name AS database FROM system.databases WHERE endsWith(name, '_1_of_3')")
  await nodes[0]!.as('writer', String(database)).execute('DELETE FROM listing WHERE listing_id % 3 = 0')
  const counts: number[] = []
  const last = await cluster.read(async (shards) => {
    counts.push(await count(shards))
    if (counts.length === 1) await loadCluster(under.lake, addressOf(nodes, 'writer'))
    return counts.at(-1)
  }, {})
  expect(counts).toHaveLength(2)
  expect(counts[0]).toBeLessThan(counts[1]!)
  expect(last).toBe(counts[1])
})

describe('a statement that takes a minute', () => {
  /** The statements of this kind that run on a node. */
  const running = async (node: Node): Promise<number> =>
    (
      await node
        .as('writer')
        .rows("SELECT query_id FROM system.processes WHERE user = 'reader' AND query LIKE '%sleepEachRow%'")
    ).length
  const untilAll = async (count: number, of: readonly Node[]): Promise<void> => {
    for (const node of of) while ((await running(node)) !== count) await sleep(20)
  }
  const LONG = 'SELECT sleepEachRow(0.1) AS slept FROM numbers(600) SETTINGS max_block_size = 1'

  /** Runs it on all nodes. */
  const start = async (signal?: AbortSignal): Promise<Promise<unknown>> => {
    const cluster = await opened()
    const rows = cluster.read((shards) => shards.rows(LONG, {}), { signal })
    return rows.catch((cause: unknown) => cause)
  }

  test('ends on every node when it is aborted', async () => {
    const aborted = new AbortController()
    const ended = start(aborted.signal)
    await untilAll(1, nodes)
    aborted.abort()
    expect(await ended).toMatchObject({ code: 'NOT_READY', message: expect.stringMatching(/cancelled/) })
    await untilAll(0, nodes)
  })

  test('ends on the other nodes when one is killed', async () => {
    const ended = start()
    await untilAll(1, nodes)
    await nodes[2]!.kill()
    expect(await ended).toMatchObject({ code: 'NOT_READY', message: expect.stringContaining(nodes[2]!.host) })
    await untilAll(0, nodes.slice(0, 2))
    await nodes[2]!.start()
  })

  test('ends on a node when its time is over', async () => {
    const node = new ClusterNode({ url: `http://${nodes[0]!.host}`, user: 'reader', password: PASSWORD, max_ms: 1000 })
    await expect(node.rows(LONG)).rejects.toMatchObject({ code: 'NOT_READY' })
    await untilAll(0, nodes.slice(0, 1))
  })
})
