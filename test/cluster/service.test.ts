import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Embedded } from '../../api/payment/local-chains.ts'
import { balanceOf } from '../api/payment/balances.ts'
import { createPayer, expensive, paymentFor, servePaid, startChains } from '../api/payment/paying.ts'
import { sampleLake } from '../support/given.ts'
import type { Service } from '../support/http.ts'
import { addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

let nodes: Node[]
let chains: Embedded
let service: Service

beforeAll(async () => {
  nodes = await startNodes(1, 2)
  chains = await startChains()
  const { lake } = await sampleLake()
  await loadNodes(lake, nodes)
  service = await servePaid(chains, { SHELFMARK_BACKEND: addressOf(nodes), SHELFMARK_CACHE_MIB: '0' })
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

test('while all nodes of a shard are away, queries over prices get 503 with Retry-After and cost nothing; with one back their payment buys the answer', async () => {
  const [payer, balances] = [await createPayer(chains), balanceOf(chains)]
  const headers = await paymentFor(service, payer, expensive, 'base')
  const before = await balances('base')
  await Promise.all(nodes.map((node) => node.kill()))
  for (let i = 0; i < 3; i += 1) {
    const reply = await service.get(expensive, headers)
    expect(reply.status).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'NOT_READY' } })
  }
  expect(await balances('base')).toBe(before)
  // What the nodes do not compute is answered.
  expect((await service.get('/v1/public/stats')).status).toBe(200)
  await nodes[1]!.start()
  let reply = await service.get(expensive, headers)
  while (reply.status === 503) {
    await sleep(50)
    reply = await service.get(expensive, headers)
  }
  expect(reply.status).toBe(200)
  expect((await balances('base')) - before).toBeGreaterThan(0n)
  const { meta } = JSON.parse(reply.body)
  expect(meta.snapshot_id).toMatch(/^000001-/)
})
