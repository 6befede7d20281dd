import { type AnyQuery, queryId } from '../../queries/query.ts'
import type { Plot } from './plot.ts'

export { DrawingThread } from './drawing-thread.ts'
export { svgFile } from './file.ts'
export type { KeyEntry, Plot, PlotColour } from './plot.ts'

/**
 * The plots of an answer, in the order of their importance; none where the query has no plot, or the answer too few values
 * for one. The same answer has the same bytes. Libraries are loaded with the first plot.
 */
export const plotsOf = async (query: AnyQuery, answer: unknown): Promise<readonly Plot[]> =>
  (await import('./drawings.ts')).draw(queryId(query), answer)
