#!/usr/bin/env node
import { once } from 'node:events'
import { pageWidth } from './show/cli/terminal.ts'
import { runCli, type Sink } from './show/cli.ts'

const sink = (stream: NodeJS.WriteStream): Sink => {
  const isTerminal = stream.isTTY === true
  return {
    write: (chunk) => stream.write(chunk) || once(stream, 'drain'),
    isTerminal,
    // Respects NO_COLOR, FORCE_COLOR and dumb terminals.
    hasColours: isTerminal && stream.hasColors(),
    columns: pageWidth(stream.columns),
  }
}

// A reader such as `head` may close the pipe early; that is no error.
const exitOnClosedPipe = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
process.stdout.on('error', exitOnClosedPipe)
process.stderr.on('error', exitOnClosedPipe)

const { SHELFMARK_LAKE, SHELFMARK_AS_OF } = process.env
const onInterrupt = (interrupt: () => void) => {
  process.once('SIGINT', interrupt)
  return () => void process.off('SIGINT', interrupt)
}
process.exitCode = await runCli(
  process.argv.slice(2),
  { stdout: sink(process.stdout), stderr: sink(process.stderr), onInterrupt },
  { lake: SHELFMARK_LAKE, as_of: SHELFMARK_AS_OF },
)
