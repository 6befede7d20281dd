import { addDays, groupBy, type ListingDay, listingKey, unseenDay } from './oracle.ts'
import { labelsOf, listingsOf } from './oracle-labels.ts'

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z0-9]+/g, '-')

const parentsOf = (shelf: readonly string[]): string[][] => shelf.map((_, i) => shelf.slice(0, i + 1))
const pathOf = (shelf: readonly string[]): string => shelf.map(slugOf).join('/')

const inOrder = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))

/** The nodes of public/categories by path, each with the listings at and beneath it. */
export const categories = (days: readonly ListingDay[]) => {
  const lines = listingsOf(days).flatMap(({ shelf }) => parentsOf(shelf))
  const nodes = [...groupBy(lines, pathOf)].map(([path, own]) => ({
    name: own[0]!.at(-1)!,
    path,
    depth: own[0]!.length,
    parent_path: own[0]!.length === 1 ? null : pathOf(own[0]!.slice(0, -1)),
    product_count: own.length,
  }))
  return inOrder(nodes, ({ path }) => path)
}

/** The rows of public/retailers by platform. */
export const retailers = (days: readonly ListingDay[]) => {
  const rows = [...groupBy(days, ({ listing }) => listing.platform)].map(([platform, own]) => ({
    platform,
    product_count: listingsOf(own).length,
    countries: [...new Set(own.map(({ listing }) => listing.country))].sort(),
    last_observed_at: own
      .map(({ observed_at }) => observed_at)
      .sort()
      .at(-1),
  }))
  return inOrder(rows, ({ platform }) => platform)
}

/** The rows of public/brands: most products first, then by key. */
export const brands = (days: readonly ListingDay[]) => {
  const labels = labelsOf(days)
  const branded = listingsOf(days).filter(({ brand }) => brand !== null)
  return [...groupBy(branded, ({ brand }) => brand!)]
    .map(([brand_norm, own]) => ({ brand: labels.get(brand_norm)!, brand_norm, product_count: own.length }))
    .sort((a, b) => b.product_count - a.product_count || (a.brand_norm < b.brand_norm ? -1 : 1))
}

const statusOf = (priced: number, recent: number): string => {
  if (recent < 0.25 * priced) return 'stale'
  return recent < 25 ? 'thin' : 'serving'
}

/** The cells of public/coverage at a moment, by platform, country and department. */
export const coverage = (days: readonly ListingDay[], as_of: string) => {
  const seen = days.filter(({ day }) => day < unseenDay(as_of))
  const shelves = groupBy(seen, ({ listing: { platform, country, shelf } }) => [platform, country, shelf[0]].join('|'))
  const cells = [...shelves.values()].map((own) => {
    const { platform, country, shelf } = own[0]!.listing
    const recent = own.filter(({ day }) => day >= addDays(as_of, -90))
    const priced_product_count = listingsOf(own).length
    const recent_priced_product_count = listingsOf(recent).length
    const quality_status = statusOf(priced_product_count, recent_priced_product_count)
    return {
      platform,
      country,
      category_root: slugOf(shelf[0]!),
      priced_product_count,
      recent_priced_product_count,
      known_brand_product_count: listingsOf(own).filter(({ brand }) => brand !== null).length,
      quality_status,
      is_serving_eligible: quality_status === 'serving',
      last_observed_at: own
        .map(({ observed_at }) => observed_at)
        .sort()
        .at(-1),
    }
  })
  return inOrder(cells, ({ platform, country, category_root }) => [platform, country, category_root].join('|'))
}

/** The figures of public/stats but those of entities and of publication. */
export const stats = (days: readonly ListingDay[]) => {
  const nodes = categories(days)
  return {
    products: { listings: listingsOf(days).length },
    categories: {
      total: nodes.length,
      leaves: nodes.filter(({ path }) => nodes.every(({ parent_path }) => parent_path !== path)).length,
      max_depth: Math.max(...nodes.map(({ depth }) => depth)),
    },
    retailers: { total: retailers(days).length },
    brands: { total: brands(days).length },
    observations: { total: new Set(days.map(({ listing, day }) => `${listingKey(listing)} ${day}`)).size },
  }
}
