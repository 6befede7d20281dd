#!/usr/bin/env node
import { runCommand } from './cli/commands.ts'
import { giveUp } from './serve.ts'

// A reader that has seen enough (`| head`) closes the pipe: nothing is left to say to it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  process.exitCode = await runCommand(process.argv.slice(2), process.env)
} catch (error) {
  giveUp(error)
}
