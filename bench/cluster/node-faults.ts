import { startNodes } from '../../test/cluster/nodes.ts'
import { ensureLakes } from '../answers/lakes.ts'
import type { BenchOptions } from '../options.ts'
import { faults, prepareFaults, REPLICAS, runFault } from './faults.ts'
import type { Outcomes } from './outcomes.ts'

const SHARDS = 3

/** Rounds of a fault and what came of the queries in them. */
type FaultSummary = { fault: string; rounds: number } & Outcomes

/**
 * Lets nodes of a cluster fail in every way while queries run, `runs` times each, and counts the outcomes. Sets the exit code
 * to 1 where an answer was wrong.
 */
export const benchNodeFaults = async ({ cache, runs }: BenchOptions): Promise<FaultSummary[]> => {
  const [sample] = await ensureLakes(cache)
  const nodes = await startNodes(SHARDS, REPLICAS)
  const rows = new Map<string, FaultSummary>()
  try {
    const under = await prepareFaults(sample!.lake, nodes)
    for (let round = 0; round < runs; round += 1)
      for (const fault of faults) {
        console.error(`${round + 1} of ${runs}: ${fault.fault}`)
        const { outcomes, wrong } = await runFault(under, fault, round)
        for (const answer of wrong) console.error(answer)
        if (wrong.length > 0) process.exitCode = 1
        for (const { phase, ...counts } of outcomes) {
          const key = `${fault.fault} ${phase}`
          const row = rows.get(key) ?? {
            fault: fault.fault,
            phase,
            rounds: 0,
            right: 0,
            refused: 0,
            wrong: 0,
            slowest_ms: 0,
          }
          const { right, refused, wrong: other, slowest_ms } = counts
          rows.set(key, {
            ...row,
            rounds: row.rounds + 1,
            right: row.right + right,
            refused: row.refused + refused,
            wrong: row.wrong + other,
            slowest_ms: Math.max(row.slowest_ms, slowest_ms),
          })
        }
      }
    under.engine.close()
  } finally {
    await Promise.all(nodes.map((node) => node.remove()))
  }
  return [...rows.values()]
}
