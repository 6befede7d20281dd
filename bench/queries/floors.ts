import type { Floor } from './floor.ts'
import { assortment } from './floors-assortment.ts'
import { basket } from './floors-basket.ts'
import { priceReality, promotionReality } from './floors-claims.ts'
import { coverage } from './floors-coverage.ts'
import { brandBreakdown, categorySummary, priceDispersion, pricePositioning, shareOfShelf } from './floors-current.ts'
import { availability, changes, promoCalendar } from './floors-days.ts'
import { officialComparison, priceIndex } from './floors-index.ts'
import { inflation } from './floors-inflation.ts'
import { priceLeadership } from './floors-leads.ts'
import { retailerLevels } from './floors-levels.ts'
import { competitiveLandscape, dealFinder } from './floors-listed.ts'
import { bestPrice, priceDropAlert, priceHistory } from './floors-product.ts'
import { brandTracker, promoIntelligence, retailerIndex } from './floors-series.ts'
import { priceSetting } from './floors-setting.ts'
import { shrinkflation } from './floors-sizes.ts'

/** The floor of each query over prices. */
export const floors: Record<string, Floor> = {
  'public/coverage': coverage,
  'shopper/best-price': bestPrice,
  'shopper/basket': basket,
  'shopper/changes': changes,
  'shopper/deal-finder': dealFinder,
  'shopper/price-drop-alert': priceDropAlert,
  'shopper/price-history': priceHistory,
  'shopper/price-reality': priceReality,
  'marketing/share-of-shelf': shareOfShelf,
  'marketing/brand-tracker': brandTracker,
  'marketing/promo-intelligence': promoIntelligence,
  'marketing/assortment': assortment,
  'marketing/promo-calendar': promoCalendar,
  'marketing/promotion-reality': promotionReality,
  'marketing/brand-breakdown': brandBreakdown,
  'marketing/competitive-landscape': competitiveLandscape,
  'marketing/price-positioning': pricePositioning,
  'analyst/inflation': inflation,
  'analyst/price-dispersion': priceDispersion,
  'analyst/category-summary': categorySummary,
  'analyst/availability': availability,
  'analyst/price-leadership': priceLeadership,
  'analyst/retailer-levels': retailerLevels,
  'analyst/retailer-index': retailerIndex,
  'analyst/price-index': priceIndex,
  'analyst/official-comparison': officialComparison,
  'analyst/price-setting': priceSetting,
  'analyst/shrinkflation': shrinkflation,
}
