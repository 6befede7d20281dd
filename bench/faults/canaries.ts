import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTestWallet, testWallet } from '../../api/payment/test-wallet.ts'
import { cheap, createPayer, networks } from '../../test/api/payment/paying.ts'
import { send } from '../../test/support/http.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { type Measured, progress, Tally } from './figure.ts'
import { serveProcess } from './served.ts'

const AT_ONCE = 8
const SECRET = 'a-secret-canary-of-32-characters-or-more'

/** The parts of a payment header that must not be logged: the whole value, and every long text inside it. */
const canariesIn = (value: string): string[] => {
  const encoded = value.replace(/^Payment /, '')
  const decoded = Buffer.from(encoded, 'base64').toString()
  return [
    encoded,
    ...[...decoded.matchAll(/"(?:signature|nonce|transaction)":"([^"]{16,})"/g)].map(([, text]) => text!),
  ]
}

/** Paid requests with secrets in every header: the log contains none, even at its most detailed level. */
export const measureCanaries = async (rounds: number): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-canaries-'))
  const lake = join(folder, 'lake')
  await symlink((await sampleLake()).lake, lake)
  const { port, log, errors, stop } = await serveProcess({
    SHELFMARK_LAKE: lake,
    SHELFMARK_PAYMENTS: 'embedded',
    SHELFMARK_LOG_LEVEL: 'trace',
    SHELFMARK_SLOW_MS: '1',
    SHELFMARK_MPP_SECRET: SECRET,
  })
  const wallet = await readTestWallet(testWallet({ lake }))
  if (!wallet) throw new Error('the service left no test wallet')
  const payer = await createPayer(wallet)
  const canaries = new Set([
    SECRET,
    payer.evm.address,
    payer.account.address,
    payer.solana,
    ...Object.values(wallet.payers),
  ])
  const tally = new Tally()
  const report = progress('payments', rounds)
  const pay = async (i: number): Promise<void> => {
    const secret = `canary-${i}-${'x'.repeat(16)}`
    const challenge = await send(port, cheap)
    const paid = await payer.pay(challenge, networks[i % networks.length]!)
    for (const value of Object.values(paid)) for (const canary of canariesIn(value)) canaries.add(canary)
    canaries.add(secret)
    const headers = { ...paid, cookie: secret, 'idempotency-key': secret, 'x-other': secret, 'user-agent': secret }
    const { status } = await send(port, `${cheap}&country=us`, { headers: { cookie: secret } }).then(() =>
      send(port, cheap, { headers }),
    )
    tally.count(status !== 200 && `${status} for a payment`)
    report(i + 1)
  }
  const rest = Array.from({ length: rounds }, (_, i) => i).values()
  const payRest = async (): Promise<void> => {
    for (const i of rest) await pay(i)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, payRest))
  await stop()
  await rm(folder, { recursive: true, force: true })
  const text = [...log.map((line) => JSON.stringify(line)), ...errors].join('\n').toLowerCase()
  let count = 0
  for (const canary of canaries)
    if (text.includes(canary.toLowerCase())) {
      count += 1
      tally.count(`found ${canary.slice(0, 12)}...`)
    }
  const lines = log.length.toLocaleString('en')
  return tally.measured(`${canaries.size.toLocaleString('en')} canaries searched in ${lines} lines, ${count} found`)
}
