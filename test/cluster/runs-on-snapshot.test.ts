import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainReads } from '../../bench/cluster/canonical.ts'
import { openBoth } from '../../bench/cluster/compare.ts'
import type { AnyQuery } from '../../engine/queries/query.ts'
import { planOf, queryNamed } from '../support/ask.ts'
import { sampleLake } from '../support/given.ts'
import { addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

let nodes: Node[]
let both: Awaited<ReturnType<typeof openBoth>>

beforeAll(async () => {
  nodes = await startNodes(1)
  const { lake } = await sampleLake()
  await loadNodes(lake, nodes)
  both = await openBoth(lake, addressOf(nodes))
})
afterAll(async () => {
  both?.close()
  await Promise.all((nodes ?? []).map((node) => node.remove()))
})

test('a query that runs on the snapshot is read from the files while a node is away, others are refused', async () => {
  const query = queryNamed('analyst/price-dispersion')
  const onSnapshot: AnyQuery = { ...query, runs_on: 'snapshot' }
  const [files, cluster] = both.snapshots
  const { bindings } = await planOf(both.engines[0], 'analyst/price-dispersion', { department: 'grocery' })
  const expected = plainReads(query.reads, await files.read(query, bindings, {}))
  await nodes[0]!.kill()
  await expect(cluster.read(query, bindings, {})).rejects.toMatchObject({ code: 'NOT_READY' })
  expect(plainReads(query.reads, await cluster.read(onSnapshot, bindings, {}))).toEqual(expected)
})
