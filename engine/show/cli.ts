import { version } from '../contract/program.ts'
import { groupOfList, listHelp } from './cli/help-list.ts'
import type { Settings } from './cli/options.ts'
import type { Refused } from './cli/refusal.ts'
import { jsonLine, linesOf, type Sink, styleOf, type Terminal } from './cli/terminal.ts'

export type { Settings, Sink, Terminal }

/** What needs no query: the version, and the lists of commands. */
const staticText = (argv: readonly string[], { columns, ...sink }: Sink): string | undefined => {
  if (argv[0] !== 'sql' && argv.includes('--version')) return `${version()}\n`
  const group = groupOfList(argv)
  return group === undefined ? undefined : linesOf(listHelp(group, columns, styleOf(sink)))
}

/**
 * Runs one command line. Answers are written to standard output, refusals to standard error. Returns the exit code:
 * 0 answered, 1 refused, 2 wrong usage, 3 internal failure, 130 interrupted; never throws.
 */
export const runCli = async (argv: readonly string[], terminal: Terminal, settings: Settings = {}): Promise<number> => {
  const { stdout, stderr } = terminal
  const text = staticText(argv, stdout)
  if (text !== undefined) {
    stdout.write(text)
    return 0
  }
  // Each command loads what it runs: the list of queries takes four times as long as Node, DuckDB and the engine ten times.
  const { exitCodeOf, refusal, refusalPage } = await import('./cli/refusal.ts')
  const refuse = ({ error, hint }: Refused): number => {
    // A person at the terminal reads it, unless both streams go to a program or JSON is requested.
    const isJson = !(stdout.isTerminal || stderr.isTerminal) || argv.some((text) => text.startsWith('--json'))
    const page = () => linesOf(refusalPage(error, stderr.columns, styleOf(stderr), hint))
    stderr.write(isJson ? jsonLine(refusal(error, hint)) : page())
    return exitCodeOf(error)
  }
  try {
    const [word, ...others] = argv
    if (word === 'sql') return await (await import('./cli/sql/run.ts')).runSql(others, terminal, settings)
    if (word === 'explain-match') return await (await import('./cli/match/run.ts')).runMatch(others, terminal, settings)
    if (word === 'completion') {
      stdout.write((await import('./cli/completion.ts')).completionScript(others))
      return 0
    }
    const { readCommand } = await import('./cli/command.ts')
    const command = readCommand(argv, settings, stdout.isTerminal)
    if (command.kind === 'help') {
      const { helpText } = await import('./cli/help.ts')
      stdout.write(linesOf(helpText(command, stdout.columns, styleOf(stdout))))
      return 0
    }
    const outcome = await (await import('./cli/run-query.ts')).runQuery(command, terminal)
    return typeof outcome === 'number' ? outcome : refuse(outcome)
  } catch (error) {
    return refuse({ error, hint: null })
  }
}
