import { parseArgs } from 'node:util'
import { benchBestPrice } from './best-price.ts'
import { benchEntities } from './entities.ts'
import { benchHttp } from './http.ts'
import { benchIngest } from './ingest.ts'
import { benchJournal } from './journal.ts'
import { benchPayments } from './payments.ts'
import { benchQueries } from './queries.ts'
import { benchSearch } from './search.ts'

const cases = {
  'best-price': benchBestPrice,
  entities: benchEntities,
  http: benchHttp,
  ingest: benchIngest,
  journal: benchJournal,
  payments: benchPayments,
  queries: benchQueries,
  search: benchSearch,
}
const usage = `npm run bench [-- NAME] [--observations N] [--json]    NAME: ${Object.keys(cases).join(', ')}`

const shown = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : String(value ?? '-')

const stop = (code: 0 | 2, message = ''): never => {
  console[code === 0 ? 'log' : 'error'](message + usage)
  process.exit(code)
}

const options = {
  observations: { type: 'string', default: '10000000' },
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
const observations = Number(values.observations)
const names = positionals.length > 0 ? positionals : Object.keys(cases)
if (!Number.isInteger(observations) || observations < 1 || names.some((name) => !Object.hasOwn(cases, name))) stop(2)
for (const name of names) {
  const measured = await cases[name as keyof typeof cases](observations)
  if (values.json) console.log(JSON.stringify({ case: name, observations, measured }))
  else {
    const rows: Record<string, unknown>[] = Array.isArray(measured) ? measured : [measured]
    console.log(`${name}, ${shown(observations)} observations`)
    console.table(rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shown(value)]))))
  }
}
process.exit(0)
