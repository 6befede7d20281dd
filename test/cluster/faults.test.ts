import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  faults,
  type NodeFault,
  prepareFaults,
  REPLICAS,
  runFault,
  type UnderFault,
} from '../../bench/cluster/faults.ts'
import type { ShardStatement } from '../../engine/counts/cluster/distributed.ts'
import { ClusterNode, openCluster, readCurrentManifest, readSealedManifest } from '../../engine/index.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'
import { abortedOf, addressOf, type Node, PASSWORD, startNodes } from './nodes.ts'

const SHARDS = sized(2, 3)
/** Queries of each phase of a fault, at least: as many as run at once. */
const ENOUGH = sized(4, 8)

let nodes: Node[]
let under: UnderFault
/** A line of the table of outcomes: fault, phase, queries that were right, refused, wrong. */
const counted: (string | number)[][] = [['fault', 'phase', 'right', 'refused', 'wrong']]

beforeAll(async () => {
  nodes = await startNodes(SHARDS, REPLICAS)
  const { lake } = await sampleLake()
  under = await prepareFaults(lake, nodes, ENOUGH)
})
afterAll(async () => {
  console.log(counted.map((line) => line.join(' | ')).join('\n'))
  under?.engine.close()
  await Promise.all((nodes ?? []).map((node) => node.remove()))
})

/** At full size each node has each fault; otherwise one has those of which each is found in another way. */
const rounds = sized([1], [0, 1, 2, 3, 4, 5])
const cases = faults
  .filter(({ fault }) => rounds.length > 1 || /killed|stopped|emptied|lightly|marker/.test(fault))
  .flatMap((fault) => rounds.map((round) => ({ ...fault, round })))

const MAX_TRIES = 4

type FaultOutcomes = Awaited<ReturnType<typeof runFault>>

/** Runs a fault and checks its outcomes; again, where they fail the check and a second node ended by itself meanwhile. */
const checkFault = async (fault: NodeFault, round: number, check: (of: FaultOutcomes) => void): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const before = abortedOf(nodes)
    const found = await runFault(under, fault, round)
    expect(found.wrong).toEqual([])
    try {
      check(found)
    } catch (cause) {
      if (abortedOf(nodes) > before && tries < MAX_TRIES) continue
      throw cause
    }
    for (const of of found.outcomes) counted.push([of.fault, of.phase, of.right, of.refused, of.wrong])
    return
  }
}

describe('while queries run, of two replicas of each shard one is', () => {
  test.each(cases.filter(({ isFatal }) => !isFatal))(
    '$fault, and no query is refused or wrong',
    ({ round, ...fault }) =>
      checkFault(fault, round, ({ outcomes, reasons }) => {
        expect([...reasons]).toEqual([])
        expect(outcomes.find(({ phase }) => phase === 'away')!.right).toBeGreaterThan(0)
      }),
  )
})

describe('while queries run,', () => {
  test.each(cases.filter(({ isFatal }) => isFatal))(
    '$fault refuses all, and all are right again without reopening the engine',
    ({ round, ...fault }) =>
      checkFault(fault, round, ({ outcomes }) => {
        const of = (name: string) => outcomes.find(({ phase }) => phase === name)!
        expect(of('before').refused).toBe(0)
        expect(of('away').right).toBe(0)
        expect(of('away').refused).toBeGreaterThan(0)
        expect(of('after').refused).toBe(0)
      }),
  )
})

/** The snapshot on the nodes, without an engine. */
const opened = async () => {
  const manifest = await readCurrentManifest(under.lake)
  return openCluster(addressOf(nodes), await readSealedManifest(under.lake, manifest!.snapshot_id))
}

describe('a statement that takes a minute', () => {
  /** The statements of this kind that run on a node; none on one that ended by itself. */
  const running = (node: Node): Promise<number> =>
    node
      .as('writer')
      .rows("SELECT query_id FROM system.processes WHERE user = 'reader' AND query LIKE '%sleepEachRow%'")
      .then(
        ({ length }) => length,
        () => 0,
      )
  const LONG = 'SELECT sleepEachRow(0.1) AS slept FROM numbers(600) SETTINGS max_block_size = 1'
  const statement: ShardStatement = {
    sql: LONG,
    columns: { slept: null },
    filler: () => '0',
    list: { order: ['slept'], limit: null },
  }
  /** It runs on one replica of each shard. */
  const all = async (): Promise<number> => (await Promise.all(nodes.map(running))).reduce((sum, n) => sum + n, 0)

  test('ends on every shard when it is aborted', async () => {
    const aborted = new AbortController()
    const cluster = await opened()
    const ended = cluster.rows(statement, {}, { signal: aborted.signal }).catch((cause: unknown) => cause)
    await expect.poll(all).toBeGreaterThanOrEqual(SHARDS)
    aborted.abort()
    expect(await ended).toMatchObject({ code: 'NOT_READY', message: expect.stringMatching(/cancelled/) })
    await expect.poll(all).toBe(0)
  })

  test('ends on a node when its time is over', async () => {
    const node = new ClusterNode({ url: `http://${nodes[0]!.host}`, user: 'reader', password: PASSWORD, max_ms: 1000 })
    await expect(node.rows(LONG)).rejects.toMatchObject({ code: 'NOT_READY' })
    await expect.poll(() => running(nodes[0]!)).toBe(0)
  })
})
