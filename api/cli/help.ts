import { commandLine } from '../../engine/contract/program.ts'

const serve = (args?: string): string => commandLine('serve', args)

export const HELP = `shelfmark-serve: answers over HTTP, free and paid

  ${serve()}
      serves until SIGTERM or SIGINT
  ${serve('check [--json]')}
      validates the settings, connects to everything they name, and explains how to fix each failure
  ${serve('payments [--from D] [--to D] [--csv]')}
      lists settled payments with their transactions, oldest first

  --from, --to    a date or an RFC 3339 time, UTC; from is inclusive, to exclusive
  --csv           the list as CSV
  --json          the report as JSON
  --help, --version

Settings are environment variables; .env.example in the package's folder lists them.
Exit codes: 0 done, 1 a check failed, 2 wrong usage or settings, 3 internal failure.
`
