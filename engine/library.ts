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
export type { CoverageCell } from './catalog/catalog.ts'
export type { Definition } from './contract/definition.ts'
export { EngineError, type ErrorCode, type ErrorDetails } from './contract/errors.ts'
export { type Unit, units } from './contract/field.ts'
export { readParams } from './contract/params.ts'
export type { RunOptions } from './duckdb/pool.ts'
export type { Manifest } from './lake/manifest.ts'
export * from './queries/index.ts'
export {
  type Answer,
  type AnyQuery,
  type Group,
  groups,
  type Params,
  type Plan,
  type Query,
  queryId,
} from './queries/query.ts'
export { type AskOptions, Engine, type EngineOptions, type PlanOptions } from './query/engine.ts'
export { findQuery } from './query/plan-query.ts'
export type { Served } from './query/serving.ts'
export { type AnswerField, answerFields } from './show/answer-fields.ts'
export { type KeyEntry, type Plot, type PlotColour, plotsOf, svgFile } from './show/plots/index.ts'
