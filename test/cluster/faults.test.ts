import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faults, prepareFaults, runFault, type UnderFault } from '../../bench/cluster/faults.ts'
import { ClusterNode, openCluster, readCurrentManifest, readSealedManifest } from '../../engine/index.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'
import { addressOf, type Node, PASSWORD, startNodes } from './nodes.ts'

let nodes: Node[]
let under: UnderFault

beforeAll(async () => {
  nodes = await startNodes(3)
  const { lake } = await sampleLake()
  under = await prepareFaults(lake, nodes)
})
afterAll(async () => {
  under?.engine.close()
  await Promise.all((nodes ?? []).map((node) => node.remove()))
})

/** At full size each node has each fault. */
const rounds = sized([1], [0, 1, 2])
const cases = faults
  .filter(({ fault }) => rounds.length > 1 || !['rows deleted', 'table dropped'].includes(fault))
  .flatMap((fault) => rounds.map((round) => ({ ...fault, round })))

describe('while queries run, a node', () => {
  test.each(cases)(
    '$fault makes none wrong, and all right again without reopening the engine',
    async ({ round, ...fault }) => {
      const { outcomes, wrong } = await runFault(under, fault, round)
      console.table(outcomes)
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
    const { lake } = under
    const manifest = await readCurrentManifest(lake)
    const sealed = await readSealedManifest(lake, manifest!.snapshot_id)
    const cluster = await openCluster(addressOf(nodes), sealed)
    const names = {} as Parameters<typeof cluster.rows>[2]
    const rows = cluster.rows((shards) => shards.rows(LONG, {}), {}, names, { signal })
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
