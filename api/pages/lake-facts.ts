import {
  answerFields,
  type Catalog,
  type CategoryNode,
  type CoverageCell,
  DAY_MS,
  dayOf,
  type Engine,
  giveWay,
  groupBy,
  type Listing,
  type ListingTable,
  lowerBound,
  paramFields,
  paramNamed,
  queries,
  type SearchIndex,
} from '../../engine/index.ts'
import type { LakeCountries } from '../contract/of-lake.ts'

/** A listing that examples are about. */
export type ExampleProduct = { product_uid: string; product_name: string }

/** What a lake contains that pages name: its size and age, and the parameters of examples. */
export type LakeFacts = {
  snapshot_id: string
  published_at: string
  now: Date
  /** When the newest price was observed; null without any. */
  newest: string | null
  /** Whether the prices are generated: their web addresses are of a domain that is reserved for examples. */
  isSample: boolean
  counts: Readonly<Record<string, number>>
  cells: readonly CoverageCell[]
  retailers: Catalog['retailers']
  countries: LakeCountries
  /** The country with most listings. */
  country: string
  /** A category with many listings, and a text that is resolved to it. */
  category: { path: string; text: string } | null
  department: CategoryNode | null
  /** The department with most listings. */
  largest_department: string | null
  brand: string | null
  /** A serving retailer, and whether it serves the department. */
  retailer: { platform: string; servesDepartment: boolean } | null
  product: ExampleProduct | null
  /** A product whose price is below a list price; null without any. */
  discounted: ExampleProduct | null
  /** Whole months with prices, at most a year; null where there are fewer than two. */
  window: { from: string; to: string } | null
  gpc_code: string | null
  /** An official series of the country. */
  series: string | null
}

/** A category with fewer listings is not worth an example. */
const MIN_LISTINGS = 20
const WINDOW_MONTHS = 12
/** How many listings of a category are considered for the example of a product. */
const MAX_CANDIDATES = 2000
/** How many listings show where the prices are from. */
const ADDRESSES = 20
const RESERVED = /^https?:\/\/([^/]+\.)?example(\.(com|net|org))?(:\d+)?(\/|$)/

/** The first documented example of a parameter, of any query that has one. */
const documented = (name: string): string =>
  String(queries.map((query) => paramNamed(query, name)?.examples?.[0]).find((example) => example !== undefined) ?? '')

/** The value with the greatest count; undefined if there is none. */
const mostFrequent = <T>(values: Iterable<T>): T | undefined => {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[T, number] | undefined>(
    (most, entry) => (most && most[1] >= entry[1] ? most : entry),
    undefined,
  )?.[0]
}

const recentIn = (cells: readonly CoverageCell[]): number =>
  cells.reduce((sum, cell) => sum + cell.recent_priced_product_count, 0)

const largestCountry = (cells: readonly CoverageCell[], { accepted }: LakeCountries): string => {
  const count = (country: string) => recentIn(cells.filter((cell) => cell.country === country))
  return [...accepted.keys()].reduce((most, country) => (count(country) > count(most) ? country : most))
}

const largestDepartment = (cells: readonly CoverageCell[], country: string): string | null => {
  const departments = groupBy(
    cells.filter((cell) => cell.country === country),
    ({ category_root }) => category_root,
  )
  const [largest] = [...departments].sort(([, a], [, b]) => recentIn(b) - recentIn(a))
  return largest?.[0] ?? null
}

/** Rows of listings, which are sorted by category: [begin, end). */
type Rows = { begin: number; end: number }

/** Ascending categories of listings, by row. */
type CategoryColumn = { readonly length: number; readonly [row: number]: number }

/** The rows of the listings of a category and of all below it. */
const rowsOf = (category_id: CategoryColumn, { category_id: first, category_last }: CategoryNode): Rows => ({
  begin: lowerBound(category_id, first),
  end: lowerBound(category_id, category_last + 1),
})

/** The category that most listings are directly in; undefined without listings. */
const largestCategory = (category_id: CategoryColumn): number | undefined => {
  let largest = { id: undefined as number | undefined, listings: 0 }
  for (let begin = 0, end = 0; begin < category_id.length; begin = end) {
    const id = category_id[begin]!
    end = lowerBound(category_id, id + 1, begin)
    if (end - begin > largest.listings) largest = { id, listings: end - begin }
  }
  return largest.id
}

/** The documented category if the lake has it, else the one that most listings are directly in. */
const categoryFor = (catalog: Catalog, category_id: CategoryColumn): CategoryNode | null => {
  const [match] = catalog.categories.resolve(documented('category'))
  const hasListings = (node: CategoryNode): boolean => {
    const { begin, end } = rowsOf(category_id, node)
    return end - begin >= MIN_LISTINGS
  }
  if (match && match.match_confidence > 0.9 && hasListings(match.node)) return match.node
  const most = largestCategory(category_id)
  return (most !== undefined && catalog.categories.byId(most)) || null
}

/** The last part of a category's path if that names it, else the path. */
const categoryText = ({ categories }: Catalog, { category_id, path }: CategoryNode): string => {
  const last = path.split('/').at(-1) ?? ''
  return categories.resolve(last)[0]?.node.category_id === category_id ? last : path
}

const brandFor = (catalog: Catalog, table: ListingTable, rows: Rows): string | null => {
  const slices = [...table.slices(rows.begin, rows.end)]
  const ids = slices
    .flatMap(({ listings, begin, end }) => Array.from(listings.brand_id.subarray(begin, end)))
    .filter((id) => id >= 0)
  const example = catalog.brands.get(documented('brand'))
  const id = example && ids.includes(example.brand_id) ? example.brand_id : mostFrequent(ids)
  return (id !== undefined && catalog.brandsById.get(id)?.brand_norm) || null
}

