import { expect, test } from 'vitest'
import { claimOf, type Entry, type Spending } from '../../../api/payment/journal.ts'
import { anySent } from './any-sent.ts'

const NOW = Date.now()
const keyed: Spending = {
  key: 'key',
  alias: null,
  question: 'GET /a',
  payer: 'base/0x1',
  retry_key: 'a name that nobody guesses',
  secret_hash: 'the hash of the secret',
}
const answer = { body: Buffer.from('{}'), freshness_seconds: 3600 }
const settlement = { at: NOW, network: 'base', transaction: '0x1', amount: '10000', payer: '0x1' } as const
const entries: Entry[] = [
  { ...keyed, state: 'settling', answer, receipt: null, sent: anySent() },
  { ...keyed, state: 'settled', answer, receipt: {}, settlement },
  { ...keyed, state: 'delivered', answer, receipt: {}, settlement, delivered_at: NOW, handed_to: null },
]
const copied: Spending = { ...keyed, retry_key: null, secret_hash: null }

test.each(entries)('a $state payment is given to whoever repeats its secret or its long name alone', (entry) => {
  const outcome = entry.state === 'delivered' ? 'replayed' : 'held'
  for (const proof of [{ secret_hash: keyed.secret_hash }, { retry_key: keyed.retry_key }])
    expect(claimOf(entry, { ...copied, ...proof }, NOW).outcome).toBe(outcome)
  for (const guess of [{}, { secret_hash: 'another' }, { retry_key: 'another' }])
    expect(claimOf(entry, { ...copied, ...guess }, NOW)).toEqual({ outcome: 'unproven' })
  const short = { ...entry, retry_key: 'short', secret_hash: null } as Entry
  expect(claimOf(short, { ...copied, retry_key: 'short' }, NOW)).toEqual({ outcome: 'unproven' })
})
