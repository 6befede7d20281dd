import {
  BaseError,
  createPublicClient,
  domainSeparator,
  erc20Abi,
  HttpRequestError,
  http,
  isAddress,
  parseAbi,
} from 'viem'
import type { Account, Networks } from '../payment/networks.ts'
import { checkBlockTime } from './clock.ts'
import { type Finding, fails, fits, hostOf } from './finding.ts'

const DECIMALS = 6
const eip712 = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])

type Address = `0x${string}`
type Settings = { node: string; payee: string; title: string }

const clientOf = (rpc: string, timeout: number) =>
  createPublicClient({ transport: http(rpc, { retryCount: 0, timeout }) })
type Client = ReturnType<typeof clientOf>

/** Why a node did not answer. Texts of the library name its whole address, which may hold a key. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof HttpRequestError) : null
  const status = cause instanceof HttpRequestError ? cause.status : undefined
  if (status === 401 || status === 403) return `answers ${status}: check the key in its address`
  return status === undefined ? 'does not answer: check its address' : `answers ${status}: see its status page`
}

const checkToken = async (client: Client, asset: Address, { node, title }: Settings): Promise<Finding> => {
  const decimals = await client
    .readContract({ address: asset, abi: erc20Abi, functionName: 'decimals' })
    .catch(() => null)
  if (decimals === DECIMALS) return fits(node, `the token ${asset} has ${DECIMALS} decimals`)
  return fails(node, `the token ${asset} is not there, or not of ${DECIMALS} decimals: send a node of ${title}`)
}

const checkPayee = (payTo: string, { payee }: Settings): Finding =>
  isAddress(payTo) ? fits(payee, payTo) : fails(payee, `${payTo} is misspelt, by its checksum; copy it again`)

/** A node of an EVM chain: which chain it is, whether the token is there, and how old its newest block is. */
const checkNode = async (
  { rpc, payTo }: Account<Address>,
  { chain_id, asset, settings, timeout }: { chain_id: number; asset: Address; settings: Settings; timeout: number },
): Promise<{ client: Client; isRight: boolean; findings: Finding[] }> => {
  const { node, title } = settings
  const client = clientOf(rpc, timeout)
  const payee = checkPayee(payTo, settings)
  try {
    const id = await client.getChainId()
    if (id !== chain_id) {
      const wrong = `${hostOf(rpc)} is chain ${id}, not ${chain_id}: send a node of ${title}, or set SHELFMARK_NETWORKS`
      return { client, isRight: false, findings: [payee, fails(node, wrong)] }
    }
    const { timestamp } = await client.getBlock()
    const findings = [
      payee,
      fits(node, `${hostOf(rpc)} is chain ${id}`),
      checkBlockTime(node, Number(timestamp)),
      await checkToken(client, asset, settings),
    ]
    return { client, isRight: true, findings }
  } catch (error) {
    return { client, isRight: false, findings: [payee, fails(node, `${hostOf(rpc)} ${reasonOf(error)}`)] }
  }
}

/** Base: its payee, its node, and USDC under the name and version that payers sign. */
export const checkBase = async (account: Account<Address>, { base }: Networks, timeout: number): Promise<Finding[]> => {
  const settings = { node: 'SHELFMARK_BASE_RPC_URL', payee: 'SHELFMARK_PAY_TO_EVM', title: 'Base' }
  const { chain_id, asset, name, version } = base
  const { client, isRight, findings } = await checkNode(account, { chain_id, asset, settings, timeout })
  if (!isRight) return findings
  const domain = { name, version, chainId: BigInt(chain_id), verifyingContract: asset }
  const call = { address: asset, abi: eip712, functionName: 'DOMAIN_SEPARATOR' } as const
  const separator = await client.readContract(call).catch(() => null)
  const isSigned = separator === domainSeparator({ domain })
  const signed = `payers sign for ${name}, version ${version}`
  return [
    ...findings,
    isSigned
      ? fits(settings.node, signed)
      : fails(settings.node, `${signed}, which is not what the token there calls itself: send a node of Base`),
  ]
}

export const checkTempo = async (
  account: Account<Address>,
  { tempo }: Networks,
  timeout: number,
): Promise<Finding[]> => {
  const settings = { node: 'SHELFMARK_TEMPO_RPC_URL', payee: 'SHELFMARK_PAY_TO_TEMPO', title: 'Tempo' }
  const { chain_id, currency } = tempo
  return (await checkNode(account, { chain_id, asset: currency, settings, timeout })).findings
}
