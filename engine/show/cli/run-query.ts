import { writeFile } from 'node:fs/promises'
import { EngineError } from '../../contract/errors.ts'
import { type AnyQuery, queryId } from '../../queries/query.ts'
import type { Engine } from '../../query/engine.ts'
import { plotsOf, svgFile } from '../plots/index.ts'
import { requireTarget, writeAtomically } from '../standalone/files.ts'
import { snapshotFiles } from '../standalone/read-rows.ts'
import { definitionsOf } from '../standalone/script.ts'
import { counted } from '../text.ts'
import { answerPage } from './answer-page.ts'
import { asOfHint } from './as-of-hint.ts'
import type { EachCommand, QueryCommand } from './command.ts'
import { runEach } from './each.ts'
import { explanation, explanationPage } from './explanation.ts'
import { openEngine } from './open.ts'
import type { Refused } from './refusal.ts'
import { shortPage } from './short-page.ts'
import { mainTable } from './table.ts'
import { writeTable } from './table-output.ts'
import { jsonLine, linesOf, styleOf, type Terminal } from './terminal.ts'

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
const writeSvg = async (file: string, query: AnyQuery, answer: object, { stderr }: Terminal): Promise<void> => {
  const plots = await plotsOf(query, answer)
  if (plots.length === 0)
    throw new EngineError('NO_RESULTS', `svg: the answer of ${queryId(query)} has too few values for a plot`, {
      newest_observed_at: null,
    })
  await writeAtomically(file, (path) => writeFile(path, svgFile(plots, sourceLine(query, answer))))
  stderr.write(`${file}: ${counted(plots.length, 'plot')}\n`)
}

const explain = async (engine: Engine, { query, params, output, lake }: QueryCommand, { stdout }: Terminal) => {
  const plan = await engine.plan(query, params)
  const { statements, is_from_memory } = await engine.execution(plan)
  const explained = explanation(query, plan, {
    statements,
    definitions: definitionsOf(statements, snapshotFiles(engine, lake)),
    profiles: is_from_memory ? null : await engine.explain(plan),
  })
  const isPage = 'format' in output && output.format === 'page'
  stdout.write(isPage ? linesOf(explanationPage(explained, stdout.columns, styleOf(stdout))) : jsonLine(explained))
}

const answer = async (
  engine: Engine,
  { query, params, output, svg, lake, is_all }: QueryCommand,
  terminal: Terminal,
) => {
  const { stdout } = terminal
  if ('parquet' in output) requireTarget('parquet', output.parquet, lake)
  if (svg !== undefined) requireTarget('svg', svg, lake)
  const answered = (await engine.run(await engine.plan(query, params))) as Record<string, unknown>
  if (svg !== undefined) return writeSvg(svg, query, answered, terminal)
  if (!('format' in output)) return writeTable(mainTable(query, answered), output, terminal)
  const { format } = output
  const page = is_all ? answerPage : shortPage
  if (format === 'page') stdout.write(linesOf(page(query, answered, stdout.columns, styleOf(stdout))))
  else if (format === 'json') stdout.write(jsonLine(answered))
  else await writeTable(mainTable(query, answered), { format }, terminal)
}

/**
 * Writes the answer or explanation of a query, or the answers for each value of a parameter. Returns the exit code, or the
 * refusal of a query; throws if the lake cannot be opened.
 */
export const runQuery = async (command: QueryCommand | EachCommand, terminal: Terminal): Promise<number | Refused> => {
  const { lake, as_of } = command
  const engine = await openEngine(lake, as_of, terminal.stderr)
  try {
    if (command.kind === 'each') return await runEach(engine, command, terminal)
    await (command.explain ? explain : answer)(engine, command, terminal)
    return 0
  } catch (error) {
    return { error, hint: command.kind === 'each' ? null : await asOfHint(error, engine, command) }
  } finally {
    engine.close()
  }
}
