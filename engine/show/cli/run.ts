import '../../duckdb/duckdb.ts'

import type { Engine } from '../../query/engine.ts'
import { requireTarget } from '../standalone/files.ts'
import { definitionsOf } from '../standalone/script.ts'
import { answerPage } from './answer-page.ts'
import { asOfHint } from './as-of-hint.ts'
import { type EachCommand, type QueryCommand, readCommand } from './command.ts'
import { completionScript, isCompletion } from './completion.ts'
import { runEach } from './each.ts'
import { explanation, explanationPage } from './explanation.ts'
import { helpText } from './help.ts'
import { openEngine } from './open.ts'
import type { Settings } from './options.ts'
import { exitCodeOf, type Hint, refusal, refusalPage } from './refusal.ts'
import { isSql, runSql, snapshotFiles } from './sql/run.ts'
import { writeSvg } from './svg-output.ts'
import { mainTable } from './table.ts'
import { writeTable } from './table-output.ts'
import { styleOf, type Terminal } from './terminal.ts'

const lines = (text: readonly string[]): string => `${text.join('\n')}\n`
const json = (value: unknown): string => `${JSON.stringify(value)}\n`

const explain = async (engine: Engine, { query, params, output, lake }: QueryCommand, { stdout }: Terminal) => {
  const plan = await engine.plan(query, params)
  const { statements, is_from_memory } = await engine.execution(plan)
  const explained = explanation(query, plan, {
    statements,
    definitions: definitionsOf(statements, snapshotFiles(engine, lake)),
    profiles: is_from_memory ? null : await engine.explain(plan),
  })
  const isPage = 'format' in output && output.format === 'page'
  stdout.write(isPage ? lines(explanationPage(explained, stdout.columns, styleOf(stdout))) : json(explained))
}

const answer = async (engine: Engine, { query, params, output, svg, lake }: QueryCommand, terminal: Terminal) => {
  const { stdout } = terminal
  if ('parquet' in output) requireTarget('parquet', output.parquet, lake)
  if (svg !== undefined) requireTarget('svg', svg, lake)
  const answered = (await engine.run(await engine.plan(query, params))) as Record<string, unknown>
  if (svg !== undefined) return writeSvg(svg, query, answered, terminal)
  if (!('format' in output)) return writeTable(mainTable(query, answered), output, terminal)
  const { format } = output
  if (format === 'page') stdout.write(lines(answerPage(query, answered, stdout.columns, styleOf(stdout))))
  else if (format === 'json') stdout.write(json(answered))
  else await writeTable(mainTable(query, answered), { format }, terminal)
}

type Refused = { error: unknown; hint: Hint }

/**
 * Writes the answer or explanation of a query, or the answers for each value of a parameter. Returns the exit code, or the
 * refusal of a query; throws if the lake cannot be opened.
 */
const runQuery = async (command: QueryCommand | EachCommand, terminal: Terminal): Promise<number | Refused> => {
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

/** Runs a command line that needs the engine. Returns the exit code; never throws. */
export const run = async (argv: readonly string[], terminal: Terminal, settings: Settings): Promise<number> => {
  const { stdout, stderr } = terminal
  const refuse = ({ error, hint }: Refused): number => {
    // A person at the terminal reads it, unless both streams go to a program or JSON is requested.
    const isJson = !(stdout.isTerminal || stderr.isTerminal) || argv.some((text) => text.startsWith('--json'))
    const page = () => lines(refusalPage(error, stderr.columns, styleOf(stderr), hint))
    stderr.write(isJson ? json(refusal(error, hint)) : page())
    return exitCodeOf(error)
  }
  try {
    if (isSql(argv)) return await runSql(argv.slice(1), terminal, settings)
    if (isCompletion(argv)) {
      stdout.write(completionScript(argv.slice(1)))
      return 0
    }
    const command = readCommand(argv, settings, stdout.isTerminal)
    if (command.kind === 'help') {
      stdout.write(lines(helpText(command, stdout.columns, styleOf(stdout))))
      return 0
    }
    const outcome = await runQuery(command, terminal)
    return typeof outcome === 'number' ? outcome : refuse(outcome)
  } catch (error) {
    return refuse({ error, hint: null })
  }
}
