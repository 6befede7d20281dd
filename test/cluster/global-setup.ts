import { CLUSTER } from '../support/cluster.ts'
import { shareLakes } from '../support/shared-lakes.ts'
import { addressOf, startNodes } from './nodes.ts'

/** Starts the nodes that engines of tests get their rows from, and creates the folder of the lakes that files share. */
export const setup = async (): Promise<() => Promise<unknown>> => {
  const nodes = await startNodes(2)
  process.env[CLUSTER] = addressOf(nodes, 'writer')
  const removeLakes = await shareLakes()
  return () => Promise.all([removeLakes(), ...nodes.map((node) => node.remove())])
}
