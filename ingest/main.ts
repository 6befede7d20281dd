#!/usr/bin/env node
import { version } from '../engine/index.ts'
import { parseArguments } from './cli/arguments.ts'
import { runCommand } from './cli/commands.ts'
import { failureOf } from './cli/failure.ts'
import { HELP } from './cli/help.ts'

const fail = (cause: unknown): number => {
  const { output, code } = failureOf(cause)
  console.error(output)
  return code
}

const main = async (args: string[]): Promise<number> => {
  try {
    const { values, positionals } = parseArguments(args)
    if (values.help) {
      process.stdout.write(HELP)
      return 0
    }
    if (values.version) {
      console.log(version())
      return 0
    }
    const lake = values.lake ?? process.env.SHELFMARK_LAKE ?? 'data/lake'
    const { result, text, isRefused } = await runCommand(values, lake, positionals, process.env)
    console.log(values.json ? JSON.stringify(result, null, 2) : text)
    return isRefused ? 1 : 0
  } catch (cause) {
    return fail(cause)
  }
}

process.exitCode = await main(process.argv.slice(2))
