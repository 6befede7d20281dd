import { availability } from './analyst/availability.ts'
import { categorySummary } from './analyst/category-summary.ts'
import { inflation } from './analyst/inflation.ts'
import { officialComparison } from './analyst/official-comparison.ts'
import { priceDispersion } from './analyst/price-dispersion.ts'
import { priceIndex } from './analyst/price-index.ts'
import { priceLeadership } from './analyst/price-leadership.ts'
import { priceSetting } from './analyst/price-setting.ts'
import { retailerIndex } from './analyst/retailer-index.ts'
import { retailerLevels } from './analyst/retailer-levels.ts'
import { shrinkflation } from './analyst/shrinkflation.ts'
import { assortment } from './marketing/assortment.ts'
import { brandBreakdown } from './marketing/brand-breakdown.ts'
import { brandTracker } from './marketing/brand-tracker.ts'
import { competitiveLandscape } from './marketing/competitive-landscape.ts'
import { pricePositioning } from './marketing/price-positioning.ts'
import { promoCalendar } from './marketing/promo-calendar.ts'
import { promoIntelligence } from './marketing/promo-intelligence.ts'
import { promotionReality } from './marketing/promotion-reality.ts'
import { shareOfShelf } from './marketing/share-of-shelf.ts'
import { brands } from './public/brands.ts'
import { categories } from './public/categories.ts'
import { coverage } from './public/coverage.ts'
import { retailers } from './public/retailers.ts'
import { stats } from './public/stats.ts'
import type { AnyQuery } from './query.ts'
import { brickAttributes } from './reference/brick-attributes.ts'
import { classify } from './reference/classify.ts'
import { reverse } from './reference/reverse.ts'
import { basket } from './shopper/basket.ts'
import { bestPrice } from './shopper/best-price.ts'
import { changes } from './shopper/changes.ts'
import { dealFinder } from './shopper/deal-finder.ts'
import { priceDropAlert } from './shopper/price-drop-alert.ts'
import { priceHistory } from './shopper/price-history.ts'
import { priceReality } from './shopper/price-reality.ts'
import { brandMomentum } from './social/brand-momentum.ts'
import { topicTrends } from './social/topic-trends.ts'

export {
  assortment,
  availability,
  basket,
  bestPrice,
  brandBreakdown,
  brandMomentum,
  brands,
  brandTracker,
  brickAttributes,
  categories,
  categorySummary,
  changes,
  classify,
  competitiveLandscape,
  coverage,
  dealFinder,
  inflation,
  officialComparison,
  priceDispersion,
  priceDropAlert,
  priceHistory,
  priceIndex,
  priceLeadership,
  pricePositioning,
  priceReality,
  priceSetting,
  promoCalendar,
  promoIntelligence,
  promotionReality,
  retailerIndex,
  retailerLevels,
  retailers,
  reverse,
  shareOfShelf,
  shrinkflation,
  stats,
  topicTrends,
}

/** Every query, in the specification's order. Routes, commands, the contract document, tests and benches iterate it. */
export const queries: readonly AnyQuery[] = [
  stats,
  categories,
  retailers,
  brands,
  coverage,
  bestPrice,
  dealFinder,
  priceDropAlert,
  priceHistory,
  priceReality,
  basket,
  changes,
  shareOfShelf,
  brandTracker,
  promoIntelligence,
  promotionReality,
  promoCalendar,
  brandBreakdown,
  competitiveLandscape,
  pricePositioning,
  assortment,
  inflation,
  priceDispersion,
  categorySummary,
  retailerIndex,
  priceIndex,
  priceSetting,
  availability,
  priceLeadership,
  shrinkflation,
  officialComparison,
  retailerLevels,
  brandMomentum,
  topicTrends,
  classify,
  reverse,
  brickAttributes,
]
