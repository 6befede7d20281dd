import type { Sql, Values } from './sql.ts'

/** A query as it is measured: its parameters, and an interval of categories where no category is as wide as the scope. */
export type Case = {
  query: string
  scope: string
  window: string
  /** Listings of the scope with a price in the last 90 days; null where the scope is no category. */
  listings: number | null
  params: Record<string, string>
  widened?: { first: number; last: number }
}

type CaseScope = { scope: string; listings: number; category: string; first: number; last: number }

const SHELF = 'coffee'
/** The category that wider scopes are planned with; its plan is then widened to an interval of categories. */
const DEPARTMENT = 'grocery'
const DEPARTMENT_LISTINGS = 90_000
const LAST_CATEGORY = 2_147_483_647

/** What the cases ask about, read from the files. */
type CaseNames = {
  scopes: CaseScope[]
  brand: string
  small_brand: string
  large_brand: string
  retailer: string
  entity_uid: string
  items: string
}

const firstRow = async (sql: Sql, statement: string): Promise<unknown[][]> => {
  const [columns] = await (await sql.prepare([statement]))()
  return Object.values(columns!)
}

/** A shelf; the first categories with 90,000 listings, of a smaller lake with half of them; the country. */
export const readScopes = async (sql: Sql, snapshot: string, since: string): Promise<CaseScope[]> => {
  const current = `read_parquet('${snapshot}/listings/country=us/part-0.parquet') WHERE last_day >= DATE '${since}'`
  const [ids, counts] = (await firstRow(
    sql,
    `SELECT category_id, count(*)::INTEGER FROM ${current} GROUP BY category_id ORDER BY category_id`,
  )) as [number[], number[]]
  const [firsts, lasts] = (await firstRow(
    sql,
    `SELECT category_id, category_last FROM '${snapshot}/categories.parquet' WHERE path LIKE '%/${SHELF}' ORDER BY path LIMIT 1`,
  )) as [number[], number[]]
  const within = (first: number, last: number): number =>
    counts.reduce((sum, n, i) => sum + (ids[i]! >= first && ids[i]! <= last ? n : 0), 0)
  const all = within(0, LAST_CATEGORY)
  const wanted = Math.min(DEPARTMENT_LISTINGS, all / 2)
  const last = ids.find((id) => within(0, id) >= wanted)!
  return [
    { scope: 'shelf', listings: within(firsts[0]!, lasts[0]!), category: SHELF, first: firsts[0]!, last: lasts[0]! },
    { scope: 'department', listings: within(0, last), category: DEPARTMENT, first: 0, last },
    { scope: 'country', listings: all, category: DEPARTMENT, first: 0, last: LAST_CATEGORY },
  ]
}

const readNames = async (sql: Sql, snapshot: string, since: string): Promise<CaseNames> => {
  const listings = `read_parquet('${snapshot}/listings/country=us/part-0.parquet')`
  const current = `${listings} WHERE last_day >= DATE '${since}'`
  const one = async (statement: string): Promise<string> => String((await firstRow(sql, statement))[0]![0])
  const shelf = `${current} AND category_id IN (SELECT category_id FROM '${snapshot}/categories.parquet' WHERE path LIKE '%/${SHELF}/%')`
  const brands = `SELECT brand FROM ${current} AND brand_id IS NOT NULL GROUP BY brand_id, brand`
  return {
    scopes: await readScopes(sql, snapshot, since),
    brand: await one(
      `SELECT brand FROM ${shelf} AND brand_id IS NOT NULL GROUP BY brand ORDER BY count(*) DESC, brand LIMIT 1`,
    ),
    small_brand: await one(`${brands} HAVING count(*) >= 20 ORDER BY count(*), brand LIMIT 1`),
    large_brand: await one(`${brands} ORDER BY count(*) DESC, brand LIMIT 1`),
    retailer: await one(
      `SELECT platform FROM ${shelf.replace(listings, `${listings} JOIN '${snapshot}/retailers.parquet' USING (retailer_id)`)}
       GROUP BY platform ORDER BY count(*) DESC, platform LIMIT 1`,
    ),
    entity_uid: await one(
      `SELECT entity_uid FROM ${current} AND condition = 'new' AND entity_uid IS NOT NULL
       GROUP BY entity_uid ORDER BY count(*) DESC, entity_uid LIMIT 1`,
    ),
    items: await one(
      `SELECT string_agg(entity_uid || ':' || 1 + place % 3, ',' ORDER BY place) FROM (
         SELECT entity_uid, row_number() OVER (ORDER BY count(*) DESC, entity_uid) AS place FROM ${current}
         AND condition = 'new' AND entity_uid IS NOT NULL GROUP BY entity_uid QUALIFY place <= 20)`,
    ),
  }
}

