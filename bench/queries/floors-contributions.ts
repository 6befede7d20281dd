import { roundedParts } from '../../engine/statistics/contributions.ts'
import { tailOf } from '../trim.ts'
import { countsOf } from './counts.ts'
import type { Pairs } from './floors-inflation.ts'
import type { Files, Values } from './sql.ts'

/** Categories and brands that are listed; all others are added up. */
const LISTED = 20

type PartName = { id: number; name: string }
export type PartNames = { categories: PartName[]; brands: (PartName & { key: string })[]; retailers: PartName[] }

/** The names of categories, brands and retailers. */
export const namesOf = (files: Files): string =>
  `SELECT (SELECT list({id: category_id, name: path}) FROM ${files.categories}) AS categories,
     (SELECT list({id: brand_id, name: brand, key: brand_norm}) FROM ${files.brands}) AS brands,
     (SELECT list({id: retailer_id, name: platform}) FROM ${files.retailers}) AS retailers`

/** The same pairs by category and brand, -1 for none. */
export type Parts = { category_id: number[]; brand_id: number[]; log: number[]; n: number[] }

/** The path of the resolved category. */
export const scopeOf = (values: Values): string =>
  (values as unknown as { resolved: { category_path: string } }).resolved.category_path

/** The share of the pairs of each log that is left between the tails. */
const keptShares = (log: readonly number[], n: readonly number[]) => {
  const all = countsOf(log, n)
  const [from, to] = [tailOf(all.n), all.n - tailOf(all.n)]
  const shares = new Map<number, number>()
  for (const [i, value] of all.values.entries()) {
    const count = all.countOf(i)
    const start = all.upTo[i]! - count
    shares.set(value, Math.max(0, Math.min(start + count, to) - Math.max(start, from)) / count)
  }
  return { shares, kept: to - from }
}

type SummedPart<T> = { of: T; matched: number; sum: number }

/** What the parts of the pairs add, with the same names and in the same order as in the answer. */
export const contributions = (pairs: Pairs, parts: Parts, names: PartNames, scope: string) => {
  const { shares, kept } = keptShares(pairs.log, pairs.n)
  const grouped = <T>({ log, n }: Pick<Pairs, 'log' | 'n'>, keyOf: (i: number) => T): SummedPart<T>[] => {
    const groups = new Map<T, SummedPart<T>>()
    for (let i = 0; i < n.length; i++) {
      const of = keyOf(i)
      const group = groups.get(of) ?? { of, matched: 0, sum: 0 }
      group.matched += n[i]!
      group.sum += log[i]! * n[i]! * shares.get(log[i]!)!
      groups.set(of, group)
    }
    return [...groups.values()]
  }
  const listedOf = <T>(groups: readonly SummedPart<T>[], limit = groups.length) => {
    const mean = groups.reduce((total, { sum }) => total + sum, 0) / kept / 1e12
    const total = 100 * Math.expm1(mean)
    const points = groups.map(({ sum }) => (sum / kept / 1e12) * (mean === 0 ? 100 : total / mean))
    const largest = points.map((_, i) => i).sort((a, b) => Math.abs(points[b]!) - Math.abs(points[a]!) || a - b)
    const listed = largest.slice(0, limit).sort((a, b) => a - b)
    const rest = largest.slice(limit).map((i) => points[i]!)
    const sums = [...listed.map((i) => points[i]!), ...(rest.length === 0 ? [] : [rest.reduce((a, b) => a + b)])]
    const rounded = roundedParts(sums, total)
    return {
      rows: listed
        .map((i, place) => ({ of: groups[i]!.of, matched: groups[i]!.matched, contribution_pp: rounded[place]! }))
        .sort((a, b) => Math.abs(b.contribution_pp) - Math.abs(a.contribution_pp)),
      others: rest.length === 0 ? 0 : rounded.at(-1)!,
    }
  }
  const inOrder = <T>(groups: SummedPart<T>[]): SummedPart<T>[] =>
    groups.sort((a, b) => (String(a.of) < String(b.of) ? -1 : 1))
  const paths = new Map(
    names.categories.map(({ id, name }) => [
      id,
      name.startsWith(`${scope}/`)
        ? name
            .split('/')
            .slice(0, scope.split('/').length + 1)
            .join('/')
        : name,
    ]),
  )
  const brands = new Map(names.brands.map((brand) => [brand.id, brand]))
  const labels = new Map(names.brands.map(({ key, name }) => [key, name]))
  const platforms = new Map(names.retailers.map(({ id, name }) => [id, name]))
  const retailers = listedOf(grouped(pairs, (i) => pairs.retailer_id[i]!).sort((a, b) => a.of - b.of))
  const byCategory = listedOf(inOrder(grouped(parts, (i) => paths.get(parts.category_id[i]!)!)), LISTED)
  const byBrand = listedOf(inOrder(grouped(parts, (i) => brands.get(parts.brand_id[i]!)?.key ?? null)), LISTED)
  return {
    lfl_contributions: retailers.rows.map(({ of, ...part }) => ({ retailer: platforms.get(of)!, ...part })),
    lfl_categories: byCategory.rows.map(({ of, ...part }) => ({ category: of, ...part })),
    lfl_other_categories_pp: byCategory.others,
    lfl_brands: byBrand.rows.map(({ of, ...part }) => ({ brand: of === null ? null : labels.get(of)!, ...part })),
    lfl_other_brands_pp: byBrand.others,
  }
}
