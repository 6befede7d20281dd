import { rm } from 'node:fs/promises'
import { Engine } from '../../engine/index.ts'
import { loadCluster } from '../../ingest/cluster/load.ts'
import { addressOf, type Node } from '../../test/cluster/nodes.ts'
import { clockOf } from '../answers/record.ts'
import { drawShardedQueries, planOf } from './compare.ts'
import { type ExpectedAnswer, loopQueries, type Outcomes, type QueryLoop } from './outcomes.ts'

/** Queries of each phase, at least. */
const ENOUGH = 12
/** Queries that stop at a node get no answer before this. */
const DEADLINE_MS = 1000
/** When the engine gives a node up. */
const MAX_MS = 8000

/** A lake that nodes have loaded, with the engine whose queries a fault hits. */
export type UnderFault = {
  lake: string
  nodes: readonly Node[]
  engine: Engine
  expected: readonly ExpectedAnswer[]
}

/** Loads a lake into nodes, and computes the answers of random queries from its files. */
export const prepareFaults = async (lake: string, nodes: readonly Node[], seed = 1): Promise<UnderFault> => {
  await loadCluster(lake, addressOf(nodes, 'writer'))
  const first = await Engine.open(lake)
  const as_of = clockOf(first.manifest.observed_to!)
  first.close()
  const files = await Engine.open(lake, { as_of })
  const expected: ExpectedAnswer[] = []
  for (const text of await drawShardedQueries(lake, 40, seed)) {
    const plan = await planOf(files, text)
    const answer = plan && (await files.run(plan).then(JSON.stringify, () => null))
    if (plan && answer) expected.push({ plan, answer })
  }
  files.close()
  const engine = await Engine.open(lake, { as_of, cluster: addressOf(nodes), cluster_requests: { max_ms: MAX_MS } })
  return { lake, nodes, engine, expected }
}

const nodeOf = ({ nodes }: UnderFault, round: number): { node: Node; number: number } => {
  const number = round % nodes.length
  return { node: nodes[number]!, number }
}

/** A fault, from the moment at which all queries are right to the moment at which they are again. */
type Fault = {
  fault: string
  deadline_ms?: number
  run(under: UnderFault, loop: QueryLoop, round: number): Promise<void>
}

const phase = async (loop: QueryLoop, name: string): Promise<void> => {
  loop.enter(name)
  await loop.ended(ENOUGH)
}

const stopped = async (under: UnderFault, loop: QueryLoop, round: number): Promise<void> => {
  const { node } = nodeOf(under, round)
  node.signal('SIGSTOP')
  try {
    await phase(loop, 'away')
  } finally {
    node.signal('SIGCONT')
  }
}

/** Changes a table under the running engine, and loads the snapshot again. */
const changed = (sql: string) => async (under: UnderFault, loop: QueryLoop, round: number) => {
  const { node, number } = nodeOf(under, round)
  await node.as('writer', await databaseAt(node, number, under.nodes.length)).execute(sql)
  await phase(loop, 'away')
  loop.enter('loading')
  await loadCluster(under.lake, addressOf(under.nodes, 'writer'))
}

/** The database of the shard on a node. */
const databaseAt = async (node: Node, number: number, of: number): Promise<string> => {
  const found = await node
    .as('writer')
    .rows('SELECT name FROM system.databases WHERE endsWith(name, {suffix:String})', {
      suffix: `_${number + 1}_of_${of}`,
    })
  return String(found[0]!.name)
}

/** What happens to one node while queries run. */
export const faults: readonly Fault[] = [
  {
    fault: 'killed and restarted',
    run: async (under, loop, round) => {
      const { node } = nodeOf(under, round)
      await node.kill()
      await phase(loop, 'away')
      loop.enter('starting')
      await node.start()
    },
  },
  { fault: 'stopped, with a deadline', deadline_ms: DEADLINE_MS, run: stopped },
  { fault: 'stopped', run: stopped },
  {
    fault: 'rows deleted',
    run: changed('ALTER TABLE observation DELETE WHERE listing_id % 3 = 0 SETTINGS mutations_sync = 2'),
  },
  { fault: 'rows deleted lightly', run: changed('DELETE FROM listing WHERE listing_id % 3 = 0') },
  { fault: 'table dropped', run: changed('DROP TABLE listing_month SYNC') },
  {
    fault: 'a part of a table lost in a power cut',
    run: async (under, loop, round) => {
      const { node, number } = nodeOf(under, round)
      const database = await databaseAt(node, number, under.nodes.length)
      const parts = await node
        .as('writer', database)
        .rows("SELECT path FROM system.parts WHERE active AND database = currentDatabase() AND table = 'observation'")
      await node.kill()
      await rm(String(parts.at(-1)!.path), { recursive: true })
      loop.enter('starting')
      await node.start()
      await phase(loop, 'away')
      loop.enter('loading')
      await loadCluster(under.lake, addressOf(under.nodes, 'writer'))
    },
  },
]

/** The outcomes of the phases of one fault. */
export const runFault = async (under: UnderFault, { fault, deadline_ms, run }: Fault, round = 0) => {
  const loop = loopQueries(under.engine, under.expected, deadline_ms)
  try {
    await phase(loop, 'before')
    await run(under, loop, round)
    // A stopped node answers what waited for it first.
    loop.enter('recovering')
    await loop.right()
    await phase(loop, 'after')
  } finally {
    await loop.end()
  }
  const { outcomes, reasons } = await loop.end()
  return { outcomes: outcomes.map((of): { fault: string } & Outcomes => ({ fault, ...of })), reasons }
}
