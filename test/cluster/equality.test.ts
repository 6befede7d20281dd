import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Comparison, compareLake } from '../../bench/cluster/compare.ts'
import { openStore, snapshotFolder, snapshotIds } from '../../engine/index.ts'
import { pull } from '../../ingest/snapshot/pull.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { run } from '../ingest/feeds.ts'
import { isFullSize, sized } from '../support/full-size.ts'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { abortedOf, addressOf, loadNodes, type Node, startNodes } from './nodes.ts'

const shared = new URL('../../../shared/data/', import.meta.url).pathname
/** Promotions of grocers, and monthly prices alone. */
const folders = sized(['us_tj_monthly'], ['us_tj_monthly', 'ca_hammer_promo', 'ca_bcl_panel'])
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

const QUERIES = sized(80, 1000)

/** Shards, replicas of each, and how many queries are compared. */
const layouts = [
  [1, 1, QUERIES / 2],
  [3, 1, QUERIES],
  [3, 2, sized(QUERIES / 2, QUERIES)],
] as const

/** A copy of a lake as a service over a cluster pulls it: without observed prices. */
const withoutFacts = async (lake: string): Promise<string> => {
  const [store, copy] = [openStore(await temporaryFolder()), await temporaryFolder()]
  await push(lake, store)
  await pull(store, copy, { without_facts: true })
  const tables = await readdir(snapshotFolder(copy, (await snapshotIds(copy))[0]!))
  expect(tables).toContain('listings')
  expect(tables).not.toContain('observations')
  return copy
}

/** Loads a lake into nodes, and compares random queries. */
const compared = async (name: string, lake: string, nodes: readonly Node[], queries: number): Promise<Comparison> => {
  await loadNodes(lake, nodes)
  return compareLake({ name, lake, queries, over: await withoutFacts(lake) }, addressOf(nodes))
}

const sum = ({ compared }: Comparison, figure: 'drawn' | 'refused' | 'equal_rows' | 'equal_answers'): number =>
  compared.reduce((total, row) => total + row[figure], 0)

/** All rows and answers equal, of enough queries that have some. */
const expectEqual = (comparison: Comparison): void => {
  expect(comparison.differences).toEqual([])
  const ran = sum(comparison, 'drawn') - sum(comparison, 'refused')
  expect(sum(comparison, 'equal_rows')).toBe(ran)
  expect(sum(comparison, 'equal_answers')).toBe(ran)
  expect(ran).toBeGreaterThan(sum(comparison, 'drawn') / 3)
}

describe.each(layouts)(
  'random queries have the same plans, rows and bytes from files, and without observed prices from %i shards on %i nodes each',
  (shards, replicas, queries) => {
    let nodes: Node[]
    beforeAll(async () => {
      nodes = await startNodes(shards, replicas)
    })
    afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

    // While a node is killed the same queries are compared.
    test.runIf(isFullSize || replicas === 1)('over the sample', async () => {
      const { lake } = await sampleLake()
      expectEqual(await compared('sample', lake, nodes, queries))
    })

    test.runIf(isThere && shards * replicas === 3).each(folders)('over the prices of %s', async (name) => {
      const mapping = new URL(`../../data/mappings/${name}.json`, import.meta.url).pathname
      const { lake } = await run(`${shared}${name}`, { mappings: [mapping], memory_limit: '1GiB' })
      expectEqual(await compared(name, lake, nodes, QUERIES / 2))
    })

    test.runIf(replicas > 1)('over the sample while a node is killed, and comes back', async () => {
      const { lake } = await sampleLake()
      await loadNodes(lake, nodes)
      const node = nodes[3]!
      /** Nothing is refused, unless a second node ended by itself. */
      const compareWhileKilled = async (tries: number): Promise<Comparison> => {
        const before = abortedOf(nodes)
        const comparing = compareLake({ name: 'sample', lake, queries }, addressOf(nodes)).catch((cause: unknown) => {
          if (abortedOf(nodes) === before || tries === 0) throw cause
          return null
        })
        await sleep(3000)
        await node.kill()
        await sleep(6000)
        await node.start()
        return (await comparing) ?? compareWhileKilled(tries - 1)
      }
      expectEqual(await compareWhileKilled(3))
    })
  },
)
