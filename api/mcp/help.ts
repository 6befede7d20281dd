import { commandLine } from '../../engine/contract/program.ts'

const mcp = (args: string): string => commandLine('mcp', args)

export const USAGE = `shelfmark-mcp: a server of the Model Context Protocol on standard input and output

  ${mcp('[--lake DIR]')}
      answers from a lake, free of charge
  ${mcp('--url ADDRESS [--network base|solana|tempo] [--max-price USD] [--budget USD]')}
      passes queries on to a service and pays for them

  --lake         default data/lake, or SHELFMARK_LAKE
  --url          the service, such as http://127.0.0.1:8402
  --network      the network to pay on; default base
  --max-price    the most that one answer may cost, up to 1; default 0.05
  --budget       the most that this process may pay; default 1.00. A payment that was sent counts, even if its
                 outcome is unknown
  --help, --version

The wallet is the file that SHELFMARK_WALLET names, by default the test wallet that the service writes beside the lake.
Standard error has the log. Exit codes: 0 ended, 2 wrong usage or settings, 3 internal failure.
`
