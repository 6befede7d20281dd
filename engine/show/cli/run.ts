import { readCommand } from './command.ts'
import type { Settings } from './options.ts'
import { exitCodeOf, type Refused, refusal, refusalPage } from './refusal.ts'
import { jsonLine, linesOf, styleOf, type Terminal } from './terminal.ts'

/** Runs a command line that needs the list of queries. Returns the exit code; never throws. */
export const run = async (argv: readonly string[], terminal: Terminal, settings: Settings): Promise<number> => {
  const { stdout, stderr } = terminal
  const refuse = ({ error, hint }: Refused): number => {
    // A person at the terminal reads it, unless both streams go to a program or JSON is requested.
    const isJson = !(stdout.isTerminal || stderr.isTerminal) || argv.some((text) => text.startsWith('--json'))
    const page = () => linesOf(refusalPage(error, stderr.columns, styleOf(stderr), hint))
    stderr.write(isJson ? jsonLine(refusal(error, hint)) : page())
    return exitCodeOf(error)
  }
  try {
    const [word, ...others] = argv
    if (word === 'sql') return await (await import('./sql/run.ts')).runSql(others, terminal, settings)
    if (word === 'completion') {
      stdout.write((await import('./completion.ts')).completionScript(others))
      return 0
    }
    const command = readCommand(argv, settings, stdout.isTerminal)
    if (command.kind === 'help') {
      const { helpText } = await import('./help.ts')
      stdout.write(linesOf(helpText(command, stdout.columns, styleOf(stdout))))
      return 0
    }
    // Loaded on demand, like the others: DuckDB and the engine take longer than all else.
    const outcome = await (await import('./run-query.ts')).runQuery(command, terminal)
    return typeof outcome === 'number' ? outcome : refuse(outcome)
  } catch (error) {
    return refuse({ error, hint: null })
  }
}
