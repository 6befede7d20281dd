import type { Source } from '../contract/as-of.ts'
import type { Resolved } from '../contract/blocks.ts'
import type { CategoryMatch, CategoryNode } from '../contract/category-node.ts'
import { type EngineError, invalidParam } from '../contract/errors.ts'
import type { WindowParams } from '../contract/params.ts'
import { round } from '../contract/round.ts'
import { currentDays, type Granularity, resolveWindow } from '../contract/window.ts'
import { withNewestObserved } from './answer.ts'
import { resolveBrand } from './brand-scope.ts'
import type { Catalog } from './catalog.ts'
import { currencyOf, lowestFloor } from './countries.ts'
import { eligibleRetailer } from './eligibility.ts'
import { matchType, type TypeScope } from './type-scope.ts'

/** A match below this confidence is refused: a wrong category would be a wrong answer. */
const MIN_CONFIDENCE = 0.6
const MAX_ALTERNATES = 5
const ANY_DEPTH = 99
export const ANY_TYPE = { gpc_first: null, gpc_last: null }

/** The parameters that select a part of the catalogue. */
export type ScopeParams = {
  category?: string | undefined
  department?: string | undefined
  country: string
  retailer?: string | undefined
}

/** The part of the catalogue that a query covers. */
export type Scope<R extends Resolved | null = Resolved> = {
  resolved: R
  /** The params that every answer repeats, resolved. */
  echo: {
    category: string | null
    department: string | null
    country: string
    currency: string
    retailer: string | null
  }
  bindings: {
    country: string
    first: number
    last: number
    /** The interval of product types if the category is a GPC code. */
    gpc_first: number | null
    gpc_last: number | null
    retailer_id: number | null
  }
  /** Accessory shelves deeper than this are below the resolved node and are left out. */
  shelf_depth: number
}

/** A category as an alternate of another. */
export const alternateOf = ({ node, match_confidence, match_source }: CategoryMatch) => ({
  category_path: node.path,
  name: node.name,
  department: node.department,
  match_confidence: round(match_confidence, 4),
  match_source,
  product_count: node.product_count,
})

const unresolved = (parameter: string, input: string, matches: readonly CategoryMatch[]): EngineError => {
  const alternates = matches.slice(0, MAX_ALTERNATES).map(alternateOf)
  const hint = alternates[0]
    ? `; the nearest is "${alternates[0].category_path}"`
    : '; the query public/categories lists them'
  return invalidParam(parameter, `no category matches "${input}"${hint}`, {
    input,
    alternates,
  })
}

const matchDepartment = (input: string, catalog: Catalog): CategoryMatch => {
  const match = catalog.categories.department(input)
  if (match) return match
  throw unresolved(
    'department',
    input,
    catalog.categories.resolve(input).filter(({ node }) => node.depth === 1),
  )
}

const matchCategory = (input: string, department: CategoryNode | undefined, catalog: Catalog) => {
  const [best, ...others] = catalog.categories.resolve(input, department)
  if (!best || best.match_confidence < MIN_CONFIDENCE)
    throw unresolved('category', input, best ? [best, ...others] : [])
  return { best, others }
}

/** The scope of a product type. Answers repeat its code, and the shelf with most of its listings. */
const typeScope = async (
  type: TypeScope,
  { category = '', country, retailer }: ScopeParams,
  catalog: Catalog,
  judged_before: string | undefined,
): Promise<Scope> => {
  const { node, shelves, first, last, department } = type
  const [main, ...others] = shelves
  const part = { country, first, last, gpc_first: node.gpc_id, gpc_last: node.gpc_last }
  return {
    resolved: {
      input: category,
      category_path: main!.node.path,
      department: main!.node.department,
      match_source: 'gpc',
      match_confidence: 1,
      alternates: others.slice(0, MAX_ALTERNATES).map(alternateOf),
    },
    echo: {
      category: node.code,
      department,
      country,
      currency: currencyOf(country, catalog),
      retailer: retailer ?? null,
    },
    bindings: { ...part, retailer_id: await eligibleRetailer(retailer, part, { department, judged_before }, catalog) },
    // Listings of the type are not accessories of it.
    shelf_depth: ANY_DEPTH,
  }
}

/**
 * Resolves category, department, country and retailer in memory. Refuses first a category or department that does not
 * resolve (INVALID_PARAMS, with alternates), then a retailer that does not serve the scope before the day of as_of or
 * `judged_before`.
 */
export const resolveScope = async (params: ScopeParams, catalog: Catalog, judged_before?: string): Promise<Scope> => {
  const { country, retailer } = params
  const department = params.department === undefined ? undefined : matchDepartment(params.department, catalog)
  const type = await matchType(params.category ?? '', department?.node, country, catalog)
  if (type) return typeScope(type, params, catalog, judged_before)
  const category = params.category === undefined ? undefined : matchCategory(params.category, department?.node, catalog)
  const match = category?.best ?? department
  if (!match) throw invalidParam('category', 'is required')
  const { node } = match
  const part = { country, first: node.category_id, last: node.category_last, ...ANY_TYPE }
  const eligibility = { department: node.department, judged_before }
  return {
    resolved: {
      input: params.category ?? params.department ?? '',
      category_path: node.path,
      department: node.department,
      match_source: match.match_source,
      match_confidence: round(match.match_confidence, 4),
      alternates: (category?.others ?? []).slice(0, MAX_ALTERNATES).map(alternateOf),
    },
    echo: {
      category: category ? node.path : null,
      department: node.department,
      country,
      currency: currencyOf(country, catalog),
      retailer: retailer ?? null,
    },
    bindings: { ...part, retailer_id: await eligibleRetailer(retailer, part, eligibility, catalog) },
    // Within an accessory shelf no accessories are left out.
    shelf_depth: node.accessory_depth > 0 ? ANY_DEPTH : node.depth,
  }
}

