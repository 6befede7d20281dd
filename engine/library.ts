/**
 * The package's entry: the engine, every query under its name in camel case, and the types of parameters and answers.
 *
 * @example
 * import { Engine, EngineError, inflation, shareOfShelf } from 'shelfmark'
 *
 * const engine = await Engine.open('data/lake')
 * try {
 *   const { lfl_change_pct } = await engine.ask(inflation, { category: 'coffee', time_window: 'previous_month' })
 *   const { brands } = await engine.ask(shareOfShelf, { category: 'coffee' })
 *   console.log(lfl_change_pct, brands[0]?.brand, brands[0]?.share_pct)
 * } catch (error) {
 *   if (!(error instanceof EngineError) || error.code !== 'INVALID_PARAMS') throw error
 *   console.log(error.message, error.details.alternates)
 * } finally {
 *   engine.close()
 * }
 */
import './duckdb.ts'

export type { CoverageCell } from './catalog/catalog.ts'
export type { Definition } from './definition.ts'
export { type AskOptions, Engine, type EngineOptions, findQuery, type PlanOptions } from './engine.ts'
export { EngineError, type ErrorCode, type ErrorDetails } from './errors.ts'
export { type Unit, units } from './field.ts'
export type { Manifest } from './manifest.ts'
export { readParams } from './params.ts'
export { type KeyEntry, type Plot, type PlotColour, plotsOf, svgFile } from './plots/index.ts'
export type { RunOptions } from './pool.ts'
export { categorySummary } from './queries/analyst/category-summary.ts'
export { inflation } from './queries/analyst/inflation.ts'
export { priceDispersion } from './queries/analyst/price-dispersion.ts'
export { retailerIndex } from './queries/analyst/retailer-index.ts'
export { queries } from './queries/index.ts'
export { brandBreakdown } from './queries/marketing/brand-breakdown.ts'
export { brandTracker } from './queries/marketing/brand-tracker.ts'
export { competitiveLandscape } from './queries/marketing/competitive-landscape.ts'
export { pricePositioning } from './queries/marketing/price-positioning.ts'
export { promoIntelligence } from './queries/marketing/promo-intelligence.ts'
export { shareOfShelf } from './queries/marketing/share-of-shelf.ts'
export { brands } from './queries/public/brands.ts'
export { categories } from './queries/public/categories.ts'
export { coverage } from './queries/public/coverage.ts'
export { retailers } from './queries/public/retailers.ts'
export { stats } from './queries/public/stats.ts'
export { brickAttributes } from './queries/reference/brick-attributes.ts'
export { classify } from './queries/reference/classify.ts'
export { reverse } from './queries/reference/reverse.ts'
export { bestPrice } from './queries/shopper/best-price.ts'
export { dealFinder } from './queries/shopper/deal-finder.ts'
export { priceDropAlert } from './queries/shopper/price-drop-alert.ts'
export { priceHistory } from './queries/shopper/price-history.ts'
export { brandMomentum } from './queries/social/brand-momentum.ts'
export { topicTrends } from './queries/social/topic-trends.ts'
export { type Answer, type AnyQuery, type Group, groups, type Params, type Plan, type Query, queryId } from './query.ts'
export type { Served } from './serving.ts'
export { type AnswerField, answerFields } from './show/answer-fields.ts'
