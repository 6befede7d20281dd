import { CLUSTER } from '../support/cluster.ts'
import { addressOf, startNodes } from './nodes.ts'

/** Starts the nodes that engines of tests get their rows from. */
export const setup = async (): Promise<() => Promise<unknown>> => {
  const nodes = await startNodes(2)
  process.env[CLUSTER] = addressOf(nodes, 'writer')
  return () => Promise.all(nodes.map((node) => node.remove()))
}
