import { commandLine } from '../../engine/contract/program.ts'

export const USAGE = `Pays for one request with test money. The answer goes to standard output, the payment to standard error.

  ${commandLine('pay', 'PATH [--network base|solana|tempo] [--url ADDRESS]')}
  ${commandLine('pay', '--batch FILE [--network base|solana|tempo] [--url ADDRESS]')}

  PATH         such as '/v1/shopper/best-price?q=tv'
  --batch      a JSON file of up to 100 requests, such as [{"path": "/v1/shopper/best-price", "params": {"q": "tv"}}]
  --network    the network to pay on; default base
  --url        the service; default that of SHELFMARK_HOST and SHELFMARK_PORT
  --help, --version
`
