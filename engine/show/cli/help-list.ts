import { readFileSync } from 'node:fs'
import { commandLine } from '../../contract/program.ts'
import type { Group } from '../../queries/query.ts'
import { globalOptions } from './global-options.ts'
import { labelled, type Style } from './terminal.ts'

/** The queries in the order of the interface, written by `npm run examples`: loading all to list them takes longer. */
export const commands: readonly { group: Group; name: string; summary: string }[] = JSON.parse(
  readFileSync(new URL('commands.json', import.meta.url), 'utf8'),
)
const groups = [...new Set(commands.map(({ group }) => group))]

export const INDENT = 26
const EXIT_CODES = '0 answered, 1 refused, 2 wrong usage, 3 internal failure'

/** The usage of a command. */
export const usage = (command: string, width: number): string[] =>
  labelled('Usage:', commandLine('shelfmark', `${command} [--param value ...] [options]`), 7, width)

/** The global options, without those `listed` among the parameters. */
const optionLines = (width: number, listed: readonly string[]): string[] =>
  Object.entries(globalOptions)
    .filter(([name]) => !listed.includes(name))
    .flatMap(([name, { value = '', description }]) =>
      labelled(`  --${name.replaceAll('_', '-')} ${value}`, description, INDENT, width),
    )

export const footing = (width: number, style: Style, listed: readonly string[] = []): string[] => [
  style.bold('Options'),
  ...optionLines(width, listed),
  '',
  `Exit codes: ${EXIT_CODES}.`,
]

const OTHER_COMMANDS = [
  ['sql', 'Prints the SQL of a query as a script, or runs your own SQL over the lake: shelfmark sql --help'],
  [
    'explain-match',
    'Says why two listings are, or are not, taken for one product: shelfmark explain-match A B, their product_uids',
  ],
  [
    'completion',
    'Prints a script that completes commands and options in bash, zsh or fish: source <(shelfmark completion bash)',
  ],
] as const

/** The commands of a group, or of all groups for null. */
export const listHelp = (group: Group | null, width: number, style: Style): string[] => [
  ...usage(`${group ?? 'GROUP'} NAME`, width),
  `Parameters and examples of a command: ${commandLine('shelfmark', 'GROUP NAME --help')}`,
  '',
  ...(group ? [group] : groups).flatMap((listed) => [
    style.bold(listed),
    ...commands
      .filter((command) => command.group === listed)
      .flatMap(({ name, summary }) => labelled(`  ${name}`, summary, INDENT, width)),
    '',
  ]),
  ...OTHER_COMMANDS.flatMap(([name, text]) => [style.bold(name), ...labelled(`  ${name}`, text, INDENT, width), '']),
  ...footing(width, style),
]

/** The group that a command line lists, null for all; undefined for a command line that does something else. */
export const groupOfList = (argv: readonly string[]): Group | null | undefined => {
  const [word, ...others] = argv.filter((text) => text !== '--help' && text !== '-h')
  if (word === undefined) return null
  return others.length === 0 ? groups.find((group) => group === word) : undefined
}
