import { writeFile } from 'node:fs/promises'
import { EngineError } from '../../contract/errors.ts'
import { type AnyQuery, queryId } from '../../queries/query.ts'
import { plotsOf, svgFile } from '../plots/index.ts'
import { writeAtomically } from '../standalone/files.ts'
import type { Terminal } from './terminal.ts'

type AnswerMeta = { snapshot_id: string; price_observed_at_max?: string | null }

/** What the plots are of: the query, the snapshot, and the day of the newest price. */
const sourceLine = (query: AnyQuery, { meta }: { meta?: AnswerMeta }): string =>
  [
    `Shelfmark, ${queryId(query)}`,
    ...(meta ? [`snapshot ${meta.snapshot_id}`] : []),
    ...(meta?.price_observed_at_max ? [`prices through ${meta.price_observed_at_max.slice(0, 10)}`] : []),
  ].join('; ')

/**
 * Draws the plots of an answer to a file, with a line about it on standard error. Throws NO_RESULTS if the answer has too
 * few values for a plot; then nothing is written.
 */
export const writeSvg = async (file: string, query: AnyQuery, answer: object, { stderr }: Terminal): Promise<void> => {
  const plots = await plotsOf(query, answer)
  if (plots.length === 0)
    throw new EngineError('NO_RESULTS', `svg: the answer of ${queryId(query)} has too few values for a plot`, {
      newest_observed_at: null,
    })
  await writeAtomically(file, (path) => writeFile(path, svgFile(plots, sourceLine(query, answer))))
  stderr.write(`${file}: ${plots.length} ${plots.length === 1 ? 'plot' : 'plots'}\n`)
}
