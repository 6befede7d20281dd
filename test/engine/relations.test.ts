import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { readableStatements } from '../../engine/counts/duckdb.ts'
import { stepsOf } from '../../engine/counts/read.ts'
import { GENERAL_VARIANTS, type Variants, variantsFor, withRelations } from '../../engine/counts/variants.ts'
import { type Engine, snapshotFolder } from '../../engine/index.ts'
import { type Given, planOf, queryNamed } from '../support/ask.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { connectTo, usedBy } from '../support/prepared.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow } from '../support/rows.ts'
import { WORLD_END, worldOf } from '../support/worlds.ts'

let engine: Engine
/** Runs the statements of general variants. */
let general: DuckDBConnection

beforeAll(async () => {
  const observations = worldOf(2).map((observation) => {
    const isCoffee = observation.listing.shelf.includes('Coffee')
    return { ...feedRow(observation), gpc_code: isCoffee ? '10008179' : '' }
  })
  const { lake } = await ensureLake({ observations, files: referenceFeeds })
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

const ofShelf = { scope_observation: 'any_type', observed_between: 'by_shelf' } as const
const ofType = { scope_observation: 'one_type', observed_between: 'by_listing' } as const

const cases: [id: string, given: Given, variants: Partial<Variants>][] = [
  ['analyst/inflation', { ...shelf, ...whole }, { ...ofShelf, listing_period: 'months' }],
  ['analyst/inflation', { ...shelf, ...cut }, { ...ofShelf, listing_period: 'months_and_days' }],
  ['analyst/inflation', { ...shelf, ...weekly }, { ...ofShelf, listing_period: 'days' }],
  ['analyst/inflation', { ...shelf, ...daily }, { ...ofShelf, listing_period: 'each_day' }],
  ['analyst/retailer-index', { ...retailer, ...type, ...daily }, { ...ofType, listing_period: 'each_day' }],
  ['analyst/inflation', { ...shelf, ...retailer, ...cut }, { ...ofShelf, listing_period: 'months_and_days' }],
  ['analyst/inflation', { ...type, ...whole }, { ...ofType, scope_month: 'one_type', listing_period: 'months' }],
  ['analyst/retailer-index', { ...retailer, ...type, ...weekly }, { ...ofType, listing_period: 'days' }],
  ['analyst/retailer-index', { ...retailer, ...shelf, ...cut }, { ...ofShelf, listing_period: 'months_and_days' }],
  ['analyst/price-dispersion', { ...type }, {}],
  ['marketing/brand-tracker', { ...brand, ...whole }, { observed_between: 'by_listing', listing_period: 'months' }],
  ['marketing/promo-intelligence', { ...shelf, ...days }, ofShelf],
  ['marketing/promo-intelligence', { ...type, ...days }, ofType],
  ['marketing/promo-intelligence', { ...shelf, ...brand, ...days }, { ...ofShelf, observed_between: 'by_listing' }],
  ['shopper/price-history', { q: 'Coffee 1', days: 90 }, { product_observation: 'by_listing' }],
  ['public/coverage', {}, {}],
]

test.each(['2026-12-31T00:00:00Z', '2026-11-03T00:00:00Z'])(
  'as of %s the chosen variants give the rows of the general ones',
  async (as_of) => {
    const { is_latest } = await engine.catalog(new Date(as_of))
    for (const [id, given, variants] of cases) {
      const { bindings } = await planOf(engine, id, given, as_of)
      const moment = is_latest || bindings.before === undefined ? 'latest' : 'past'
      const expected = { ...variants, current_listing: moment, seen_listing: moment }
      expect(variantsFor(bindings, engine.manifest), id).toMatchObject(expected)
      for (const step of stepsOf(queryNamed(id)))
        for (const sql of Object.values(readableStatements(step, bindings))) {
          if (step.needs !== null) continue
          const statement = await general.prepare(withRelations(sql, GENERAL_VARIANTS))
          statement.bind(usedBy(statement, bindings))
          const rows = (await statement.runAndReadAll()).getRowObjectsJS()
          expect(rows.length, id).toBeGreaterThan(0)
          expect(await engine.rows(sql, bindings), `${id} ${JSON.stringify(given)}`).toEqual(rows)
        }
    }
  },
)

test('a statement starts with the relations that it names, each after those that it uses', () => {
  const begins = (sql: string) =>
    [...withRelations(sql, GENERAL_VARIANTS).matchAll(/(\w+) AS NOT/g)].map(([, name]) => name)
  const period = ['scope_month', 'listing_period_months', 'scope_observation', 'listing_period_days', 'listing_period']
  expect(begins('SELECT 1 FROM listing_period, observed_between')).toEqual([
    'scope_month_any_type',
    ...period.slice(0, 2),
    'scope_observation_any_type',
    ...period.slice(2),
    'observed_between',
  ])
  expect(begins('SELECT 1 FROM listing -- not listing_period')).toEqual([])
})

test('a statement keeps its own WITH and the comment before it', () => {
  const statement = '-- Why.\nWITH one AS (\n  FROM current_listing\n)\nFROM one'
  expect(withRelations(statement, GENERAL_VARIANTS)).toMatch(
    /^-- Why\.\nWITH current_listing AS NOT MATERIALIZED \(\n[\s\S]+\n\), one AS \(\n {2}FROM current_listing\n\)\nFROM one$/,
  )
  expect(withRelations('FROM current_listing', GENERAL_VARIANTS)).toMatch(
    /^WITH current_listing AS [\s\S]+\nFROM current_listing$/,
  )
})