const USUAL = { window: 'default', params: {} }
const YEAR = { window: '12 months', params: { from: '2025-11-01', to: '2026-11-01' } }
const WITHOUT_SALES = { window: 'without sales', params: { regular: 'true' } }
const QUARTER = { window: '90 days', params: { days: '90' } }

type CaseWindow = { window: string; params: Record<string, string> }
type CaseSource = { windows: CaseWindow[]; scopes: (names: CaseNames) => Omit<Case, 'query' | 'window'>[] }

const byCategory =
  (paramsOf: (names: CaseNames) => Record<string, string> = () => ({})) =>
  (names: CaseNames) =>
    names.scopes.map(({ scope, listings, category, first, last }) => ({
      scope,
      listings,
      params: { category, ...paramsOf(names) },
      widened: { first, last },
    }))
const byBrand = ({ small_brand, large_brand }: CaseNames) => [
  { scope: 'small brand', listings: null, params: { brand: small_brand } },
  { scope: 'large brand', listings: null, params: { brand: large_brand } },
]
const byProduct = ({ entity_uid }: CaseNames) => [{ scope: 'product', listings: null, params: { entity_uid } }]
const byBasket = ({ items }: CaseNames) => [{ scope: '20 products', listings: null, params: { items } }]
/** By day, which the floor counts. */
const ofRetailer = ({ retailer }: CaseNames) => ({ retailer, granularity: 'daily' })

const sources: Record<string, CaseSource> = {
  'public/coverage': { windows: [USUAL], scopes: () => [{ scope: 'both countries', listings: null, params: {} }] },
  'shopper/best-price': { windows: [USUAL], scopes: byProduct },
  'shopper/basket': { windows: [USUAL], scopes: byBasket },
  'shopper/changes': { windows: [USUAL], scopes: byCategory() },
  'shopper/deal-finder': { windows: [USUAL], scopes: byCategory() },
  'shopper/price-drop-alert': { windows: [USUAL, QUARTER], scopes: byProduct },
  'shopper/price-history': { windows: [USUAL, QUARTER], scopes: byProduct },
  'shopper/price-reality': { windows: [USUAL], scopes: byProduct },
  'marketing/share-of-shelf': { windows: [USUAL], scopes: byCategory() },
  'marketing/brand-tracker': { windows: [USUAL, QUARTER, YEAR], scopes: byBrand },
  'marketing/promo-intelligence': { windows: [USUAL, QUARTER], scopes: byCategory() },
  'marketing/assortment': { windows: [USUAL], scopes: byCategory() },
  'marketing/promo-calendar': { windows: [USUAL], scopes: byCategory() },
  'marketing/promotion-reality': { windows: [USUAL], scopes: byCategory() },
  'marketing/brand-breakdown': { windows: [USUAL], scopes: byBrand },
  'marketing/competitive-landscape': { windows: [USUAL], scopes: byCategory() },
  'marketing/price-positioning': { windows: [USUAL], scopes: byCategory(({ brand }) => ({ brand })) },
  'analyst/inflation': { windows: [USUAL, YEAR, WITHOUT_SALES], scopes: byCategory() },
  'analyst/price-dispersion': { windows: [USUAL], scopes: byCategory() },
  'analyst/category-summary': { windows: [USUAL], scopes: byCategory() },
  'analyst/price-index': { windows: [{ window: '12 months', params: { months: '12' } }], scopes: byCategory() },
  'analyst/official-comparison': {
    windows: [{ window: '12 months', params: { months: '12', series: 'sample:coffee' } }],
    scopes: byCategory(),
  },
  'analyst/price-setting': { windows: [USUAL], scopes: byCategory() },
  'analyst/availability': { windows: [USUAL, QUARTER], scopes: byCategory() },
  'analyst/price-leadership': { windows: [USUAL, QUARTER], scopes: byCategory() },
  'analyst/shrinkflation': { windows: [USUAL], scopes: byCategory() },
  'analyst/retailer-levels': { windows: [USUAL], scopes: byCategory() },
  'analyst/retailer-index': { windows: [USUAL, QUARTER], scopes: byCategory(ofRetailer) },
}

/** Every case of the queries over prices, in the order of the list. */
export const readCases = async (sql: Sql, snapshot: string, since: string): Promise<Case[]> => {
  const names = await readNames(sql, snapshot, since)
  return Object.entries(sources).flatMap(([query, { windows, scopes }]) =>
    scopes(names).flatMap(({ params, ...scope }) =>
      windows.map((window) => ({ query, window: window.window, params: { ...params, ...window.params }, ...scope })),
    ),
  )
}

/** A plan's bindings, widened to the scope of a case. */
export const widen = <B extends Values>(bindings: B, { widened }: Case): B =>
  widened && 'first' in bindings ? { ...bindings, ...widened } : bindings
