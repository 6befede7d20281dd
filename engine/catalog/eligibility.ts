import { EngineError } from '../errors.ts'
import type { Catalog, CoverageCell } from './catalog.ts'
import type { ObservedScope } from './observed.ts'
import { currentDays } from './window.ts'

/** Where and when a retailer is to serve: by the day before `judged_before`, default as_of. */
export type Eligibility = { department?: string | null; judged_before?: string | undefined }

const standing = (quality: CoverageCell['quality_status'] | null, isPast: boolean): string => {
  if (quality === null) return isPast ? 'had no shelf' : 'has no shelf'
  return `${isPast ? 'was' : 'is'} ${quality}`
}

/**
 * The id of a retailer that serves the country of a scope, and the department where one is given; null without a
 * retailer. Throws RETAILER_NOT_SERVING_ELIGIBLE with its quality status (null for an unknown one), the retailers that
 * serve, and when it was last observed in the scope; for an unknown one, when the scope was.
 */
export const eligibleRetailer = (
  platform: string | undefined,
  scope: ObservedScope,
  { department = null, judged_before }: Eligibility,
  catalog: Catalog,
): number | null => {
  if (platform === undefined) return null
  const now = currentDays(catalog.as_of, 0).before
  const day = judged_before ?? now
  const shelves = catalog
    .qualityBefore(day)
    .filter(
      ({ country, category_root }) =>
        country === scope.country && (department === null || category_root === department),
    )
  const own = shelves.filter((shelf) => shelf.platform === platform)
  const retailer = catalog.retailers.get(platform)
  if (retailer && own.some((shelf) => shelf.is_serving_eligible)) return retailer.retailer_id

  const eligible = new Set(shelves.filter((shelf) => shelf.is_serving_eligible).map((shelf) => shelf.platform))
  const quality_status = (own.find((shelf) => shelf.quality_status === 'thin') ?? own[0])?.quality_status ?? null
  const reason = retailer ? standing(quality_status, day !== now) : 'is unknown'
  const where = `${department ? `${department}, ` : ''}country ${scope.country}`
  const when = retailer && day !== now ? ` at the end of the window (${day})` : ''
  throw new EngineError('RETAILER_NOT_SERVING_ELIGIBLE', `retailer: "${platform}" ${reason} in ${where}${when}`, {
    retailer: platform,
    quality_status,
    serving_eligible_retailers: [...eligible].sort(),
    newest_observed_at: catalog.newestObserved({ ...scope, retailer_id: retailer?.retailer_id ?? null }),
  })
}
