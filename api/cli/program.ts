import { loadEnvFile } from '../ops/env-file.ts'
import { exitWithError } from '../ops/exit.ts'
import { runCommand } from './commands.ts'

/** Runs a command line with the settings of `.env` too. Returns the exit code; exits where the command cannot be run. */
export const runProgram = async (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  try {
    loadEnvFile()
    return await runCommand(args, environment)
  } catch (error) {
    return exitWithError(error)
  }
}
