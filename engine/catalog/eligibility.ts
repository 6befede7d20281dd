import { EngineError } from '../contract/errors.ts'
import { currentDays } from '../contract/window.ts'
import type { Catalog, CoverageCell } from './catalog.ts'
import type { ObservedScope } from './observed.ts'

/** The department in which a retailer must serve, and the day before which it is judged, by default that of as_of. */
export type Eligibility = { department?: string | null; judged_before?: string | undefined }

const describeQuality = (quality: CoverageCell['quality_status'] | null, isPast: boolean): string => {
  if (quality === null) return isPast ? 'had no shelf' : 'has no shelf'
  return `${isPast ? 'was' : 'is'} ${quality}`
}

/**
 * The id of a retailer that serves the country of a scope, and the department if given; null without a retailer. Throws
 * RETAILER_NOT_SERVING_ELIGIBLE with its quality status (null if unknown), the retailers that serve, and the time at which
 * the retailer was last observed in the scope; for an unknown retailer, the scope itself.
 */
export const eligibleRetailer = async (
  platform: string | undefined,
  scope: ObservedScope,
  { department = null, judged_before }: Eligibility,
  catalog: Catalog,
): Promise<number | null> => {
  if (platform === undefined) return null
  const today = currentDays(catalog.as_of, 0).before
  const day = judged_before ?? today
  const shelves = (await catalog.qualityBefore(day)).filter(
    ({ country, category_root }) => country === scope.country && (department === null || category_root === department),
  )
  const shelvesOfRetailer = shelves.filter((shelf) => shelf.platform === platform)
  const retailer = catalog.retailers.get(platform)
  if (retailer && shelvesOfRetailer.some((shelf) => shelf.is_serving_eligible)) return retailer.retailer_id

  const eligible = new Set(shelves.filter((shelf) => shelf.is_serving_eligible).map((shelf) => shelf.platform))
  const quality_status =
    (shelvesOfRetailer.find((shelf) => shelf.quality_status === 'thin') ?? shelvesOfRetailer[0])?.quality_status ?? null
  const reason = retailer ? describeQuality(quality_status, day !== today) : 'is unknown'
  const where = `${department ? `${department}, ` : ''}country ${scope.country}`
  const when = retailer && day !== today ? ` at the end of the window (${day})` : ''
  throw new EngineError('RETAILER_NOT_SERVING_ELIGIBLE', `retailer: "${platform}" ${reason} in ${where}${when}`, {
    retailer: platform,
    quality_status,
    serving_eligible_retailers: [...eligible].sort(),
    newest_observed_at: await catalog.newestObserved({ ...scope, retailer_id: retailer?.retailer_id ?? null }),
  })
}
