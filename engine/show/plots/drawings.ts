import type { availability } from '../../queries/analyst/availability.ts'
import type { categorySummary } from '../../queries/analyst/category-summary.ts'
import type { inflation } from '../../queries/analyst/inflation.ts'
import type { officialComparison } from '../../queries/analyst/official-comparison.ts'
import type { priceDispersion } from '../../queries/analyst/price-dispersion.ts'
import type { priceIndex } from '../../queries/analyst/price-index.ts'
import type { priceLeadership } from '../../queries/analyst/price-leadership.ts'
import type { priceSetting } from '../../queries/analyst/price-setting.ts'
import type { retailerIndex } from '../../queries/analyst/retailer-index.ts'
import type { retailerLevels } from '../../queries/analyst/retailer-levels.ts'
import type { shrinkflation } from '../../queries/analyst/shrinkflation.ts'
import type { assortment } from '../../queries/marketing/assortment.ts'
import type { brandBreakdown } from '../../queries/marketing/brand-breakdown.ts'
import type { brandTracker } from '../../queries/marketing/brand-tracker.ts'
import type { competitiveLandscape } from '../../queries/marketing/competitive-landscape.ts'
import type { pricePositioning } from '../../queries/marketing/price-positioning.ts'
import type { promoCalendar } from '../../queries/marketing/promo-calendar.ts'
import type { promoIntelligence } from '../../queries/marketing/promo-intelligence.ts'
import type { promotionReality } from '../../queries/marketing/promotion-reality.ts'
import type { shareOfShelf } from '../../queries/marketing/share-of-shelf.ts'
import type { brands } from '../../queries/public/brands.ts'
import type { categories } from '../../queries/public/categories.ts'
import type { coverage } from '../../queries/public/coverage.ts'
import type { retailers } from '../../queries/public/retailers.ts'
import type { Answer, AnyQuery } from '../../queries/query.ts'
import type { basket } from '../../queries/shopper/basket.ts'
import type { bestPrice } from '../../queries/shopper/best-price.ts'
import type { changes } from '../../queries/shopper/changes.ts'
import type { dealFinder } from '../../queries/shopper/deal-finder.ts'
import type { priceDropAlert } from '../../queries/shopper/price-drop-alert.ts'
import type { priceHistory } from '../../queries/shopper/price-history.ts'
import type { priceReality } from '../../queries/shopper/price-reality.ts'
import type { brandMomentum } from '../../queries/social/brand-momentum.ts'
import type { topicTrends } from '../../queries/social/topic-trends.ts'
import { changePlots } from './changes.ts'
import { comparisonDrawings } from './comparison.ts'
import { dispersionPlots } from './dispersion.ts'
import { type Drawing, drawn } from './draw.ts'
import { inflationPlots } from './inflation.ts'
import { levels } from './levels.ts'
import { officialComparisonPlots } from './official-comparison.ts'
import { overlaidSeries } from './overlay.ts'
import type { Plot, QuotedAnswer } from './plot.ts'
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

/** Queries are named by their ids, for their types alone: the thread that draws loads neither them nor what they compute with. */
const plotted = <Q extends AnyQuery>(id: string, drawings: (answer: Answer<Q>) => readonly Drawing[]): DrawingEntry => [
  id,
  drawings,
]

/** What is drawn of the answers of each query that has a plot; `unplotted.ts` has the others. */
const drawingsById: ReadonlyMap<string, DrawingEntry[1]> = new Map([
  plotted<typeof categories>('public/categories', categoryPlots),
  plotted<typeof retailers>('public/retailers', retailerPlots),
  plotted<typeof brands>('public/brands', brandPlots),
  plotted<typeof coverage>('public/coverage', coveragePlots),
  plotted<typeof bestPrice>('shopper/best-price', offerPlots),
  plotted<typeof dealFinder>('shopper/deal-finder', dealPlots),
  plotted<typeof priceDropAlert>('shopper/price-drop-alert', priceDropPlots),
  plotted<typeof priceHistory>('shopper/price-history', priceHistoryPlots),
  plotted<typeof priceReality>('shopper/price-reality', priceRealityPlots),
  plotted<typeof basket>('shopper/basket', basketPlots),
  plotted<typeof changes>('shopper/changes', changePlots),
  plotted<typeof shareOfShelf>('marketing/share-of-shelf', shelfPlots),
  plotted<typeof brandTracker>('marketing/brand-tracker', (answer) => levels(answer, answer.window.granularity)),
  plotted<typeof promoIntelligence>('marketing/promo-intelligence', promotionPlots),
  plotted<typeof promotionReality>('marketing/promotion-reality', promotionRealityPlots),
  plotted<typeof promoCalendar>('marketing/promo-calendar', promoCalendarPlots),
  plotted<typeof brandBreakdown>('marketing/brand-breakdown', breakdownPlots),
  plotted<typeof competitiveLandscape>('marketing/competitive-landscape', landscapePlots),
  plotted<typeof pricePositioning>('marketing/price-positioning', positioningPlots),
  plotted<typeof assortment>('marketing/assortment', assortmentPlots),
  plotted<typeof inflation>('analyst/inflation', inflationPlots),
  plotted<typeof priceDispersion>('analyst/price-dispersion', dispersionPlots),
  plotted<typeof categorySummary>('analyst/category-summary', summaryPlots),
  plotted<typeof retailerIndex>('analyst/retailer-index', retailerIndexPlots),
  plotted<typeof priceIndex>('analyst/price-index', priceIndexPlots),
  plotted<typeof officialComparison>('analyst/official-comparison', officialComparisonPlots),
  plotted<typeof priceSetting>('analyst/price-setting', priceSettingPlots),
  plotted<typeof availability>('analyst/availability', availabilityPlots),
  plotted<typeof priceLeadership>('analyst/price-leadership', priceLeadershipPlots),
  plotted<typeof shrinkflation>('analyst/shrinkflation', shrinkflationPlots),
  plotted<typeof retailerLevels>('analyst/retailer-levels', retailerLevelPlots),
  plotted<typeof brandMomentum>('social/brand-momentum', momentumPlots),
  plotted<typeof topicTrends>('social/topic-trends', topicPlots),
])

const drawingsOf = (id: string, answer: unknown): readonly Drawing[] => drawingsById.get(id)?.(answer as never) ?? []

/** Draws the plots that compare answers of a query. */
export const drawComparison = (id: string, compared: readonly QuotedAnswer[]): Plot[] =>
  [
    ...overlaidSeries(compared.map(({ name, answer }) => ({ name, drawings: drawingsOf(id, answer) }))),
    ...comparisonDrawings(compared),
  ].map(drawn)

/** Draws the plots of an answer of a query. */
export const draw = (id: string, answer: unknown): Plot[] => drawingsOf(id, answer).map(drawn)
