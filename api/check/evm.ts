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
import type { Account, Address, Networks } from '../ops/networks.ts'
import { checkBlockTime } from './clock.ts'
import { type Finding, failed, hostOf, passed, skipped } from './finding.ts'

const DECIMALS = 6
const eip712 = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])

type ChainSettings = { node: string; payee: string; title: string }

const clientOf = (rpc: string, timeout: number) =>
  createPublicClient({ transport: http(rpc, { retryCount: 0, timeout }) })
type Client = ReturnType<typeof clientOf>

/** Why a node did not answer. Messages of the library contain its whole address, which may contain a key. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof HttpRequestError) : null
  const status = cause instanceof HttpRequestError ? cause.status : undefined
  if (status === 401 || status === 403) return `answers ${status}: check the key in its address`
  return status === undefined ? 'does not answer: check its address' : `answers ${status}: see its status page`
}

const checkToken = async (client: Client, asset: Address, { node, title }: ChainSettings): Promise<Finding> => {
  const decimals = await client
    .readContract({ address: asset, abi: erc20Abi, functionName: 'decimals' })
    .catch(() => null)
  if (decimals === DECIMALS) return passed(node, `the token ${asset} has ${DECIMALS} decimals`)
  return failed(
    node,
    `the token ${asset} does not exist there or does not have ${DECIMALS} decimals: set a node of ${title}`,
  )
}

const checkPayee = (payTo: string, { payee }: ChainSettings): Finding =>
  isAddress(payTo) ? passed(payee, payTo) : failed(payee, `${payTo} has an invalid checksum; copy it again`)

/** Code by which a key acts as a contract, EIP-7702: it can still move what it receives. */
const DELEGATED = '0xef0100'
/** What Safe and the wallets of ERC-4337 answer. */
const wallets = parseAbi([
  'function getThreshold() view returns (uint256)',
  'function entryPoint() view returns (address)',
])

/** Advice on a payee that is a contract and no wallet that is known. */
const checkContract = async (client: Client, payTo: Address, { payee }: ChainSettings): Promise<Finding[]> => {
  const code = await client.getCode({ address: payTo })
  if (code === undefined || code.startsWith(DELEGATED)) return []
  const call = { address: payTo, abi: wallets } as const
  const answers = await Promise.allSettled([
    client.readContract({ ...call, functionName: 'getThreshold' }),
    client.readContract({ ...call, functionName: 'entryPoint' }),
  ])
  if (answers.some(({ status }) => status === 'fulfilled')) return []
  return [
    skipped(payee, `${payTo} is a contract, and no wallet that is known: make sure that it can send the token on`),
  ]
}

/** Checks a node of an EVM chain: its chain id, the token, and the age of its newest block. */
const checkNode = async (
  { rpc, payTo }: Account<Address>,
  {
    chain_id,
    asset,
    settings,
    timeout,
  }: { chain_id: number; asset: Address; settings: ChainSettings; timeout: number },
): Promise<{ client: Client; isExpectedChain: boolean; findings: Finding[] }> => {
  const { node, title } = settings
  const client = clientOf(rpc, timeout)
  const payee = checkPayee(payTo, settings)
  try {
    const id = await client.getChainId()
    if (id !== chain_id) {
      const wrong = `${hostOf(rpc)} is chain ${id}, not ${chain_id}: set a node of ${title}, or change SHELFMARK_NETWORKS`
      return { client, isExpectedChain: false, findings: [payee, failed(node, wrong)] }
    }
    const { timestamp } = await client.getBlock()
    const findings = [
      payee,
      passed(node, `${hostOf(rpc)} is chain ${id}`),
      checkBlockTime(node, Number(timestamp)),
      await checkToken(client, asset, settings),
      ...(await checkContract(client, payTo, settings)),
    ]
    return { client, isExpectedChain: true, findings }
  } catch (error) {
    return { client, isExpectedChain: false, findings: [payee, failed(node, `${hostOf(rpc)} ${reasonOf(error)}`)] }
  }
}

/** Checks Base: its payee, its node, and the name and version under which payers sign USDC transfers. */
export const checkBase = async (account: Account<Address>, { base }: Networks, timeout: number): Promise<Finding[]> => {
  const settings = { node: 'SHELFMARK_BASE_RPC_URL', payee: 'SHELFMARK_PAY_TO_EVM', title: 'Base' }
  const { chain_id, asset, name, version } = base
  const { client, isExpectedChain, findings } = await checkNode(account, { chain_id, asset, settings, timeout })
  if (!isExpectedChain) return findings
  const domain = { name, version, chainId: BigInt(chain_id), verifyingContract: asset }
  const call = { address: asset, abi: eip712, functionName: 'DOMAIN_SEPARATOR' } as const
  const separator = await client.readContract(call).catch(() => null)
  const isSigned = separator === domainSeparator({ domain })
  const signed = `payers sign for ${name}, version ${version}`
  return [
    ...findings,
    isSigned
      ? passed(settings.node, signed)
      : failed(settings.node, `${signed}, but the token there has another name or version: set a node of Base`),
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
