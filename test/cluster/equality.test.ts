import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Comparison, compareLake } from '../../bench/cluster/compare.ts'
import { loadCluster } from '../../ingest/cluster/load.ts'
import { run } from '../ingest/feeds.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'
import { addressOf, type Node, startNodes } from './nodes.ts'

const shared = new URL('../../../shared/data/', import.meta.url).pathname
/** Promotions of grocers, and monthly prices alone. */
const folders = sized(['us_tj_monthly'], ['us_tj_monthly', 'ca_hammer_promo', 'ca_bcl_panel'])
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

const QUERIES = sized(80, 1000)

let nodes: Node[]
beforeAll(async () => {
  nodes = await startNodes(3)
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

/** Loads a lake into the first of the nodes, and compares random queries. */
const compared = async (name: string, lake: string, count: number, queries: number): Promise<Comparison> => {
  const of = nodes.slice(0, count)
  await loadCluster(lake, addressOf(of, 'writer'))
  return compareLake({ name, lake, queries }, addressOf(of))
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

describe('random queries have the same rows and the same bytes from files and from', () => {
  test.each([
    [1, QUERIES / 2],
    [3, QUERIES],
  ])('%i of the nodes, over the sample', async (count, queries) => {
    const { lake } = await sampleLake()
    expectEqual(await compared('sample', lake, count, queries))
  })

  test.runIf(isThere).each(folders)('three nodes, over the prices of %s', async (name) => {
    const mapping = new URL(`../../data/mappings/${name}.json`, import.meta.url).pathname
    const { lake } = await run(`${shared}${name}`, { mappings: [mapping], memory_limit: '1GiB' })
    expectEqual(await compared(name, lake, 3, QUERIES / 2))
  })
})
