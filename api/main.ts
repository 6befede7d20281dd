#!/usr/bin/env node
import { runCommand } from './cli/commands.ts'
import { loadEnvFile } from './ops/env-file.ts'
import { exitWithError } from './ops/exit.ts'
import { stopWithParents } from './ops/family.ts'

// A reader such as `head` may close the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

if (process.env.npm_lifecycle_event) stopWithParents()
try {
  loadEnvFile()
  process.exitCode = await runCommand(process.argv.slice(2), process.env)
} catch (error) {
  exitWithError(error)
}
