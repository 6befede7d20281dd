import { answerPage } from './cli/answer-page.ts'
import { asOfHint } from './cli/as-of-hint.ts'
import { type QueryCommand, readCommand } from './cli/command.ts'
import { csv } from './cli/csv.ts'
import { explanation, explanationPage } from './cli/explanation.ts'
import { helpText } from './cli/help.ts'
import { openEngine } from './cli/open.ts'
import type { Settings } from './cli/options.ts'
import { exitCodeOf, type Hint, refusal, refusalPage } from './cli/refusal.ts'
import { isSql, runSql, snapshotFiles } from './cli/sql/run.ts'
import { mainTable } from './cli/table.ts'
import { type Sink, styleOf, type Terminal } from './cli/terminal.ts'
import type { Engine } from './engine.ts'
import { version } from './program.ts'
import { definitionsOf } from './standalone/script.ts'

export type { Settings, Sink, Terminal }

const lines = (text: readonly string[]): string => `${text.join('\n')}\n`
const json = (value: unknown): string => `${JSON.stringify(value)}\n`

const explain = async (engine: Engine, { query, params, format, lake }: QueryCommand, stdout: Sink) => {
  const plan = await engine.plan(query, params)
  const { sql, is_from_memory } = await engine.execution(plan)
  const explained = explanation(query, plan, {
    sql,
    definitions: definitionsOf(sql, snapshotFiles(engine, lake)),
    profile: is_from_memory ? null : await engine.explain(plan),
  })
  return format === 'page' ? lines(explanationPage(explained, stdout.columns, styleOf(stdout))) : json(explained)
}

const answer = async (engine: Engine, { query, params, format }: QueryCommand, stdout: Sink) => {
  const answered = (await engine.run(await engine.plan(query, params))) as Record<string, unknown>
  switch (format) {
    case 'json':
      return json(answered)
    case 'csv':
      return csv(mainTable(query, answered))
    case 'arrow':
      // Imported on demand, since loading the library takes longer than computing most answers.
      return (await import('./cli/arrow.ts')).arrowStream(mainTable(query, answered))
    case 'page':
      return lines(answerPage(query, answered, stdout.columns, styleOf(stdout)))
  }
}

type Refused = { error: unknown; hint: Hint }

/** Writes the answer or explanation of a query. Returns the refusal if it is refused; throws if the lake cannot be opened. */
const runQuery = async (command: QueryCommand, { stdout, stderr }: Terminal): Promise<Refused | null> => {
  const { lake, as_of } = command
  const engine = await openEngine(lake, as_of, stderr)
  try {
    stdout.write(await (command.explain ? explain : answer)(engine, command, stdout))
    return null
  } catch (error) {
    return { error, hint: await asOfHint(error, engine, command) }
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
    const isJson = !stdout.isTerminal || argv.some((text) => text.startsWith('--json'))
    if (stderr.isTerminal || !isJson) stderr.write(lines(refusalPage(error, stderr.columns, styleOf(stderr), hint)))
    if (isJson) stderr.write(json(refusal(error, hint)))
    return exitCodeOf(error)
  }
  try {
    if (isSql(argv)) return await runSql(argv.slice(1), terminal, settings)
    const command = readCommand(argv, settings, stdout.isTerminal)
    if (command.kind === 'version') {
      stdout.write(lines([version()]))
      return 0
    }
    if (command.kind === 'help') {
      stdout.write(lines(helpText(command, stdout.columns, styleOf(stdout))))
      return 0
    }
    const refused = await runQuery(command, terminal)
    return refused ? refuse(refused) : 0
  } catch (error) {
    return refuse({ error, hint: null })
  }
}
