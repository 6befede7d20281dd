import { commandLine } from '../../engine/index.ts'

/** How a kind of user begins: what to type, and the minutes it took in an empty folder, with the installation. */
export type FirstSteps = { id: string; title: string; minutes: number; commands: string; about: string }

const QUERY = '/v1/shopper/best-price?q=laptop'
const OWN_SQL = 'SELECT platform, count(*) FROM listings JOIN retailers USING (retailer_id) GROUP BY platform'

/** The first steps of each kind of user of the service at an address; README.md and engine/guide.md have the same lines. */
export const firstMinutes = (base_url: string): readonly FirstSteps[] => [
  {
    id: 'agent',
    title: 'Agent: from curl to a paid answer',
    minutes: 2,
    commands: `curl '${base_url}/v1/quote?path=${QUERY}'
curl -i '${base_url}${QUERY}'
${commandLine('pay', `'${QUERY}' --url ${base_url}`)}
${commandLine('mcp', `--url ${base_url} --budget 1.00`)}`,
    about:
      'The quote is free. The 402 has the price and the offers; any x402 or MPP client pays one of them, and `pay` does with test money. `mcp` serves the same queries to an agent, at most for its budget.',
  },
  {
    id: 'analyst',
    title: 'Analyst: from a CSV file to like-for-like inflation',
    minutes: 5,
    commands: `${commandLine('refresh', 'check shop/prices.csv')}
${commandLine('refresh', '--feeds shop --mapping mapping.json --lake lake')}
${commandLine('shelfmark', 'analyst inflation --lake lake --category groceries --days 365')}
${commandLine('shelfmark', `sql "${OWN_SQL}" --lake lake`)}`,
    about:
      'The check proposes how to read the file: save the mapping that it prints as mapping.json, with the decisions that it lists, such as the country. A terminal shows the answer as a page with plots; `--csv`, `--parquet` and `--svg` write files, and `sql` reads the tables.',
  },
  {
    id: 'engineer',
    title: 'Engineer: the same figures in TypeScript, Python and R',
    minutes: 3,
    commands: `const answer = await (await Engine.open('lake')).ask(inflation, { category: 'coffee', days: 365 })
brands = pa.ipc.open_stream(urlopen(Request("${base_url}/v1/public/brands", headers={"Accept": "application/vnd.apache.arrow.stream"}))).read_pandas()
brands <- read.csv(url("${base_url}/v1/public/brands", headers = c(Accept = "text/csv")))
${commandLine('shelfmark', 'sql --into lake.duckdb --lake lake')}`,
    about:
      'Every query is a typed function of the package `shelfmark`. Over HTTP `Accept` selects JSON, CSV, Arrow or Parquet. The last line writes views that any DuckDB opens: `duckdb.connect("lake.duckdb", read_only=True)`.',
  },
  {
    id: 'operator',
    title: 'Operator: from a new machine to selling',
    minutes: 5,
    commands: `${commandLine('refresh', '--feeds feeds --lake data/lake')}
cp .env.example .env
${commandLine('serve', 'check')}
${commandLine('serve', '')}`.trimEnd(),
    about:
      'Set payees, nodes and facilitator in `.env`; the check tries each against what it names and says how to repair it. Accounts at a facilitator come on top of the minutes.',
  },
]
