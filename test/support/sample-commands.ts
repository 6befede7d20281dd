import { type AnyQuery, paramFields, queries, queryId } from '../../engine/index.ts'
import { type Given, queryNamed } from './ask.ts'

/** Parameters with which queries have a full answer over the sample lake; some queries twice, in their variants. Others have their documented ones. */
const given: readonly (readonly [id: string, given: Given])[] = [
  ['public/stats', {}],
  ['public/categories', {}],
  ['public/retailers', {}],
  ['public/brands', { limit: 20 }],
  ['public/coverage', { country: 'us' }],
  ['shopper/best-price', { q: 'coffee', limit: 5 }],
  ['shopper/deal-finder', { category: 'electronics', limit: 5 }],
  ['shopper/price-drop-alert', { q: 'nimbus laptop' }],
  ['shopper/price-history', { q: 'nimbus laptop', days: 180, granularity: 'weekly' }],
  ['shopper/price-reality', { q: 'nimbus laptop' }],
  ['shopper/basket', { items: 'nimbus laptop:2,larkano decaf coffee' }],
  ['shopper/changes', { category: 'coffee', limit: 5 }],
  ['marketing/share-of-shelf', { category: 'coffee' }],
  ['marketing/brand-tracker', { brand: 'Wilwood', days: 180, granularity: 'monthly' }],
  ['marketing/promo-intelligence', { category: 'grocery', days: 90, aggregate_by: 'retailer' }],
  ['marketing/promotion-reality', { category: 'grocery', days: 90 }],
  ['marketing/promo-calendar', { department: 'grocery', years: 1 }],
  ['marketing/brand-breakdown', { brand: 'Wilwood' }],
  ['marketing/competitive-landscape', { category: 'coffee', limit: 5 }],
  ['marketing/price-positioning', { brand: 'Wilwood', category: 'electronics' }],
  ['marketing/assortment', { category: 'electronics' }],
  ['analyst/inflation', { category: 'electronics', days: 365 }],
  ['analyst/inflation', { category: 'electronics', country: 'ca', days: 365, granularity: 'weekly' }],
  ['analyst/price-dispersion', { category: 'coffee' }],
  ['analyst/category-summary', { category: 'coffee' }],
  ['analyst/retailer-index', { retailer: 'kettlecart', category: 'electronics', days: 365, granularity: 'monthly' }],
  ['analyst/price-index', { category: 'grocery', months: 12 }],
  ['analyst/official-comparison', { category: 'coffee', series: 'sample:coffee', months: 14 }],
  ['analyst/price-setting', { category: 'grocery' }],
  ['analyst/availability', { category: 'grocery', days: 90 }],
  ['analyst/price-leadership', { category: 'electronics', days: 365 }],
  ['analyst/shrinkflation', { category: 'grocery' }],
  ['analyst/retailer-levels', { category: 'electronics' }],
  ['social/brand-momentum', { category: 'grocery', window: '90d' }],
  ['social/topic-trends', { category: 'grocery' }],
  ['reference/classify', { q: 'laptops' }],
  ['reference/reverse', { gpc_code: '10001145' }],
  ['reference/brick-attributes', { gpc_code: '10001145' }],
]

export type SampleCommand = { id: string; query: AnyQuery; given: Given; argv: string[] }

/** The documented examples of the required parameters of a query. */
const documented = (query: AnyQuery): Given =>
  Object.fromEntries(
    paramFields(query).flatMap(({ name, isRequired, examples }) => (isRequired ? [[name, String(examples?.[0])]] : [])),
  )

const others = queries
  .map((query) => [queryId(query), documented(query)] as const)
  .filter(([id]) => !given.some(([one]) => one === id))

/** A command line of every query over the sample lake. */
export const sampleCommands: readonly SampleCommand[] = [...given, ...others].map(([id, params]) => ({
  id,
  query: queryNamed(id),
  given: params,
  argv: [
    ...id.split('/'),
    ...Object.entries(params).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)]),
  ],
}))
