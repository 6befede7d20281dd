import { loadCluster } from '../../ingest/cluster/load.ts'
import { addressOf, startNodes } from '../../test/cluster/nodes.ts'
import { ensureLakes } from '../answers/lakes.ts'
import type { BenchOptions } from '../options.ts'
import { type Compared, compareLake } from './compare.ts'

const NODES = [1, 2, 3]

/**
 * Compares rows and answers of random queries from the files of lakes and from clusters of one, two and three nodes. Sets the
 * exit code to 1 where one differs.
 */
export const benchEquality = async ({ cache, queries }: BenchOptions): Promise<object[]> => {
  const lakes = await ensureLakes(cache)
  const share = Math.ceil(queries / lakes.length)
  const rows: ({ nodes: number } & Compared)[] = []
  for (const count of NODES) {
    const nodes = await startNodes(count)
    try {
      for (const lake of lakes) {
        console.error(`${lake.name} on ${count} ${count === 1 ? 'node' : 'nodes'}`)
        await loadCluster(lake.lake, addressOf(nodes, 'writer'))
        const { compared, differences } = await compareLake({ ...lake, queries: share }, addressOf(nodes))
        for (const difference of differences) console.error(difference)
        if (differences.length > 0) process.exitCode = 1
        rows.push(...compared.map((row) => ({ nodes: count, ...row })))
      }
    } finally {
      await Promise.all(nodes.map((node) => node.remove()))
    }
  }
  return rows
}
