import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { resolveScope, type ScopeParams } from '../catalog/scope.ts'
import { resolveWindow } from '../contract/window.ts'
import { WINDOW_MONTHS } from '../statistics/price-index.ts'
import { lastMonths } from './last-months.ts'

const MAX_MONTHS = 37

/** The parameter of the months of an index. */
export const months = z
  .int()
  .min(2)
  .max(MAX_MONTHS)
  .default(WINDOW_MONTHS)
  .meta({ description: 'The last so many complete calendar months.', unit: 'count' })

/** Resolves the scope and the months of an index, without the time of its newest observation. */
export const resolveIndexMonths = async (
  { months, ...params }: ScopeParams & { months: number },
  contributions_by: string,
  catalog: Catalog,
) => {
  const { as_of } = catalog
  const { window, periods, judged_before } = resolveWindow(lastMonths(months, as_of), 'monthly', as_of)
  const scope = await resolveScope(params, catalog, judged_before)
  const { unit: _, ...days } = periods
  const window_from = Math.max(0, months - WINDOW_MONTHS)
  return {
    scope,
    context: { echo: scope.echo, resolved: scope.resolved, window, periods, months },
    bindings: { ...scope.bindings, brand_id: null, ...days, window_from, contributions_by },
  }
}

/** The first day of a month of a window, from 0. */
export const dayOfMonth = ({ from }: { from: string }, month: number): string =>
  new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1 + month)).toISOString().slice(0, 10)
