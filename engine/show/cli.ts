import { version } from '../contract/program.ts'
import { groupOfList, listHelp } from './cli/help-list.ts'
import type { Settings } from './cli/options.ts'
import { linesOf, type Sink, styleOf, type Terminal } from './cli/terminal.ts'

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
  const text = staticText(argv, terminal.stdout)
  // Loaded on demand: the engine takes ten times as long to load as Node.
  if (text === undefined) return (await import('./cli/run.ts')).run(argv, terminal, settings)
  terminal.stdout.write(text)
  return 0
}
