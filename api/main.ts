#!/usr/bin/env node
import { programText } from '../engine/contract/program.ts'
import { HELP } from './cli/help.ts'
import { stopWithParents } from './ops/family.ts'

// A reader such as `head` may close the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const args = process.argv.slice(2)
const text = programText(args, HELP)
if (text === undefined) {
  if (process.env.npm_lifecycle_event) stopWithParents()
  // Loaded on demand: the engine takes ten times as long to load as Node.
  const [{ runCommand }, { loadEnvFile }, { exitWithError }] = await Promise.all([
    import('./cli/commands.ts'),
    import('./ops/env-file.ts'),
    import('./ops/exit.ts'),
  ])
  try {
    loadEnvFile()
    process.exitCode = await runCommand(args, process.env)
  } catch (error) {
    exitWithError(error)
  }
} else process.stdout.write(text)
