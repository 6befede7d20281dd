import { answerPage } from './cli/answer-page.ts'
import { type Question, readCommand } from './cli/command.ts'
import { csv } from './cli/csv.ts'
import { explanation, explanationPage } from './cli/explanation.ts'
import { helpText } from './cli/help.ts'
import type { Settings } from './cli/options.ts'
import { exitCodeOf, refusal, refusalPage } from './cli/refusal.ts'
import { mainTable } from './cli/table.ts'
import { noticeDuring, type Sink, styleOf, type Terminal } from './cli/terminal.ts'
import { Engine } from './engine.ts'

export type { Settings, Sink, Terminal }

const lines = (text: readonly string[]): string => `${text.join('\n')}\n`
const json = (value: unknown): string => `${JSON.stringify(value)}\n`

const explain = async (engine: Engine, { query, params, format }: Question, stdout: Sink) => {
  const plan = await engine.plan(query, params)
  const explained = explanation(plan, query.sql, await engine.explain(plan))
  return format === 'page' ? lines(explanationPage(explained, stdout.columns, styleOf(stdout))) : json(explained)
}

const answer = async (engine: Engine, { query, params, format }: Question, stdout: Sink) => {
  const answered = (await engine.run(await engine.plan(query, params))) as Record<string, unknown>
  switch (format) {
    case 'json':
      return json(answered)
    case 'csv':
      return csv(mainTable(query, answered))
    case 'arrow':
      // Loaded only when asked for: the library takes longer to load than most answers to compute.
      return (await import('./cli/arrow.ts')).arrowStream(mainTable(query, answered))
    case 'page':
      return lines(answerPage(query, answered, stdout.columns, styleOf(stdout)))
  }
}

const ask = async (question: Question, { stdout, stderr }: Terminal): Promise<void> => {
  const { lake, as_of } = question
  const opening = Engine.open(lake, { as_of, connections: 1 })
  const engine = await noticeDuring(opening, `Checking the files of ${lake} ...`, stderr)
  try {
    stdout.write(await (question.explain ? explain : answer)(engine, question, stdout))
  } finally {
    engine.close()
  }
}

/**
 * Answers one command line. Answers go to standard output, refusals to standard error. Returns the exit code:
 * 0 answered, 1 refused, 2 wrong usage, 3 internal failure; never throws.
 */
export const runCli = async (argv: readonly string[], terminal: Terminal, settings: Settings = {}): Promise<number> => {
  const { stdout, stderr } = terminal
  try {
    const command = readCommand(argv, settings, stdout.isTerminal)
    if (command.kind === 'help') stdout.write(lines(helpText(command, stdout.columns, styleOf(stdout))))
    else await ask(command, terminal)
    return 0
  } catch (error) {
    const isForMachines = !stdout.isTerminal || argv.some((text) => text.startsWith('--json'))
    if (stderr.isTerminal || !isForMachines) stderr.write(lines(refusalPage(error, stderr.columns, styleOf(stderr))))
    if (isForMachines) stderr.write(json(refusal(error)))
    return exitCodeOf(error)
  }
}
