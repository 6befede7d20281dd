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
export * from './queries/index.ts'
export { type Answer, type AnyQuery, type Group, groups, type Params, type Plan, type Query, queryId } from './query.ts'
export type { Served } from './serving.ts'
export { type AnswerField, answerFields } from './show/answer-fields.ts'
