export const HELP = `shelfmark-serve: answers over HTTP, free and paid

  shelfmark-serve                   serves until SIGTERM or SIGINT
  shelfmark-serve check [--json]    validates the settings, connects to everything they name, and says how to fix what fails
  shelfmark-serve payments [--from D] [--to D] [--csv]
                                    lists settled payments with their transactions, oldest first

  --from, --to    a date or an RFC 3339 time, UTC; from is inclusive, to exclusive
  --csv           the list as CSV
  --json          the report as JSON
  --help, --version

Settings are environment variables; .env.example lists them. In a checkout: npm run -s serve -- COMMAND.
Exit codes: 0 done, 1 a check failed, 2 wrong usage or settings, 3 internal failure.
`
