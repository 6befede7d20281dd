import {
  type Address,
  createSolanaRpc,
  isAddress,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit'
import { accountOf, TOKEN_PROGRAMS } from '../payment/exact-svm.ts'
import type { Account, Networks } from '../payment/networks.ts'
import { checkBlockTime } from './clock.ts'
import { type Finding, fails, fits, hostOf } from './finding.ts'

const NODE = 'SHELFMARK_SOLANA_RPC_URL'
const PAYEE = 'SHELFMARK_PAY_TO_SOLANA'
const DECIMALS = 6
/** Where a mint has its decimals, in both token programs. */
const DECIMALS_OFFSET = 44

const reasonOf = (error: unknown): string => {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return 'does not answer: check its address'
  const { statusCode } = error.context
  return [401, 403].includes(statusCode)
    ? `answers ${statusCode}: check the key in its address`
    : `answers ${statusCode}: see its status page`
}

/** Solana: its payee, who must have an account of the token; its node, and USDC there. */
export const checkSolana = async (
  { payTo, rpc: url }: Account<string>,
  { solana: { caip2, asset } }: Networks,
  timeout: number,
): Promise<Finding[]> => {
  if (!isAddress(payTo)) return [fails(PAYEE, `${payTo} is misspelt, by its length; copy it again`)]
  const rpc = createSolanaRpc(url)
  const within = () => ({ abortSignal: AbortSignal.timeout(timeout) })
  const accountAt = async (at: Address) => (await rpc.getAccountInfo(at, { encoding: 'base64' }).send(within())).value
  try {
    const genesis = await rpc.getGenesisHash().send(within())
    if (!genesis.startsWith(caip2.replace('solana:', '')))
      return [
        fails(NODE, `${hostOf(url)} is another cluster than ${caip2}: send a node of it, or set SHELFMARK_NETWORKS`),
      ]
    const slot = await rpc.getSlot().send(within())
    const time = await rpc.getBlockTime(slot).send(within())
    const mint = await accountAt(asset as Address)
    const decimals = mint && Buffer.from(mint.data[0], 'base64')[DECIMALS_OFFSET]
    const program = mint?.owner
    if (!program || !TOKEN_PROGRAMS.includes(program) || decimals !== DECIMALS)
      return [fails(NODE, `the token ${asset} is not there, or not of ${DECIMALS} decimals: send a node of Solana`)]
    const held = await accountAt(await accountOf(payTo, asset as Address, program))
    return [
      held
        ? fits(PAYEE, `${payTo} has an account of the token`)
        : fails(
            PAYEE,
            `${payTo} has no account of the token ${asset}, so nobody can pay: receive any amount of it once`,
          ),
      fits(NODE, `${hostOf(url)} is ${caip2}`),
      checkBlockTime(NODE, Number(time)),
      fits(NODE, `the token ${asset} has ${DECIMALS} decimals`),
    ]
  } catch (error) {
    return [fails(NODE, `${hostOf(url)} ${reasonOf(error)}`)]
  }
}
