import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAgents } from './agents/agents.ts'
import { benchAnswers } from './answers/answers.ts'
import { benchBestPrice } from './best-price.ts'
import { benchCluster } from './cluster/cluster.ts'
import { benchEquality } from './cluster/equality.ts'
import { benchNodeFaults } from './cluster/node-faults.ts'
import { benchLake } from './copies/lake.ts'
import { benchEntities } from './entities.ts'
import { benchHttp } from './http.ts'
import { benchIngest } from './ingest.ts'
import { benchJournal } from './journal.ts'
import { benchMemory } from './memory/memory.ts'
import type { BenchOptions } from './options.ts'
import { benchPayments } from './payments.ts'
import { benchPeers } from './peers/peers.ts'
import { benchQueries } from './queries/queries.ts'
import { benchSearch } from './search.ts'
import { benchSessions } from './sessions.ts'
import { benchStarts } from './starts.ts'

type Benchmark = (options: BenchOptions) => Promise<object>

/**
 * The cases that run by default: `agents`, `answers`, `equality` and `node-faults` measure nothing, `cluster` needs nodes, `memory`
 * empties the page cache, `peers` needs packages.
 */
const measured: Record<string, Benchmark> = {
  'best-price': benchBestPrice,
  entities: benchEntities,
  http: benchHttp,
  ingest: ({ observations }) => benchIngest(observations),
  journal: ({ observations }) => benchJournal(observations),
  payments: benchPayments,
  queries: benchQueries,
  search: ({ observations }) => benchSearch(observations),
  sessions: benchSessions,
  starts: ({ runs }) => benchStarts(runs),
}
const cases: Record<string, Benchmark> = {
  ...measured,
  agents: benchAgents,
  answers: benchAnswers,
  cluster: benchCluster,
  equality: benchEquality,
  lake: benchLake,
  memory: benchMemory,
  'node-faults': benchNodeFaults,
  peers: benchPeers,
}
const usage = `npm run bench [-- NAME] [options]    NAME: ${Object.keys(cases).join(', ')}

  --observations N   size of the lake (10000000)
  --listings N       memory: size of the lake (1000000)
  --cache DIR        where feeds and lakes are kept from run to run (the system's temporary folder)
  --json             JSON instead of a table
  --query TEXT       queries, cluster, peers: only queries whose id contains TEXT
  --scope TEXT       queries, cluster, peers: only scopes whose name contains TEXT
  --runs N           queries, cluster, peers: measurements of each variant, at most (15); node-faults: rounds of each fault
  --queries N        equality: random queries on each number of nodes (1000)
  --lake DIR         cluster, memory: a lake to measure on, in place of one of --observations
  --one, --three ADDRESS   cluster: nodes that the lake is loaded into, clickhouse://USER:PASSWORD@HOST:PORT,...
  --cluster NAME     cluster: the name of the cluster of --three in the configuration of its nodes
  --out FILE         answers: the file to record answers in, outside the repository
  --against FILE     answers: runs the queries recorded in FILE again and lists differences; exit code 1 if there are any`

const format = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : String(value ?? '-')

const stop = (code: 0 | 2, message = ''): never => {
  console[code === 0 ? 'log' : 'error'](message + usage)
  process.exit(code)
}

const options = {
  observations: { type: 'string', default: '10000000' },
  listings: { type: 'string', default: '1000000' },
  cache: { type: 'string', default: tmpdir() },
  runs: { type: 'string', default: '15' },
  queries: { type: 'string', default: '1000' },
  query: { type: 'string' },
  scope: { type: 'string' },
  lake: { type: 'string' },
  one: { type: 'string' },
  three: { type: 'string' },
  cluster: { type: 'string' },
  out: { type: 'string' },
  against: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const
const parsed = () => {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop(2, `${(error as Error).message}\n`)
  }
}
const { values, positionals } = parsed()
if (values.help) stop(0)
const isCount = (value: number): boolean => Number.isInteger(value) && value > 0
const observations = Number(values.observations)
const listings = Number(values.listings)
const runs = Number(values.runs)
const queries = Number(values.queries)
const names = positionals.length > 0 ? positionals : Object.keys(measured)
if (![observations, listings, runs, queries].every(isCount) || names.some((name) => !Object.hasOwn(cases, name)))
  stop(2)
if (names.includes('cluster') && !(values.one && values.three && values.cluster))
  stop(2, 'cluster: --one, --three and --cluster are required\n\n')
for (const name of names) {
  const result = await cases[name]!({ ...values, observations, listings, runs, queries })
  if (values.json) console.log(JSON.stringify({ case: name, observations, measured: result }))
  else {
    const rows = (Array.isArray(result) ? result : [result]) as Record<string, unknown>[]
    console.log(`${name}, ${format(observations)} observations`)
    console.table(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, format(value)]))),
    )
  }
}
process.exit()
