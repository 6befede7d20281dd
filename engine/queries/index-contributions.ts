import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { subCategoryOf } from '../catalog/sub-category.ts'
import { field } from '../contract/field.ts'
import { percent } from '../contract/round.ts'
import { pointsOf, roundedParts } from '../statistics/contributions.ts'

export const MAX_CONTRIBUTIONS = 25

export const contributors = ['category', 'retailer', 'brand'] as const
export type Contributor = (typeof contributors)[number]

export const contribution = z.object({
  contributor: field
    .text('Path of the sub-category, platform key of the retailer, or brand; null: no brand.')
    .nullable(),
  contribution_pp: field.points('What its listings add to window_change_pct.'),
})

/** What a group is called. */
export const nameOf = (by: Contributor, id: number, scope: string, catalog: Catalog): string | null => {
  if (by === 'brand') return catalog.brandsById.get(id)?.brand ?? null
  if (by === 'retailer') return catalog.platforms.get(id)!
  return subCategoryOf(id, scope, catalog)
}

/** The contributions of groups to a change, which add up to it when rounded: the largest and the rest. */
export const contributionsOf = (logs: ReadonlyMap<string | null, number>, log: number) => {
  const ranked = [...logs].sort(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || (String(a) < String(b) ? -1 : 1))
  const listed = ranked.slice(0, MAX_CONTRIBUTIONS)
  const rest = ranked.slice(MAX_CONTRIBUTIONS).reduce((sum, [, part]) => sum + part, 0)
  const window_change_pct = percent(100 * Math.expm1(log))
  const points = roundedParts(pointsOf([...listed.map(([, part]) => part), rest], log), window_change_pct)
  return {
    window_change_pct,
    contributions: listed.map(([contributor], i) => ({ contributor, contribution_pp: points[i]! })),
    other_contribution_pp: points[listed.length]!,
  }
}
