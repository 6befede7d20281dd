import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseOf, Engine } from '../../engine/index.ts'
import { abortedOf, addressOf, loadNodes, type Node } from '../../test/cluster/nodes.ts'
import { clockOf } from '../answers/record.ts'
import { drawShardedQueries, planOf } from './compare.ts'
import { type ExpectedAnswer, loopQueries, type Outcomes, type QueryLoop } from './outcomes.ts'

/** Nodes of a shard. */
export const REPLICAS = 2
const ENOUGH = 8
const SEED = 1
/** When a query is refused; with each replica that hangs it waits for seconds. */
const MAX_MS = 30_000

/** A lake that nodes have loaded, with the engine whose queries a fault hits. */
export type UnderFault = {
  lake: string
  /** The database of its snapshot on the nodes. */
  database: string
  nodes: readonly Node[]
  engine: Engine
  expected: readonly ExpectedAnswer[]
  /** Queries of each phase, at least. */
  enough: number
}

/** Loads a lake into nodes, and computes the answers of random queries from its files. */
export const prepareFaults = async (lake: string, nodes: readonly Node[], enough = ENOUGH): Promise<UnderFault> => {
  await loadNodes(lake, nodes)
  const first = await Engine.open(lake)
  const as_of = clockOf(first.manifest.observed_to!)
  first.close()
  const files = await Engine.open(lake, { as_of })
  const expected: ExpectedAnswer[] = []
  for (const text of await drawShardedQueries(lake, 40, SEED)) {
    const plan = await planOf(files, text)
    // What the index of listings answers needs no node.
    if (!plan || (await files.execution(plan)).is_from_memory) continue
    const answer = await files.run(plan).then(JSON.stringify, () => null)
    if (answer) expected.push({ plan, answer })
  }
  files.close()
  const engine = await Engine.open(lake, { as_of, cluster: addressOf(nodes), cluster_requests: { max_ms: MAX_MS } })
  return { lake, database: databaseOf(engine.manifest.snapshot_id), nodes, engine, expected, enough }
}

const nodeOf = ({ nodes }: UnderFault, round: number): Node => nodes[round % nodes.length]!

/** All nodes of the shard of one. */
const shardOf = ({ nodes }: UnderFault, round: number): readonly Node[] => {
  const first = round % nodes.length
  return nodes.slice(first - (first % REPLICAS), first - (first % REPLICAS) + REPLICAS)
}

/** A fault, from the moment at which all queries are right to the moment at which they are again. */
export type NodeFault = {
  fault: string
  /** Whether a shard has no replica left, so that queries are refused; else none may be. */
  isFatal?: true
  run(under: UnderFault, loop: QueryLoop, round: number): Promise<void>
}

const MAX_LOADS = 5
const ENDING_MS = 3000

/** Loads the snapshot; again, where a node ended by itself meanwhile. */
const reload = async ({ lake, nodes }: UnderFault, loop: QueryLoop): Promise<void> => {
  loop.enter('loading')
  for (let loads = 1; ; loads += 1) {
    const before = abortedOf(nodes)
    try {
      return void (await loadNodes(lake, nodes))
    } catch (cause) {
      // A node says that it ends before it does.
      await sleep(ENDING_MS)
      if (abortedOf(nodes) === before || loads === MAX_LOADS) throw cause
    }
  }
}

/** Changes a table of nodes under the running engine, and loads the snapshot again. */
const changed =
  (
    sql: (database: string) => string,
    of = (under: UnderFault, round: number) => [nodeOf(under, round)] as readonly Node[],
  ) =>
  async (under: UnderFault, loop: QueryLoop, round: number) => {
    for (const node of of(under, round)) await node.as('writer').execute(sql(under.database))
    loop.enter('away')
    await loop.ended(under.enough)
    await reload(under, loop)
  }

/** Ends nodes, and starts them again. */
const killed =
  (of: (under: UnderFault, round: number) => readonly Node[]) =>
  async (under: UnderFault, loop: QueryLoop, round: number) => {
    const nodes = of(under, round)
    await Promise.all(nodes.map((node) => node.kill()))
    loop.enter('away')
    await loop.ended(under.enough)
    loop.enter('starting')
    await Promise.all(nodes.map((node) => node.start()))
  }

/** The last part of a table, and the last of those that it was merged from: with all of them ClickHouse would replace it. */
const PATHS_OF_LAST_PART = `
  WITH part AS (SELECT * FROM system.parts WHERE database = currentDatabase() AND table = 'observation')
  SELECT path
  FROM part
  WHERE (partition_id, max_block_number) IN (
    SELECT partition_id, max_block_number FROM part WHERE active ORDER BY partition_id DESC, max_block_number DESC LIMIT 1
  )`

/** What happens to nodes while queries run. */
export const faults: readonly NodeFault[] = [
  { fault: 'killed and restarted', run: killed((under, round) => [nodeOf(under, round)]) },
  {
    fault: 'stopped, with its connections open',
    run: async (under, loop, round) => {
      const node = nodeOf(under, round)
      node.signal('SIGSTOP')
      try {
        loop.enter('away')
        await loop.ended(under.enough)
      } finally {
        node.signal('SIGCONT')
      }
    },
  },
  { fault: 'emptied', run: changed((database) => `DROP DATABASE ${database} SYNC`) },
  {
    fault: 'rows deleted',
    run: changed(
      (database) => `ALTER TABLE ${database}.observation DELETE WHERE listing_id % 3 = 0 SETTINGS mutations_sync = 2`,
    ),
  },
  {
    fault: 'rows deleted lightly',
    run: changed((database) => `DELETE FROM ${database}.listing WHERE listing_id % 3 = 0`),
  },
  { fault: 'table dropped', run: changed((database) => `DROP TABLE ${database}.listing_month SYNC`) },
  { fault: 'marker removed', run: changed((database) => `TRUNCATE TABLE ${database}.shard`) },
  {
    fault: 'a part of a table lost in a power cut',
    run: async (under, loop, round) => {
      const node = nodeOf(under, round)
      const paths = await node.as('writer', under.database).rows(PATHS_OF_LAST_PART)
      await node.kill()
      await Promise.all(paths.map(({ path }) => rm(String(path), { recursive: true, force: true })))
      loop.enter('starting')
      await node.start()
      loop.enter('away')
      await loop.ended(under.enough)
      await reload(under, loop)
    },
  },
  { fault: 'all of a shard killed', isFatal: true, run: killed(shardOf) },
  {
    fault: 'all of a shard without rows',
    isFatal: true,
    run: changed((database) => `DELETE FROM ${database}.listing WHERE listing_id % 3 = 0`, shardOf),
  },
]

/** The outcomes of queries before, under and after one fault, and why queries were refused. */
export const runFault = async (under: UnderFault, { fault, run }: NodeFault, round = 0) => {
  const loop = loopQueries(under.engine, under.expected)
  try {
    await loop.ended(under.enough)
    // Queries that begin before the fault has happened or end after it may be refused or right.
    loop.enter('failing')
    await run(under, loop, round)
    loop.enter('recovering')
    await loop.right()
    loop.enter('after')
    await loop.ended(under.enough)
  } finally {
    await loop.end()
  }
  const { outcomes, reasons, wrong } = await loop.end()
  return { outcomes: outcomes.map((of): { fault: string } & Outcomes => ({ fault, ...of })), reasons, wrong }
}
