import { addressOf, loadNodes, startNodes } from '../../test/cluster/nodes.ts'
import { ensureLakes } from '../answers/lakes.ts'
import type { BenchOptions } from '../options.ts'
import { type Compared, compareLake } from './compare.ts'

/** Shards and replicas of each. */
const LAYOUTS = [
  [1, 1],
  [3, 1],
  [3, 2],
] as const

/**
 * Compares rows and answers of random queries from the files of lakes and from clusters of some shards and replicas. Sets the
 * exit code to 1 where one differs.
 */
export const benchEquality = async ({ cache, queries }: BenchOptions): Promise<object[]> => {
  const lakes = await ensureLakes(cache)
  const share = Math.ceil(queries / lakes.length)
  const rows: ({ nodes: string } & Compared)[] = []
  for (const [shards, replicas] of LAYOUTS) {
    const layout = `${shards}x${replicas}`
    const nodes = await startNodes(shards, replicas)
    try {
      for (const lake of lakes) {
        console.error(`${lake.name} on ${layout} nodes`)
        await loadNodes(lake.lake, nodes)
        const { compared, differences } = await compareLake({ ...lake, queries: share }, addressOf(nodes))
        for (const difference of differences) console.error(difference)
        if (differences.length > 0) process.exitCode = 1
        rows.push(...compared.map((row) => ({ nodes: layout, ...row })))
      }
    } finally {
      await Promise.all(nodes.map((node) => node.remove()))
    }
  }
  return rows
}
