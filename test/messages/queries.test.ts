import { test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { type Given, refusalOf } from '../support/ask.ts'
import { openEngine } from '../support/given.ts'
import { expectMessages, type Line } from './expect-messages.ts'
import { AS_OF, givenLake } from './lake.ts'

const queries: readonly (readonly [string, Given])[] = [
  ['analyst/inflation', {}],
  ['analyst/inflation', { category: '' }],
  ['analyst/inflation', { category: 'coffee', weeks: 3 }],
  ['analyst/inflation', { category: 'x'.repeat(201) }],
  ['analyst/inflation', { category: 'coffee', country: 'mx' }],
  ['analyst/inflation', { category: 'coffee', days: 0 }],
  ['analyst/inflation', { category: 'coffee', days: 'many' }],
  ['analyst/inflation', { category: 'coffee', granularity: 'yearly' }],
  ['analyst/inflation', { category: 'coffee', as_of: 'yesterday' }],
  ['analyst/inflation', { category: 'coffee', max_age: 0 }],
  ['analyst/inflation', { category: 'coffee', max_age: 0.1 }],
  ['analyst/inflation', { category: 'coffee', from: '2026-02-30' }],
  ['analyst/inflation', { category: 'coffee', from: '2026-10-02', to: '2026-10-01' }],
  ['analyst/inflation', { category: 'coffee', from: '2010-01-01', to: '2026-10-01' }],
  ['analyst/inflation', { category: 'coffee', time_window: 'custom' }],
  ['analyst/inflation', { category: 'coffee', time_window: 'fortnight' }],
  ['analyst/inflation', { category: 'coffee', from: '2024-01-01', to: '2024-02-01' }],
  ['analyst/inflation', { category: 'qqqqqqqq' }],
  ['analyst/inflation', { category: 'cofee machines' }],
  ['analyst/inflation', { category: 'coffee', department: 'qqqqqqqq' }],
  ['analyst/inflation', { category: '99999999' }],
  ['analyst/inflation', { category: 'coffee', retailer: 'nobody' }],
  ['analyst/inflation', { category: 'coffee', retailer: 'beta' }],
  ['analyst/price-dispersion', { category: 'coffee', days: 5 }],
  ['analyst/price-dispersion', { category: 'coffee', country: 'ca' }],
  ['analyst/retailer-index', {}],
  ['marketing/brand-tracker', { brand: 'Nonesuch' }],
  ['marketing/share-of-shelf', {}],
  ['marketing/competitive-landscape', { category: 'coffee', limit: 0 }],
  ['public/categories', { parent_path: 'qqqqqqqq' }],
  ['public/coverage', { quality_status: 'good' }],
  ['public/retailers', { offset: -1 }],
  ['reference/brick-attributes', { gpc_code: 'x' }],
  ['reference/classify', {}],
  ['reference/classify', { browse_id: 'x'.repeat(500) }],
  ['shopper/best-price', {}],
  ['shopper/best-price', { q: 'qqqqqqqq' }],
  ['shopper/best-price', { q: 'coffee', product_uid: 'p' }],
  ['shopper/best-price', { entity_uid: 'nothing' }],
  ['shopper/best-price', { q: 'coffee', strict: 'maybe' }],
  ['shopper/changes', {}],
  ['shopper/changes', { uids: 'p_1', category: 'coffee' }],
  ['shopper/changes', { uids: ' , ' }],
  ['shopper/changes', { uids: Array.from({ length: 101 }, (_, i) => `p_${i}`).join() }],
  ['shopper/changes', { uids: 'coffee' }],
  ['shopper/changes', { uids: 'p_nothing' }],
  ['shopper/changes', { category: 'qqqqqqqq' }],
  ['shopper/changes', { category: 'coffee', retailer: 'beta' }],
  ['shopper/changes', { category: 'coffee', since: 'yesterday' }],
  ['shopper/changes', { category: 'coffee', since: '2026-11-01_20' }],
  ['shopper/changes', { category: 'coffee', since: '2026-01-01' }],
  ['shopper/changes', { category: 'coffee', since: '2027-01-01' }],
  ['shopper/changes', { category: 'coffee', since: '2026-11-20' }],
  ['shopper/changes', { category: 'coffee', limit: 1001 }],
  ['shopper/deal-finder', { min_discount_pct: 101 }],
  ['shopper/deal-finder', { category: 'coffee' }],
  ['shopper/price-drop-alert', { q: 'coffee', lookback_days: 0 }],
  ['social/brand-momentum', { category: 'grocery' }],
  ['social/brand-momentum', { category: 'coffee' }],
  ['social/topic-trends', { category: 'grocery', window: '3d' }],
]

const shown = (given: Given): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}=${String(value).replace(/(.)\1{99,}|(?<=^.{20}).{300,}/, '$1...')}`)
    .join(' ')

const refusalsOfQueries = async (engine: Engine): Promise<Line[]> => {
  const lines: Line[] = []
  for (const [id, given] of queries) {
    const { code, message } = await refusalOf(engine, id, given)
    lines.push([`${id} ${shown(given)}`, code, message])
  }
  return lines
}

test('refusals of queries', async () => {
  const { lake } = await givenLake()
  const engine = await openEngine(lake, { as_of: new Date(AS_OF) })
  await expectMessages('queries', { queries: await refusalsOfQueries(engine) })
})