/**
 * The documented retailer if it serves the department, else the one with most current listings there; where none does,
 * the retailer that serves most elsewhere.
 */
const retailerFor = (
  cells: readonly CoverageCell[],
  country: string,
  department: CategoryNode | null,
): LakeFacts['retailer'] => {
  const serving = cells
    .filter((cell) => cell.country === country && cell.is_serving_eligible)
    .toSorted((a, b) => b.recent_priced_product_count - a.recent_priced_product_count)
  const inDepartment = serving.filter(({ category_root }) => category_root === department?.path)
  const candidates = inDepartment.length > 0 ? inDepartment : serving
  const retailer = candidates.find(({ platform }) => platform === documented('retailer')) ?? candidates[0]
  return retailer ? { platform: retailer.platform, servesDepartment: inDepartment.length > 0 } : null
}

/** Listings of a category, of which examples of products are chosen. */
const candidatesIn = async ({ listingAt }: SearchIndex, { begin, end }: Rows): Promise<Listing[]> => {
  const candidates: Listing[] = []
  for (let row = begin; row < Math.min(end, begin + MAX_CANDIDATES); row += 1) {
    candidates.push(listingAt(row))
    await giveWay()
  }
  return candidates
}

/** A listing with a long history, of the product that most listings of the category are of, or that most discounted ones are of. */
const productFor = (candidates: readonly Listing[], isDiscounted = false): ExampleProduct | null => {
  const listings = candidates.flatMap((listing) =>
    listing.product_name !== null && listing.price > 0 && (!isDiscounted || (listing.list_price ?? 0) > listing.price)
      ? [{ ...listing, product_name: listing.product_name }]
      : [],
  )
  const entity = mostFrequent(listings.flatMap(({ entity_uid }) => (entity_uid === null ? [] : [entity_uid])))
  const days = ({ first_day, last_day }: (typeof listings)[number]) =>
    Date.parse(last_day ?? '') - Date.parse(first_day ?? '')
  const [longest] = listings
    .filter(({ entity_uid }) => entity === undefined || entity_uid === entity)
    .toSorted((a, b) => days(b) - days(a))
  return longest ? { product_uid: longest.product_uid, product_name: longest.product_name } : null
}

const firstOfMonth = (date: Date, months: number): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))

/** The last whole months that have prices. */
const windowOf = (observed_from: string | null, newest: string | null): { from: string; to: string } | null => {
  if (observed_from === null || newest === null) return null
  const to = firstOfMonth(new Date(Date.parse(newest) + DAY_MS), 0)
  const start = new Date(observed_from)
  const earliest = firstOfMonth(start, start.getUTCDate() === 1 ? 0 : 1)
  const yearBefore = firstOfMonth(to, -WINDOW_MONTHS)
  const from = earliest > yearBefore ? earliest : yearBefore
  return firstOfMonth(from, 2) <= to ? { from: dayOf(from), to: dayOf(to) } : null
}

const hasReservedAddresses = ({ listing, places }: SearchIndex): boolean => {
  const urls = Array.from({ length: Math.min(ADDRESSES, places.row.length) }, (_, i) => listing(i).url)
  const present = urls.filter((url) => url !== null)
  return present.length > 0 && present.every((url) => RESERVED.test(url))
}

const gpcCodeFor = ({ reference }: Catalog): string | null => {
  const example = documented('gpc_code')
  if (reference.attributes.has(example)) return example
  const [first] = reference.attributes.keys()
  return first ?? null
}

/** The documented series if the lake has it, else its first one. */
const seriesFor = async (catalog: Catalog, country: string): Promise<string | null> => {
  const all = (await catalog.officialSeries()).filter((series) => series.country === country)
  return (all.find(({ series }) => series === documented('series')) ?? all[0])?.series ?? null
}

/** Reads the facts of the served snapshot, from memory. */
export const readLakeFacts = async (engine: Engine): Promise<LakeFacts> => {
  // What pages show of queries is read once, which takes a while.
  for (const query of queries) {
    paramFields(query)
    answerFields(query)
    await giveWay()
  }
  const catalog = await engine.catalog()
  const cells = await engine.coverage()
  const country = largestCountry(cells, engine.countries)
  const table = await catalog.listings(country)
  const index = await catalog.search(country)
  const { category_id } = table.columns
  const category = categoryFor(catalog, category_id)
  const rows = category ? rowsOf(category_id, category) : { begin: 0, end: 0 }
  const candidates = await candidatesIn(index, rows)
  const department = category ? (catalog.categories.byPath(category.department) ?? null) : null
  return {
    snapshot_id: catalog.snapshot_id,
    published_at: catalog.published_at,
    now: engine.now(),
    newest: engine.newest_observed_at,
    isSample: hasReservedAddresses(index),
    counts: catalog.counts,
    cells,
    retailers: catalog.retailers,
    countries: engine.countries,
    country,
    category: category && { path: category.path, text: categoryText(catalog, category) },
    department,
    largest_department: largestDepartment(cells, country),
    brand: brandFor(catalog, table, rows),
    retailer: retailerFor(cells, country, department),
    product: productFor(candidates),
    discounted: productFor(candidates, true),
    window: windowOf(engine.manifest.observed_from, engine.newest_observed_at),
    gpc_code: gpcCodeFor(catalog),
    series: await seriesFor(catalog, country),
  }
}
