import { readOptions } from '../ops/arguments.ts'
import { ConfigError, readConfig } from '../ops/config.ts'

type Option = { type: 'boolean' | 'string' }

const FLAG: Option = { type: 'boolean' }
const TEXT: Option = { type: 'string' }

/** The options of each command; without a command name, the service starts. */
const options = {
  serve: {},
  check: { json: FLAG },
  payments: { from: TEXT, to: TEXT, csv: FLAG },
} satisfies Record<string, Record<string, Option>>

type CommandName = keyof typeof options
type ParsedOptions = { from?: string; to?: string; csv?: boolean; json?: boolean }

const isCommand = (name: string): name is CommandName => Object.hasOwn(options, name)

const parseCommand = (args: readonly string[]): { command: CommandName; values: ParsedOptions } => {
  const [first, ...others] = args
  const isNamed = first !== undefined && !first.startsWith('-')
  const command = isNamed ? first : 'serve'
  if (!isCommand(command) || (isNamed && command === 'serve'))
    throw new ConfigError(`unknown command ${command}; --help lists the commands`)
  return { command, values: readOptions(isNamed ? others : args, options[command]) as ParsedOptions }
}

type Environment = Record<string, string | undefined>

/** What each command does, loaded on demand: the service takes a second to load. */
const commands: Record<CommandName, (values: ParsedOptions, environment: Environment) => Promise<number>> = {
  serve: async (_, environment) => {
    const { serve } = await import('../serve.ts')
    await serve(readConfig(environment))
    return 0
  },
  check: async ({ json = false }, environment) => {
    const { check } = await import('./check.ts')
    return check(environment, json)
  },
  payments: async (values, environment) => {
    const { listPayments } = await import('./payments.ts')
    await listPayments(values, readConfig(environment), process)
    return 0
  },
}

/**
 * Runs `shelfmark-serve`. Returns the exit code; a started service keeps running. Throws ConfigError on wrong usage.
 */
export const runCommand = async (args: readonly string[], environment: Environment): Promise<number> => {
  const { command, values } = parseCommand(args)
  return commands[command](values, environment)
}
