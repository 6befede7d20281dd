#!/usr/bin/env node
import { EngineError } from '../engine/index.ts'
import { parseArguments } from './cli/arguments.ts'
import { runCommand } from './cli/commands.ts'
import { HELP } from './cli/help.ts'
import { escaped } from './cli/table.ts'

const fail = (cause: unknown): number => {
  if (cause instanceof EngineError) {
    console.error(escaped(cause.message))
    return cause.code === 'INVALID_PARAMS' ? 2 : 1
  }
  const isUsage = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${cause.message}\nSee --help.` : cause)
  return isUsage ? 2 : 3
}

const main = async (args: string[]): Promise<number> => {
  try {
    const { values, positionals } = parseArguments(args)
    if (values.help) {
      process.stdout.write(HELP)
      return 0
    }
    const lake = values.lake ?? process.env.SHELFMARK_LAKE ?? 'data/lake'
    const { result, text, isRefused } = await runCommand(values, lake, positionals)
    console.log(values.json ? JSON.stringify(result, null, 2) : text)
    return isRefused ? 1 : 0
  } catch (cause) {
    return fail(cause)
  }
}

process.exitCode = await main(process.argv.slice(2))
