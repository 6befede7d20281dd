import { availability } from '../../queries/analyst/availability.ts'
import { categorySummary } from '../../queries/analyst/category-summary.ts'
import { inflation } from '../../queries/analyst/inflation.ts'
import { officialComparison } from '../../queries/analyst/official-comparison.ts'
import { priceDispersion } from '../../queries/analyst/price-dispersion.ts'
import { priceIndex } from '../../queries/analyst/price-index.ts'
import { priceLeadership } from '../../queries/analyst/price-leadership.ts'
import { priceSetting } from '../../queries/analyst/price-setting.ts'
import { retailerIndex } from '../../queries/analyst/retailer-index.ts'
import { retailerLevels } from '../../queries/analyst/retailer-levels.ts'
import { shrinkflation } from '../../queries/analyst/shrinkflation.ts'
import { assortment } from '../../queries/marketing/assortment.ts'
import { brandBreakdown } from '../../queries/marketing/brand-breakdown.ts'
import { brandTracker } from '../../queries/marketing/brand-tracker.ts'
import { competitiveLandscape } from '../../queries/marketing/competitive-landscape.ts'
import { pricePositioning } from '../../queries/marketing/price-positioning.ts'
import { promoCalendar } from '../../queries/marketing/promo-calendar.ts'
import { promoIntelligence } from '../../queries/marketing/promo-intelligence.ts'
import { promotionReality } from '../../queries/marketing/promotion-reality.ts'
import { shareOfShelf } from '../../queries/marketing/share-of-shelf.ts'
import { brands } from '../../queries/public/brands.ts'
import { categories } from '../../queries/public/categories.ts'
import { coverage } from '../../queries/public/coverage.ts'
import { retailers } from '../../queries/public/retailers.ts'
import { type Answer, type AnyQuery, queryId } from '../../queries/query.ts'
import { basket } from '../../queries/shopper/basket.ts'
import { bestPrice } from '../../queries/shopper/best-price.ts'
import { changes } from '../../queries/shopper/changes.ts'
import { dealFinder } from '../../queries/shopper/deal-finder.ts'
import { priceDropAlert } from '../../queries/shopper/price-drop-alert.ts'
import { priceHistory } from '../../queries/shopper/price-history.ts'
import { priceReality } from '../../queries/shopper/price-reality.ts'
import { brandMomentum } from '../../queries/social/brand-momentum.ts'
import { topicTrends } from '../../queries/social/topic-trends.ts'
import { changePlots } from './changes.ts'
import { comparisonDrawings } from './comparison.ts'
import { dispersionPlots } from './dispersion.ts'
import { type Drawing, drawn } from './draw.ts'
import { inflationPlots } from './inflation.ts'
import { levels } from './levels.ts'
import { officialComparisonPlots } from './official-comparison.ts'
import { overlaidSeries } from './overlay.ts'
import type { ComparedAnswer, Plot } from './plot.ts'
import { positioningPlots } from './positioning.ts'
import { priceHistoryPlots } from './price-history.ts'
import { priceIndexPlots } from './price-index.ts'
import { priceSettingPlots } from './price-setting.ts'
import { promoCalendarPlots } from './promo-calendar.ts'
import { brandPlots, categoryPlots, coveragePlots, retailerPlots } from './public.ts'
import { priceRealityPlots, promotionRealityPlots } from './reality.ts'
import { retailerIndexPlots } from './retailer-index.ts'
import { assortmentPlots, priceLeadershipPlots, retailerLevelPlots } from './shared-products.ts'
import { availabilityPlots, breakdownPlots, promotionPlots, shelfPlots, summaryPlots } from './shares.ts'
import { basketPlots, dealPlots, landscapePlots, offerPlots, priceDropPlots } from './shopper.ts'
import { shrinkflationPlots } from './shrinkflation.ts'
import { momentumPlots, topicPlots } from './social.ts'

type DrawingEntry = readonly [id: string, drawings: (answer: never) => readonly Drawing[]]

const plotted = <Q extends AnyQuery>(query: Q, drawings: (answer: Answer<Q>) => readonly Drawing[]): DrawingEntry => [
  queryId(query),
  drawings,
]

/** What is drawn of the answers of each query that has a plot; `unplotted.ts` has the others. */
const drawingsById: ReadonlyMap<string, DrawingEntry[1]> = new Map([
  plotted(categories, categoryPlots),
  plotted(retailers, retailerPlots),
  plotted(brands, brandPlots),
  plotted(coverage, coveragePlots),
  plotted(bestPrice, offerPlots),
  plotted(dealFinder, dealPlots),
  plotted(priceDropAlert, priceDropPlots),
  plotted(priceHistory, priceHistoryPlots),
  plotted(priceReality, priceRealityPlots),
  plotted(basket, basketPlots),
  plotted(changes, changePlots),
  plotted(shareOfShelf, shelfPlots),
  plotted(brandTracker, (answer) => levels(answer, answer.window.granularity)),
  plotted(promoIntelligence, promotionPlots),
  plotted(promotionReality, promotionRealityPlots),
  plotted(promoCalendar, promoCalendarPlots),
  plotted(brandBreakdown, breakdownPlots),
  plotted(competitiveLandscape, landscapePlots),
  plotted(pricePositioning, positioningPlots),
  plotted(assortment, assortmentPlots),
  plotted(inflation, inflationPlots),
  plotted(priceDispersion, dispersionPlots),
  plotted(categorySummary, summaryPlots),
  plotted(retailerIndex, retailerIndexPlots),
  plotted(priceIndex, priceIndexPlots),
  plotted(officialComparison, officialComparisonPlots),
  plotted(priceSetting, priceSettingPlots),
  plotted(availability, availabilityPlots),
  plotted(priceLeadership, priceLeadershipPlots),
  plotted(shrinkflation, shrinkflationPlots),
  plotted(retailerLevels, retailerLevelPlots),
  plotted(brandMomentum, momentumPlots),
  plotted(topicTrends, topicPlots),
])

const drawingsOf = (query: AnyQuery, answer: unknown): readonly Drawing[] =>
  drawingsById.get(queryId(query))?.(answer as never) ?? []

/** Draws the plots that compare answers of a query. */
export const drawComparison = (query: AnyQuery, compared: readonly ComparedAnswer[]): Plot[] =>
  [
    ...overlaidSeries(compared.map(({ name, answer }) => ({ name, drawings: drawingsOf(query, answer) }))),
    ...comparisonDrawings(query, compared),
  ].map(drawn)

/** Draws the plots of an answer. */
export const draw = (query: AnyQuery, answer: unknown): Plot[] => drawingsOf(query, answer).map(drawn)
