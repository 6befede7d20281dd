import { rm } from 'node:fs/promises'
import { Engine } from '../../engine/index.ts'
import { loadCluster } from '../../ingest/cluster/load.ts'
import { addressOf, type Node } from '../../test/cluster/nodes.ts'
import { clockOf } from '../answers/record.ts'
import { drawShardedQueries, planOf } from './compare.ts'
import { type ExpectedAnswer, loopQueries, type Outcomes, type QueryLoop } from './outcomes.ts'

/** Queries of each phase, at least. */
const ENOUGH = 8
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
    // What the index of listings answers needs no node.
    if (!plan || (await files.execution(plan)).is_from_memory) continue
    const answer = await files.run(plan).then(JSON.stringify, () => null)
    if (answer) expected.push({ plan, answer })
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
export type NodeFault = {
  fault: string
  run(under: UnderFault, loop: QueryLoop, round: number): Promise<void>
}

const stopped = (deadline_ms?: number) => async (under: UnderFault, loop: QueryLoop, round: number) => {
  const { node } = nodeOf(under, round)
  node.signal('SIGSTOP')
  try {
    loop.enter('away', deadline_ms)
    await loop.ended(ENOUGH)
  } finally {
    node.signal('SIGCONT')
  }
}

const reload = async ({ lake, nodes }: UnderFault, loop: QueryLoop): Promise<void> => {
  loop.enter('loading')
  await loadCluster(lake, addressOf(nodes, 'writer'))
}

/** Changes a table under the running engine, and loads the snapshot again. */
const changed = (sql: string) => async (under: UnderFault, loop: QueryLoop, round: number) => {
  const { node, number } = nodeOf(under, round)
  await node.as('writer', await databaseAt(node, number, under.nodes.length)).execute(sql)
  loop.enter('away')
  await loop.ended(ENOUGH)
  await reload(under, loop)
}

/** The database of the shard on a node. */
const databaseAt = async (node: Node, number: number, of: number): Promise<string> => {
  const databases = await node
    .as('writer')
    .rows('SELECT name FROM system.databases WHERE endsWith(name, {suffix:String})', {
      suffix: `_${number + 1}_of_${of}`,
    })
  return String(databases[0]!.name)
}

/** The last part of a table, and the last of those that it was merged from: with all of them ClickHouse would replace it. */
const PATHS_OF_LAST_PART = `
  WITH part AS (SELECT * FROM system.parts WHERE database = currentDatabase() AND table = 'observation')
  SELECT path
  FROM part
  WHERE (partition_id, max_block_number) IN (
    SELECT partition_id, max_block_number FROM part WHERE active ORDER BY partition_id DESC, max_block_number DESC LIMIT 1
  )`

/** What happens to one node while queries run. */
export const faults: readonly NodeFault[] = [
  {
    fault: 'killed and restarted',
    run: async (under, loop, round) => {
      const { node } = nodeOf(under, round)
      await node.kill()
      loop.enter('away')
      await loop.ended(ENOUGH)
      loop.enter('starting')
      await node.start()
    },
  },
  { fault: 'stopped, with a deadline', run: stopped(DEADLINE_MS) },
  { fault: 'stopped', run: stopped() },
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
      const paths = await node.as('writer', database).rows(PATHS_OF_LAST_PART)
      await node.kill()
      await Promise.all(paths.map(({ path }) => rm(String(path), { recursive: true, force: true })))
      loop.enter('starting')
      await node.start()
      loop.enter('away')
      await loop.ended(ENOUGH)
      await reload(under, loop)
    },
  },
]

/** The outcomes of queries before, under and after one fault, and why queries were refused. */
export const runFault = async (under: UnderFault, { fault, run }: NodeFault, round = 0) => {
  const loop = loopQueries(under.engine, under.expected)
  try {
    await loop.ended(ENOUGH)
    // Queries that begin before the fault has happened or end after it may be refused or right.
    loop.enter('failing')
    await run(under, loop, round)
    loop.enter('recovering')
    await loop.right()
    loop.enter('after')
    await loop.ended(ENOUGH)
  } finally {
    await loop.end()
  }
  const { outcomes, reasons, wrong } = await loop.end()
  return { outcomes: outcomes.map((of): { fault: string } & Outcomes => ({ fault, ...of })), reasons, wrong }
}
