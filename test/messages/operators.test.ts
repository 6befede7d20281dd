import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { checkBlockTime, checkDate } from '../../api/check/clock.ts'
import { findingsOf } from '../../api/cli/check.ts'
import { readConfig } from '../../api/ops/config.ts'
import { openPayments } from '../../api/payment/payments.ts'
import { compiled } from '../support/compiled.ts'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { expectMessages, type Line, named } from './expect-messages.ts'

/** Nothing answers on this port. */
const NOWHERE = 'http://127.0.0.1:9'
const LABELS = new Map([
  [true, 'ok'],
  [false, 'FAIL'],
  [null, '-'],
])

const facilitator = {
  SHELFMARK_PAYMENTS: 'facilitator',
  SHELFMARK_BASE_URL: 'https://prices.example.com',
  SHELFMARK_FACILITATOR_URL: NOWHERE,
  SHELFMARK_PAY_TO_EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  SHELFMARK_BASE_RPC_URL: NOWHERE,
  SHELFMARK_PAY_TO_SOLANA: 'DgQ2bR7VJStaQYm2neaya2j6sYVMfxajGvyPm7h616bj',
  SHELFMARK_SOLANA_RPC_URL: NOWHERE,
}
const swapped = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293Bc'

const findings = async (): Promise<Line[]> => {
  const { lake } = await sampleLake()
  const folder = await temporaryFolder()
  const common = { SHELFMARK_LAKE: lake, SHELFMARK_PORT: '0', SHELFMARK_THREADS: '1' }
  const journal = { SHELFMARK_JOURNAL: join(folder, 'payments.jsonl') }
  const tries: readonly (readonly [what: string, environment: Record<string, string>])[] = [
    ['without payments', { SHELFMARK_PAYMENTS: 'off' }],
    ['with local chains', journal],
    [
      'with a wrong payee, a payee without a node, and nothing that answers',
      {
        ...journal,
        ...facilitator,
        SHELFMARK_PAY_TO_EVM: swapped,
        SHELFMARK_PAY_TO_TEMPO: swapped,
        SHELFMARK_MPP_SECRET: 'n'.repeat(32),
      },
    ],
    [
      'with a cluster that does not answer',
      { SHELFMARK_PAYMENTS: 'off', SHELFMARK_BACKEND: 'clickhouse://reader:canary@127.0.0.1:2,127.0.0.1:3' },
    ],
    [
      'with an address of another machine, and no lake',
      {
        SHELFMARK_PAYMENTS: 'embedded',
        SHELFMARK_HOST: '192.0.2.1',
        SHELFMARK_LAKE: join(folder, 'none'),
        SHELFMARK_JOURNAL: 'postgres://u:p@127.0.0.1:9/d',
      },
    ],
    ['with a store without a snapshot', { SHELFMARK_PAYMENTS: 'off', SHELFMARK_STORE: join(folder, 'store') }],
    ['with invalid settings', { SHELFMARK_PORT: 'http', SHELFMARK_MPP_SECRET: 'short' }],
    ['with a bucket without keys', { SHELFMARK_STORE: 's3://bucket' }],
  ]
  const lines: Line[] = []
  for (const [what, environment] of tries)
    for (const { setting, is_ok, message } of await findingsOf({ ...common, ...environment }))
      lines.push([
        `check ${what}`,
        LABELS.get(is_ok) ?? '',
        named(`${setting}: ${message}`, { FOLDER: folder, LAKE: lake }),
      ])
  const clock = [
    checkBlockTime('SHELFMARK_BASE_RPC_URL', 1000, 500),
    checkBlockTime('SHELFMARK_BASE_RPC_URL', 0, 1e6),
    ...checkDate('2026-11-21T00:00:00Z', 'example.com', Date.UTC(2026, 10, 20)),
  ]
  return [
    ...lines,
    ...clock.map(
      ({ setting, is_ok, message }): Line => ['check of clocks', LABELS.get(is_ok) ?? '', `${setting}: ${message}`],
    ),
  ]
}

/** What a service that opens its payments refuses. */
const refusedPayees = async (): Promise<Line[]> => {
  const wrong = { SHELFMARK_PAY_TO_EVM: swapped, SHELFMARK_PAY_TO_SOLANA: '1'.repeat(40) }
  const lines: Line[] = []
  for (const [name, value] of Object.entries(wrong)) {
    const journal = join(await temporaryFolder(), 'payments.jsonl')
    const config = readConfig({ ...facilitator, SHELFMARK_JOURNAL: journal, [name]: value })
    const message = await openPayments(config, undefined as never).then(
      () => '',
      (error: Error) => error.message,
    )
    lines.push([`serve with ${name}=${value}`, 'ConfigError', message])
  }
  return lines
}

/** What `shelfmark-pay` prints, and its exit code. */
const pay = async (folder: string, words: string): Promise<Line> => {
  const env = { PATH: process.env.PATH ?? '', SHELFMARK_LAKE: join(folder, 'lake') }
  const child = spawn(process.execPath, [compiled('api/pay/main.ts'), ...words.split(' ')], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  const message = await text(child.stderr)
  return [words, `exit ${(await closed)[0]}`, message.trim()]
}

const refusalsOfClient = async (): Promise<Line[]> => {
  const folder = await temporaryFolder()
  const withWallet = await temporaryFolder()
  const rpc = { base: NOWHERE, solana: NOWHERE, tempo: NOWHERE }
  const payers = { base: '0x1', solana: '1', tempo: '0x1' }
  await writeFile(join(withWallet, 'test-wallet.json'), JSON.stringify({ rpc, payers }))
  return Promise.all([
    pay(folder, 'v1/public/stats'),
    pay(folder, '/v1/public/stats --network ethereum'),
    pay(folder, '/v1/public/stats --url nowhere'),
    pay(folder, '/v1/public/stats'),
    pay(withWallet, '/v1/public/stats'),
  ])
}

test('messages to operators, and of the test client', async () => {
  await expectMessages('operators', {
    'shelfmark-serve check': await findings(),
    'shelfmark-serve': await refusedPayees(),
    'shelfmark-pay: exit code': await refusalsOfClient(),
  })
})
