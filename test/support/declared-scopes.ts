import type { Relation } from '../../engine/counts/relations.ts'
import type { Bindings } from '../../engine/duckdb/pool.ts'
import { type Engine, EngineError } from '../../engine/index.ts'
import { type Given, planOf } from './ask.ts'
import { drawCount, drawParameters } from './declarations.ts'

/** How many counts are drawn at once: they are read by one statement. */
export const AT_ONCE = 8

type Scope = { froms: readonly Relation[]; id: string; given: Given[] }

const days = { from: '2026-09-10', to: '2026-11-05' }
const coffee = { category: 'Grocery > Coffee' }
const months = { from: '2026-08-01', to: '2026-11-01' }
const past = { as_of: '2026-10-20' }

/** Queries whose plans bind the scope of each relation: every parameter that narrows it, alone or with others. */
export const scopes: readonly Scope[] = [
  {
    froms: ['current_price', 'listed_price'],
    id: 'analyst/price-dispersion',
    given: [
      coffee,
      { department: 'grocery', country: 'ca' },
      { department: 'grocery', days: '30' },
      { ...coffee, retailer: 'alpha' },
      { ...coffee, ...past },
    ],
  },
  {
    froms: ['listed_price'],
    id: 'shopper/best-price',
    given: [
      { q: 'coffee', days: '90' },
      { q: 'coffee', country: 'ca', days: '30', ...past },
    ],
  },
  {
    froms: ['deal'],
    id: 'shopper/deal-finder',
    given: [
      { min_discount_pct: '5' },
      { min_discount_pct: '1', brand: 'Acme' },
      { min_discount_pct: '1', retailer: 'alpha', days: '30' },
      { min_discount_pct: '1', retailer: 'alpha', brand: 'Acme' },
      { min_discount_pct: '1', country: 'ca', ...past },
    ],
  },
  {
    froms: ['observed_price'],
    id: 'marketing/promo-intelligence',
    given: [
      { category: 'Grocery', ...days },
      { ...coffee, country: 'ca', ...days },
      { category: 'Grocery', retailer: 'alpha', brand: 'Acme', ...days },
    ],
  },
  {
    froms: ['price_claim'],
    id: 'marketing/promotion-reality',
    given: [
      { category: 'Grocery', ...days },
      { category: 'Grocery', country: 'ca', brand: 'Acme', ...days },
    ],
  },
  {
    froms: ['price_change'],
    id: 'analyst/price-setting',
    given: [
      { category: 'Grocery' },
      { department: 'grocery', country: 'ca' },
      { ...coffee, retailer: 'alpha', months: '3' },
      { category: 'Grocery', ...past },
    ],
  },
  {
    froms: ['price_step', 'step_span'],
    id: 'shopper/changes',
    given: [
      { category: 'Grocery' },
      { department: 'grocery', country: 'ca', since: '2026-10-01' },
      { ...coffee, retailer: 'alpha', since: '2026-09-10' },
    ],
  },
  {
    froms: ['stock_day', 'stock_episode'],
    id: 'analyst/availability',
    given: [
      { category: 'Grocery', ...days },
      { department: 'grocery', country: 'ca', ...days },
    ],
  },
  {
    froms: ['sold_listing', 'price_lead'],
    id: 'analyst/price-leadership',
    given: [
      { category: 'Grocery', ...days },
      { department: 'grocery', country: 'ca', ...days },
    ],
  },
  {
    froms: ['size_change', 'size_matched'],
    id: 'analyst/shrinkflation',
    given: [
      { category: 'Grocery', months: '3' },
      { department: 'grocery', country: 'ca', ...past },
    ],
  },
  {
    froms: ['new_listing', 'product_pair', 'listing_turnover'],
    id: 'marketing/assortment',
    given: [
      { category: 'Grocery' },
      { department: 'grocery', country: 'ca', days: '30' },
      { category: 'Grocery', ...past },
    ],
  },
  {
    froms: ['promo_day'],
    id: 'marketing/promo-calendar',
    given: [{ category: 'Grocery' }, { department: 'grocery', country: 'ca', years: '1' }],
  },
  {
    froms: ['index_price'],
    id: 'analyst/price-index',
    given: [
      { category: 'Grocery', months: '4' },
      { department: 'grocery', retailer: 'alpha', contributions_by: 'brand', months: '27' },
    ],
  },
  {
    froms: ['series_price', 'series_relative', 'period_price'],
    id: 'analyst/inflation',
    given: [
      { ...coffee, ...days, granularity: 'daily' },
      { category: 'Grocery', retailer: 'beta', ...months },
      { department: 'grocery', country: 'ca', ...days, granularity: 'weekly' },
    ],
  },
  {
    froms: ['series_price', 'series_relative'],
    id: 'marketing/brand-tracker',
    given: [
      { brand: 'Acme', ...days },
      { brand: 'Tefal', retailer: 'alpha', ...days, granularity: 'monthly' },
      { brand: 'Acme', ...months, granularity: 'monthly' },
    ],
  },
  {
    froms: ['series_price', 'series_relative', 'period_price', 'product_gap'],
    id: 'analyst/retailer-index',
    given: [
      { retailer: 'alpha', ...days, granularity: 'monthly' },
      { retailer: 'alpha', ...coffee, ...days, granularity: 'weekly' },
      { retailer: 'alpha', ...months },
    ],
  },
  {
    froms: ['product_day'],
    id: 'shopper/price-history',
    given: [
      { q: 'coffee', days: '90' },
      { q: 'coffee', country: 'ca', days: '30' },
    ],
  },
]

// No listing of these worlds has a product type, so that nothing is in the scope of one.
const PRODUCT_TYPE = { gpc_first: 1, gpc_last: 1000 }

/** The plan of a query, for the likeliest product where its text means several. */
const planOfProduct = async (engine: Engine, id: string, given: Given): ReturnType<typeof planOf> => {
  try {
    return await planOf(engine, id, given)
  } catch (error) {
    const { alternates } = (error instanceof EngineError ? error.details : {}) as {
      alternates?: { product_uid: string }[]
    }
    if (!alternates?.[0]) throw error
    const { q: _, ...others } = given
    return planOf(engine, id, { ...others, product_uid: alternates[0].product_uid })
  }
}

/** Declarations over these relations with their bindings: the scope of a query, and random values of parameters. */
export const drawCounts = async (engine: Engine, random: () => number, { froms, id, given }: Scope) => {
  const { bindings, as_of } = await planOfProduct(engine, id, given[Math.floor(random() * given.length)]!)
  const draw = () => drawCount(random, froms[Math.floor(random() * froms.length)]!)
  const counts = Object.fromEntries(Array.from({ length: AT_ONCE }, (_, i) => [`count_${i}`, draw()]))
  // Relations of prices read the retailer themselves.
  const { retailer_id, ...free } = drawParameters(random)
  const type = 'gpc_first' in bindings && random() < 0.05 ? PRODUCT_TYPE : {}
  return {
    counts,
    bindings: { ...free, retailer_id, ...bindings, ...type } as Bindings,
    as_of: new Date(as_of),
  }
}
