import { version } from '../contract/program.ts'
import type { Engine } from '../query/engine.ts'
import { answerPage } from './cli/answer-page.ts'
import { asOfHint } from './cli/as-of-hint.ts'
import { type EachCommand, type QueryCommand, readCommand } from './cli/command.ts'
import { completionScript, isCompletion } from './cli/completion.ts'
import { runEach } from './cli/each.ts'
import { explanation, explanationPage } from './cli/explanation.ts'
import { helpText } from './cli/help.ts'
import { openEngine } from './cli/open.ts'
import type { Settings } from './cli/options.ts'
import { exitCodeOf, type Hint, refusal, refusalPage } from './cli/refusal.ts'
import { isSql, runSql, snapshotFiles } from './cli/sql/run.ts'
import { writeSvg } from './cli/svg-output.ts'
import { mainTable } from './cli/table.ts'
import { writeTable } from './cli/table-output.ts'
import { type Sink, styleOf, type Terminal } from './cli/terminal.ts'
import { requireTarget } from './standalone/files.ts'
import { definitionsOf } from './standalone/script.ts'

export type { Settings, Sink, Terminal }

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

/**
 * Runs one command line. Answers are written to standard output, refusals to standard error. Returns the exit code:
 * 0 answered, 1 refused, 2 wrong usage, 3 internal failure, 130 interrupted; never throws.
 */
export const runCli = async (argv: readonly string[], terminal: Terminal, settings: Settings = {}): Promise<number> => {
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
    if (command.kind === 'version') {
      stdout.write(lines([version()]))
      return 0
    }
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
