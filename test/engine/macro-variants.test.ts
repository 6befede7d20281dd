import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { type Engine, snapshotFolder } from '../../engine/index.ts'
import { searchPathFor } from '../../engine/macro-variants.ts'
import { type Given, planOf, queryNamed } from '../support/ask.ts'
import { givenLake, openEngine } from '../support/given.ts'
import { connectTo } from '../support/prepared.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow } from '../support/rows.ts'
import { withSortedCounts } from '../support/unordered.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

let engine: Engine
/** Looks macros up on the general path. */
let general: DuckDBConnection

beforeAll(async () => {
  const observations = worldOf(2).map((observation) => {
    const isCoffee = observation.listing.shelf.includes('Coffee')
    return { ...feedRow(observation), gpc_code: isCoffee ? '10008179' : '' }
  })
  const { lake } = await givenLake({ observations, files: referenceFeeds })
  engine = await openEngine(lake, { as_of: new Date(WORLD_END) })
  general = await connectTo(snapshotFolder(lake, engine.manifest.snapshot_id))
})

const shelf = { category: 'Grocery > Coffee' }
const brand = { brand: 'Acme' }
const retailer = { retailer: 'alpha' }
const type = { category: '50202600' }
const whole = { from: '2026-08-01', to: '2026-11-01', granularity: 'monthly' }
const cut = { from: '2026-08-12', to: '2026-11-05', granularity: 'monthly' }
const weekly = { from: '2026-08-12', to: '2026-11-05', granularity: 'weekly' }
const daily = { from: '2026-08-12', to: '2026-09-05', granularity: 'daily' }
const { granularity, ...days } = cut

const cases: [id: string, given: Given, path: string][] = [
  ['analyst/inflation', { ...shelf, ...whole }, 'any_type,by_shelf,months'],
  ['analyst/inflation', { ...shelf, ...cut }, 'any_type,by_shelf,months_and_days'],
  ['analyst/inflation', { ...shelf, ...weekly }, 'any_type,by_shelf,days'],
  ['analyst/inflation', { ...shelf, ...daily }, 'any_type,by_shelf,each_day'],
  ['analyst/retailer-index', { ...retailer, ...type, ...daily }, 'one_type,by_listing,each_day'],
  ['analyst/inflation', { ...shelf, ...retailer, ...cut }, 'any_type,by_shelf,months_and_days'],
  ['analyst/inflation', { ...type, ...whole }, 'one_type,by_listing,months'],
  ['analyst/retailer-index', { ...retailer, ...type, ...weekly }, 'one_type,by_listing,days'],
  ['analyst/retailer-index', { ...retailer, ...shelf, ...cut }, 'any_type,by_shelf,months_and_days'],
  ['analyst/price-dispersion', { ...type }, 'one_type,by_listing'],
  ['marketing/brand-tracker', { ...brand, ...whole }, 'any_type,by_listing,months'],
  ['marketing/promo-intelligence', { ...shelf, ...days }, 'any_type,by_shelf'],
  ['marketing/promo-intelligence', { ...shelf, ...brand, ...days }, 'any_type,by_listing'],
]

test.each(['2026-12-31T00:00:00Z', '2026-11-03T00:00:00Z'])(
  'as of %s the definitions chosen give the rows of the general ones',
  async (as_of) => {
    const catalog = await engine.catalog(new Date(as_of))
    for (const [id, given, path] of cases) {
      const { sql } = queryNamed(id)
      const { bindings } = await planOf(engine, id, given, as_of)
      const chosen = `${searchPathFor(bindings, catalog.is_latest)},`
      expect(chosen, id).toContain(`main,${catalog.is_latest ? 'latest' : 'past'},${path},`)
      const statement = await general.prepare(sql)
      statement.bind(bindings)
      const rows = (await statement.runAndReadAll()).getRowObjectsJS()
      expect(rows.length, id).toBeGreaterThan(0)
      const chosenRows = await engine.rows(sql, bindings, new Date(as_of))
      expect(withSortedCounts(chosenRows), `${id} ${JSON.stringify(given)}`).toEqual(withSortedCounts(rows))
    }
  },
)
