import { expect, test } from 'vitest'
import { checkPayments } from '../../api/check/payments.ts'
import { readConfig } from '../../api/ops/config.ts'
import type { Facilitator } from '../../api/payment/facilitator.ts'
import { startChains } from './payment/paying.ts'
import { serveStrictly } from './payment/strict-facilitator.ts'

test('the check says on which networks sessions are offered', async () => {
  const chains = await startChains()
  const sessionsOf = async (facilitator: Facilitator) => {
    const config = readConfig({
      SHELFMARK_PAYMENTS: 'facilitator',
      SHELFMARK_NETWORKS: 'testnet',
      SHELFMARK_BASE_URL: 'http://127.0.0.1',
      SHELFMARK_FACILITATOR_URL: await serveStrictly(facilitator),
      SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
      SHELFMARK_PAY_TO_TEMPO: chains.payTo.tempo,
      SHELFMARK_BASE_RPC_URL: chains.rpc.base,
      SHELFMARK_TEMPO_RPC_URL: chains.rpc.tempo,
      SHELFMARK_MPP_SECRET: 'a secret of thirty-two characters',
      SHELFMARK_SESSION_KEY: `0x${'1'.repeat(64)}`,
    })
    const findings = await checkPayments(config)
    return findings.filter(({ setting }) => setting === 'SHELFMARK_SESSION_KEY').map(({ message }) => message)
  }
  const { facilitator } = chains
  expect(await sessionsOf(facilitator)).toEqual(['sessions are offered on Base', 'sessions are offered on Tempo'])
  const supported = async () => {
    const { kinds, ...others } = await facilitator.supported()
    return { ...others, kinds: kinds.filter(({ scheme }) => scheme === 'exact') }
  }
  expect(await sessionsOf({ ...facilitator, supported })).toEqual([
    expect.stringContaining('no sessions are offered on Base'),
    'sessions are offered on Tempo',
  ])
})
