#!/usr/bin/env node
import { programText } from '../engine/contract/program.ts'
import { HELP } from './cli/help.ts'

const main = async (args: string[]): Promise<number> => {
  const help = programText(args, HELP)
  if (help !== undefined) {
    process.stdout.write(help)
    return 0
  }
  // Loaded on demand: the engine takes ten times as long to load as Node.
  const [{ parseArguments }, { runCommand }, { failureOf }] = await Promise.all([
    import('./cli/arguments.ts'),
    import('./cli/commands.ts'),
    import('./cli/failure.ts'),
  ])
  try {
    const { values, positionals } = parseArguments(args)
    const lake = values.lake ?? process.env.SHELFMARK_LAKE ?? 'data/lake'
    const { result, text, isRefused } = await runCommand(values, lake, positionals, process.env)
    console.log(values.json ? JSON.stringify(result, null, 2) : text)
    return isRefused ? 1 : 0
  } catch (cause) {
    const { output, code } = failureOf(cause)
    console.error(output)
    return code
  }
}

process.exitCode = await main(process.argv.slice(2))
