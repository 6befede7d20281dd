import type { Relation } from '../../engine/counts/relations.ts'
import type { Bindings } from '../../engine/duckdb/pool.ts'
import type { Engine } from '../../engine/index.ts'
import { type Given, planOf } from './ask.ts'
import { drawCount, drawParameters } from './declarations.ts'

/** How many counts are drawn at once: they are read by one statement. */
export const AT_ONCE = 3

type Scope = { froms: readonly Relation[]; id: string; given: Given[] }

const days = { from: '2026-09-10', to: '2026-11-05' }

/** Queries whose plans bind the scope of each relation. */
export const scopes: readonly Scope[] = [
  {
    froms: ['current_price'],
    id: 'analyst/price-dispersion',
    given: [
      { category: 'Grocery > Coffee' },
      { department: 'grocery', country: 'ca' },
      { department: 'grocery', days: '30' },
    ],
  },
  {
    froms: ['deal'],
    id: 'shopper/deal-finder',
    given: [{ min_discount_pct: '5' }, { min_discount_pct: '1', brand: 'Acme' }],
  },
  {
    froms: ['observed_price'],
    id: 'marketing/promo-intelligence',
    given: [
      { category: 'Grocery', ...days },
      { category: 'Grocery > Coffee', country: 'ca', ...days },
    ],
  },
  {
    froms: ['series_price', 'series_relative', 'period_price', 'entity_gap'],
    id: 'analyst/retailer-index',
    given: [
      { retailer: 'alpha', ...days, granularity: 'monthly' },
      { retailer: 'alpha', category: 'Grocery > Coffee', ...days, granularity: 'weekly' },
    ],
  },
]

/** Declarations over these relations with their bindings: the scope of a query, and random values of parameters. */
export const drawCounts = async (engine: Engine, random: () => number, { froms, id, given }: Scope) => {
  const { bindings } = await planOf(engine, id, given[Math.floor(random() * given.length)]!)
  const draw = () => drawCount(random, froms[Math.floor(random() * froms.length)]!)
  const counts = Object.fromEntries(Array.from({ length: AT_ONCE }, (_, i) => [`count_${i}`, draw()]))
  // Relations of prices read the retailer themselves.
  const { retailer_id, ...free } = drawParameters(random)
  return { counts, bindings: { ...free, retailer_id, ...bindings } as Bindings }
}
