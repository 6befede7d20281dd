import {
  type Address,
  createSolanaRpc,
  isAddress,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit'
import type { Account, Networks } from '../ops/networks.ts'
import { accountOf, TOKEN_PROGRAMS } from '../payment/exact-svm.ts'
import { checkBlockTime } from './clock.ts'
import { type Finding, failed, hostOf, passed } from './finding.ts'

const NODE = 'SHELFMARK_SOLANA_RPC_URL'
const PAYEE = 'SHELFMARK_PAY_TO_SOLANA'
const DECIMALS = 6
/** The offset of the decimals in a mint, in both token programs. */
const DECIMALS_OFFSET = 44

const reasonOf = (error: unknown): string => {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return 'does not answer: check its address'
  const { statusCode } = error.context
  return [401, 403].includes(statusCode)
    ? `answers ${statusCode}: check the key in its address`
    : `answers ${statusCode}: see its status page`
}

/** Checks Solana: its payee, who must have an account for the token; its node, and USDC there. */
export const checkSolana = async (
  { payTo, rpc: url }: Account<string>,
  { solana: { caip2, asset } }: Networks,
  timeout: number,
): Promise<Finding[]> => {
  if (!isAddress(payTo)) return [failed(PAYEE, `${payTo} has an invalid length; copy it again`)]
  const rpc = createSolanaRpc(url)
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(timeout) })
  const accountAt = async (address: Address) =>
    (await rpc.getAccountInfo(address, { encoding: 'base64' }).send(withTimeout())).value
  try {
    const genesis = await rpc.getGenesisHash().send(withTimeout())
    if (!genesis.startsWith(caip2.replace('solana:', '')))
      return [
        failed(NODE, `${hostOf(url)} is not the cluster ${caip2}: set a node of it, or change SHELFMARK_NETWORKS`),
      ]
    const slot = await rpc.getSlot().send(withTimeout())
    const time = await rpc.getBlockTime(slot).send(withTimeout())
    const mint = await accountAt(asset as Address)
    const decimals = mint && Buffer.from(mint.data[0], 'base64')[DECIMALS_OFFSET]
    const program = mint?.owner
    if (!program || !TOKEN_PROGRAMS.includes(program) || decimals !== DECIMALS)
      return [
        failed(
          NODE,
          `the token ${asset} does not exist there or does not have ${DECIMALS} decimals: set a node of Solana`,
        ),
      ]
    const account = await accountAt(await accountOf(payTo, asset as Address, program))
    return [
      account
        ? passed(PAYEE, `${payTo} has an account for the token`)
        : failed(
            PAYEE,
            `${payTo} has no account for the token ${asset} and cannot be paid: transfer any amount of it there once`,
          ),
      passed(NODE, `${hostOf(url)} is ${caip2}`),
      checkBlockTime(NODE, Number(time)),
      passed(NODE, `the token ${asset} has ${DECIMALS} decimals`),
    ]
  } catch (error) {
    return [failed(NODE, `${hostOf(url)} ${reasonOf(error)}`)]
  }
}
