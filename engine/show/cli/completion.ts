import { invalidParam } from '../../contract/errors.ts'
import { paramFields } from '../../contract/param-fields.ts'
import { queries } from '../../queries/index.ts'
import { type AnyQuery, groups } from '../../queries/query.ts'
import { eachParams } from './each-param.ts'
import { globalOptions } from './global-options.ts'
import { inCommands } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Options whose value is a file or folder. */
const FILE_OPTIONS = ['lake', 'parquet', 'svg']

/** An option as a shell completes it; `values` are null where any text is accepted, and empty for a flag. */
type CompletedOption = { name: string; description: string; values: readonly string[] | null }

const completed = (name: string, description: string, values: readonly string[] | null): CompletedOption => ({
  name: name.replaceAll('_', '-'),
  description: inCommands(description),
  values,
})

/** The parameters of a query, and what `--each` accepts. */
const paramOptions = (query: AnyQuery): CompletedOption[] => {
  const each = eachParams(query)
  return [
    ...paramFields(query).map(({ name, description = '', enum: values, type }) =>
      completed(name, description, type === 'boolean' ? [] : (values?.map(String) ?? null)),
    ),
    ...(each.length > 0 ? [completed('each', globalOptions.each!.description, each)] : []),
  ]
}

/** The options of every query; `as_of` is a parameter of most. */
const commonOptions: readonly CompletedOption[] = Object.entries(globalOptions)
  .filter(([name]) => name !== 'each')
  .map(([name, { value, description }]) => completed(name, description, value === undefined ? [] : null))

const optionsOf = (query: AnyQuery): CompletedOption[] => {
  const options = paramOptions(query)
  return [...options, ...commonOptions.filter(({ name }) => !options.some((option) => option.name === name))]
}

const namesIn = (group: string): string[] => queries.filter((query) => query.group === group).map(({ name }) => name)
const COMMANDS = [...groups, 'sql', 'explain-match', 'completion']

/** The names of queries follow a group, and a group follows `sql` too. */
const bash = (): string => {
  const files = FILE_OPTIONS.map((name) => `*' --${name}'`).join('|')
  const values = queries.flatMap((query) =>
    optionsOf(query).flatMap(({ name, values }) =>
      values && values.length > 0
        ? [`    '${query.group} ${query.name} --${name}') words='${values.join(' ')}' ;;`]
        : [],
    ),
  )
  const options = queries.map((query) => {
    const names = optionsOf(query).map(({ name }) => `--${name}`)
    return `    '${query.group} ${query.name} '*) words='${names.join(' ')}' ;;`
  })
  return `_shelfmark() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} first=1 words=
  [ "\${COMP_WORDS[1]}" = sql ] && [ "$COMP_CWORD" -gt 1 ] && first=2
  local group=\${COMP_WORDS[first]} name=\${COMP_WORDS[first+1]}
  case $((COMP_CWORD - first)) in
  0) if [ $first = 2 ]; then words='${groups.join(' ')}'; else words='${COMMANDS.join(' ')}'; fi ;;
  1) case $group in
${groups.map((group) => `    ${group}) words='${namesIn(group).join(' ')}' ;;`).join('\n')}
    completion) words='${shells.join(' ')}' ;;
    esac ;;
  *) case "$group $name $previous" in
    ${files}) COMPREPLY=($(compgen -f -- "$current")); return ;;
${values.join('\n')}
${options.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _shelfmark shelfmark
`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (): string => {
  const line = (condition: string, rest: string) =>
    `complete -c shelfmark${condition && ` -n ${quoted(condition)}`} ${rest}`
  const optionLine = (condition: string, { name, description, values }: CompletedOption): string => {
    const value = values === null ? ' -r' : values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ''
    return line(condition, `-l ${name}${value}${FILE_OPTIONS.includes(name) ? ' -F' : ''} -d ${quoted(description)}`)
  }
  const queryLines = queries.flatMap((query) => {
    const inGroup = `__fish_seen_subcommand_from ${query.group}`
    const names = namesIn(query.group).join(' ')
    const ownOptions = paramOptions(query).filter(({ name }) => !commonOptions.some((option) => option.name === name))
    return [
      line(`${inGroup}; and not __fish_seen_subcommand_from ${names}`, `-a ${query.name} -d ${quoted(query.summary)}`),
      ...ownOptions.map((option) => optionLine(`${inGroup}; and __fish_seen_subcommand_from ${query.name}`, option)),
    ]
  })
  return [
    line('', '-f'),
    line(`not __fish_seen_subcommand_from ${COMMANDS.join(' ')}`, `-a ${quoted(COMMANDS.join(' '))}`),
    line('__fish_seen_subcommand_from completion', `-a ${quoted(shells.join(' '))}`),
    ...commonOptions.map((option) => optionLine('', option)),
    ...queryLines,
    '',
  ].join('\n')
}

const scripts: Readonly<Record<Shell, () => string>> = {
  bash,
  zsh: () => `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash()}`,
  fish,
}

/**
 * The script that makes a shell complete commands, options and their values, made from the schemas of the queries. Throws
 * INVALID_PARAMS for another shell.
 */
export const completionScript = (args: readonly string[]): string => {
  const [text, ...others] = args
  const shell = shells.find((name) => name === text)
  if (shell && others.length === 0) return scripts[shell]()
  throw invalidParam('completion', `expected ${shells.join(', ')}, got "${args.join(' ')}"`, { accepted: shells })
}