/** All categories and product types. */
export const WHOLE_COUNTRY = { first: 0, last: 2_147_483_647, ...ANY_TYPE }

/** As `resolveScope`, with an optional category: without one the scope is the entire country. */
export const resolveOptionalScope = async (
  params: ScopeParams,
  catalog: Catalog,
  judged_before?: string,
): Promise<Scope<Resolved | null>> => {
  if (params.category !== undefined || params.department !== undefined)
    return resolveScope(params, catalog, judged_before)
  const { country, retailer } = params
  const part = { country, ...WHOLE_COUNTRY }
  return {
    resolved: null,
    echo: {
      category: null,
      department: null,
      country,
      currency: currencyOf(country, catalog),
      retailer: retailer ?? null,
    },
    bindings: { ...part, retailer_id: await eligibleRetailer(retailer, part, { judged_before }, catalog) },
    shelf_depth: ANY_DEPTH,
  }
}

type CurrentParams = ScopeParams & { days: number }

/** The context that queries about current prices need to shape their answers. */
export type CurrentScope<R extends Resolved | null = Resolved> = Pick<Scope<R>, 'resolved' | 'echo'> &
  Source & {
    /** The first day whose prices are current. */
    since: string
    /** The day of as_of, which is not over. */
    before: string
    newest_observed_at: string | null
  }

/** The bindings and the context of a scope's current prices, without newest_observed_at. */
const currentPriceScope = <R extends Resolved | null>(scope: Scope<R>, days: number, catalog: Catalog) => {
  const { since, before } = currentDays(catalog.as_of, days)
  const context = { resolved: scope.resolved, echo: scope.echo, since, before }
  return { bindings: { ...scope.bindings, since, before }, context }
}

/**
 * Resolves a query about current prices: those observed before as_of and at most `days` days older than it. Throws
 * NO_RESULTS where nothing was observed on these days.
 */
export const resolveCurrentScope = async (params: CurrentParams, catalog: Catalog) => {
  const { bindings, context } = currentPriceScope(await resolveScope(params, catalog), params.days, catalog)
  return { bindings, context: await withNewestObserved(context, bindings, catalog) }
}

/** As `resolveCurrentScope`, for queries about the representative listings (statistics/representative.ts). */
export const resolveRepresentativeScope = async (params: CurrentParams, catalog: Catalog) => {
  const scope = await resolveScope(params, catalog)
  const { bindings, context } = currentPriceScope(scope, params.days, catalog)
  return {
    bindings: { ...bindings, shelf_depth: scope.shelf_depth, lowest_floor: lowestFloor(params.country, catalog) },
    context: await withNewestObserved(context, bindings, catalog),
  }
}

/** As `resolveBrandScope`, without newest_observed_at and without refusing a scope that was never observed. */
export const brandScopeOf = async (params: CurrentParams & { brand?: string | undefined }, catalog: Catalog) => {
  const scope = currentPriceScope(await resolveOptionalScope(params, catalog), params.days, catalog)
  const brand = params.brand === undefined ? null : await resolveBrand(params.brand, scope.bindings, catalog)
  return {
    bindings: { ...scope.bindings, brand_id: brand?.brand_id ?? null },
    context: { ...scope.context, brand: brand?.brand ?? null },
  }
}

/** As `resolveCurrentScope`, with an optional brand and category. */
export const resolveBrandScope = async (params: CurrentParams & { brand?: string | undefined }, catalog: Catalog) => {
  const { bindings, context } = await brandScopeOf(params, catalog)
  return { bindings, context: await withNewestObserved(context, bindings, catalog) }
}

type BrandedParams = ScopeParams & WindowParams & { brand?: string | undefined }

/**
 * Resolves a query about the days of a window, with an optional brand. Throws NO_RESULTS where nothing was observed since
 * its first day.
 */
export const resolveWindowScope = async (
  params: BrandedParams,
  granularity: Granularity | undefined,
  catalog: Catalog,
) => {
  const { window, periods, judged_before } = resolveWindow(params, granularity, catalog.as_of)
  const scope = await resolveScope(params, catalog, judged_before)
  const brand = params.brand === undefined ? null : await resolveBrand(params.brand, scope.bindings, catalog)
  const bindings = { ...scope.bindings, brand_id: brand?.brand_id ?? null }
  const context = { echo: scope.echo, resolved: scope.resolved, window, brand: brand?.brand ?? null }
  return { bindings, periods, context: await withNewestObserved(context, bindings, catalog) }
}
