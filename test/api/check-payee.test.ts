import { createTestClient, http } from 'viem'
import { mine, setCode } from 'viem/actions'
import { expect, test } from 'vitest'
import { checkBase } from '../../api/check/evm.ts'
import { testnets } from '../../api/ops/networks.ts'
import { startChains } from './payment/paying.ts'

const PAYEE = '0x00000000000000000000000000000000000c0de5'

test('the check warns of a payee that is a contract, unless it is a wallet that is known', async () => {
  const { rpc } = await startChains()
  const client = createTestClient({ mode: 'anvil', transport: http(rpc.base) })
  await mine(client, { blocks: 1 })
  const advice = async (bytecode: `0x${string}`) => {
    await setCode(client, { address: PAYEE, bytecode })
    const findings = await checkBase({ payTo: PAYEE, rpc: rpc.base }, testnets, 10_000)
    expect(findings.filter(({ is_ok }) => is_ok === false)).toEqual([])
    return findings.filter(({ is_ok }) => is_ok === null).map(({ message }) => message)
  }
  expect(await advice('0x')).toEqual([])
  expect(await advice('0xfe')).toEqual([expect.stringContaining('is a contract, and no wallet that is known')])
  // Returns 1 to any call, as a Safe with one owner does to getThreshold.
  expect(await advice('0x600160005260206000f3')).toEqual([])
  expect(await advice(`0xef0100${'11'.repeat(20)}`)).toEqual([])
})
