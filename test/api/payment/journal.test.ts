import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFileJournal } from '../../../api/payment/file-journal.ts'
import type { Entry, Journal, Settlement, Spending } from '../../../api/payment/journal.ts'
import { openPostgresJournal } from '../../../api/payment/postgres-journal.ts'
import { temporaryFolder } from '../../support/given.ts'
import { startPostgres } from '../../support/postgres.ts'
import { anySent } from './any-sent.ts'

type State<S extends Entry['state']> = Extract<Entry, { state: S }>

const LEASE_MS = 60_000
let url = ''
let path = ''
let stop: (() => Promise<void>) | undefined

beforeAll(async () => {
  path = join(await temporaryFolder(), 'payments.jsonl')
  ;({ url, stop } = await startPostgres())
})

afterAll(() => stop?.())

let made = 0
const spending = (change: Partial<Spending> = {}): Spending => {
  made += 1
  return {
    key: `key ${made}`,
    alias: `alias ${made}`,
    question: 'GET /a',
    payer: `base/0x${made}`,
    retry_key: null,
    secret_hash: `secret ${made}`,
    ...change,
  }
}
const answer = { body: Buffer.from('{"name":"Crème brûlée \\u0000"}'), freshness_seconds: 3600 }
const receipt = { 'payment-receipt': 'a receipt' }
const settlement: Settlement = { at: Date.now(), network: 'base', transaction: '0x1', amount: '10000', payer: '0x2' }
const sent = anySent()
const settling = (entry: Entry): State<'settling'> => ({ ...entry, state: 'settling', answer, receipt: null, sent })
const settled = (entry: Entry): State<'settled'> => ({ ...entry, state: 'settled', answer, receipt, settlement })
const delivered = (entry: Entry, seconds_ago = 0): State<'delivered'> => ({
  ...entry,
  ...{
    state: 'delivered',
    answer,
    receipt,
    settlement,
    delivered_at: Date.now() - seconds_ago * 1000,
    handed_to: null,
  },
})

const kinds = [
  ['a file', () => openFileJournal(path)],
  ['PostgreSQL', () => openPostgresJournal(url, LEASE_MS)],
] as const

describe.each(kinds)('a journal in %s', (_, open) => {
  let journal: Journal
  const reopen = async () => {
    await journal.close()
    journal = await open()
  }
  const hold = async (spent: Spending): Promise<Entry> => {
    const claim = await journal.claim(spent)
    if (claim.outcome !== 'held') throw new Error(`it is ${claim.outcome}`)
    return claim.entry
  }

  beforeAll(async () => {
    journal = await open()
  })
  afterAll(() => journal.close())

  test('grants a payment to exactly one of a hundred concurrent claims', async () => {
    const spent = spending()
    expect(await journal.has(spent)).toBe(false)
    const claims = await Promise.all(Array.from({ length: 100 }, () => journal.claim(spent)))
    expect(claims.filter(({ outcome }) => outcome === 'held')).toHaveLength(1)
    expect(claims.filter(({ outcome }) => outcome === 'busy')).toHaveLength(99)
    expect(await journal.has(spent)).toBe(true)
  })

  test('refuses a claim that shares the key or the alias of a spent payment', async () => {
    const spent = spending()
    const entry = await hold(spent)
    await journal.record(settling(entry))
    await journal.record(settled(entry))
    await journal.record(delivered(entry))
    expect(await journal.claim(spending({ key: spent.key }))).toEqual({ outcome: 'spent' })
    expect(await journal.claim(spending({ alias: spent.alias }))).toEqual({ outcome: 'spent' })
    expect(await journal.has(spending({ alias: spent.alias }))).toBe(true)
  })

  test('keeps payments without an alias apart', async () => {
    await hold(spending({ alias: null }))
    await hold(spending({ alias: null }))
  })

  test('allows a released payment to be claimed for any query', async () => {
    const spent = spending()
    await journal.release(await hold(spent))
    const other = { ...spent, question: 'GET /b' }
    expect(await hold(other)).toMatchObject({ ...other, state: 'claimed' })
    await journal.release(settling(await hold(spending())))
  })

  test('gives a payment in doubt to the next request for the same query, with its computed answer', async () => {
    const spent = spending()
    const entry = await hold(spent)
    await journal.record(settling(entry))
    expect(await journal.claim(spent)).toEqual({ outcome: 'busy' })
    await journal.suspend(entry)
    expect(await journal.claim({ ...spent, question: 'GET /b' })).toEqual({ outcome: 'spent' })
    expect(await hold(spent)).toEqual(settling(entry))
    expect(await journal.claim(spent)).toEqual({ outcome: 'busy' })
  })

  test('returns a delivered answer to the same payment and query for ten minutes', async () => {
    const [recent, old] = [spending(), spending()]
    await journal.record(delivered(await hold(recent), 590))
    await journal.record(delivered(await hold(old), 601))
    for (let i = 0; i < 2; i += 1)
      expect(await journal.claim(recent)).toMatchObject({ outcome: 'replayed', entry: { answer, receipt, settlement } })
    expect(await journal.claim({ ...recent, question: 'GET /b' })).toEqual({ outcome: 'spent' })
    expect(await journal.claim(old)).toEqual({ outcome: 'spent' })
    await reopen()
    expect(await journal.claim(recent)).toMatchObject({ outcome: 'replayed', entry: { answer } })
    expect(await journal.claim(old)).toEqual({ outcome: 'spent' })
  })

  test('returns a delivered answer for longer to a payment with the same retry key', async () => {
    const keyed = spending({ retry_key: 'mine' })
    await journal.record(delivered(await hold(keyed), 3600))
    expect(await journal.claim({ ...keyed, retry_key: null })).toEqual({ outcome: 'spent' })
    expect(await journal.claim({ ...keyed, retry_key: 'a guess' })).toEqual({ outcome: 'spent' })
    expect(await journal.claim(keyed)).toMatchObject({ outcome: 'replayed', entry: { answer, receipt, settlement } })
  })

  test('gives an owed answer to its payer for the same query, once the request that bought it has ended', async () => {
    const spent = spending()
    const later = spending({ payer: spent.payer })
    const entry = await hold(spent)
    expect(await journal.earlier(later)).toBeNull()
    await journal.record(settling(entry))
    expect(await journal.earlier(later)).toBeNull()
    await journal.owe(entry)
    expect(await journal.earlier(later)).toEqual(settling(entry))
    expect(await journal.earlier({ ...later, payer: 'base/0xother' })).toBeNull()
    expect(await journal.earlier({ ...later, question: 'GET /b' })).toBeNull()
    expect(await journal.takeUp(spent.key)).toBeNull()
    await journal.record(settled(entry))
    await journal.suspend(entry)
    expect(await journal.takeUp(spent.key)).toMatchObject({ state: 'settled', answer })
    expect(await journal.earlier(later)).toMatchObject({ state: 'settled' })
    await journal.record({ ...delivered(entry), handed_to: later.key })
    expect(await journal.earlier(later)).toMatchObject({ state: 'delivered', answer })
    expect(await journal.earlier(spending({ payer: spent.payer }))).toBeNull()
    expect(await journal.takeUp(spent.key)).toBeNull()
    await reopen()
    expect(await journal.earlier(later)).toMatchObject({ state: 'delivered', answer })
    expect(await journal.earlier({ ...later, payer: 'base/0xother' })).toBeNull()
  })

  test('binds a retry key of a payer to one payment, whatever the query', async () => {
    const keyed = spending({ retry_key: 'mine' })
    const { payer } = keyed
    const entry = await hold(keyed)
    const again = spending({ payer, retry_key: 'mine', question: 'GET /b' })
    expect(await journal.claim(again)).toEqual({ outcome: 'busy' })
    expect(await journal.earlier(again)).toMatchObject({ key: keyed.key, question: 'GET /a' })
    await hold(spending({ retry_key: 'mine' }))
    await journal.release(entry)
    expect(await journal.earlier(again)).toBeNull()
    const bought = await hold(again)
    await journal.record(delivered(bought, 3600))
    await reopen()
    expect(await journal.earlier(spending({ payer, retry_key: 'mine' }))).toMatchObject({ state: 'delivered', answer })
    expect(await journal.earlier(spending({ payer, retry_key: 'another' }))).toBeNull()
  })

  test('lists payments that are in doubt and held by no request, with what is needed to settle them', async () => {
    const before = await journal.inDoubt(1000)
    const [live, left] = [await hold(spending()), await hold(spending())]
    await journal.record(settling(live))
    await journal.record(settling(left))
    await journal.suspend(left)
    expect(await journal.inDoubt(1000)).toEqual([...before, left.key])
    await reopen()
    expect(await journal.inDoubt(1000)).toContain(left.key)
    expect(await journal.takeUp(left.key)).toMatchObject({ state: 'settling', answer, sent })
    expect(await journal.inDoubt(1000)).not.toContain(left.key)
  })

  test('remembers after a restart what may have reached a chain', async () => {
    const [inDoubt, paid, over, refused] = [spending(), spending(), spending(), spending()]
    await journal.record(settling(await hold(inDoubt)))
    await journal.suspend(settling({ ...inDoubt, state: 'claimed', answer: null, receipt: null }))
    const entry = await hold(paid)
    await journal.record(settled(entry))
    await journal.suspend(entry)
    await journal.record(delivered(await hold(over)))
    await journal.release(settling(await hold(refused)))
    await reopen()
    expect(await hold(inDoubt)).toMatchObject({ state: 'settling', answer })
    expect(await hold(paid)).toMatchObject({ state: 'settled', answer, receipt, settlement })
    expect(await journal.claim(over)).toMatchObject({ outcome: 'replayed' })
    expect(await hold(refused)).toMatchObject({ state: 'claimed' })
  })
})

describe('a journal in a file', () => {
  const open = async (lines: string) => {
    const file = join(await temporaryFolder(), 'payments.jsonl')
    appendFileSync(file, lines)
    return { file, journal: openFileJournal(file) }
  }
  const lineOf = (entry: unknown, at = Date.now()) => `${JSON.stringify({ at, entry })}\n`
  const line = (spent: Spending, at = Date.now()) => lineOf({ ...spent, state: 'delivered', answer: null, receipt }, at)

  test('drops a last line that was cut off', async () => {
    const spent = spending()
    const kept = lineOf({ ...spent, state: 'settling', answer: { body: '{}', freshness_seconds: 0 }, receipt: null })
    const { file, journal } = await open(`${kept}{"at":17952`)
    const opened = await journal
    expect(await opened.has(spent)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(kept)
    await opened.close()
  })

  test('is refused with the line number where another line is corrupt', async () => {
    const { journal } = await open(`${line(spending())}nonsense\n${line(spending())}`)
    await expect(journal).rejects.toThrow(/corrupt at line 2/)
  })

  test('forgets payments after a day', async () => {
    const [old, young] = [spending(), spending()]
    const { file, journal } = await open(line(old, Date.now() - 25 * 3_600_000) + line(young))
    const opened = await journal
    expect([await opened.has(old), await opened.has(young)]).toEqual([false, true])
    await opened.close()
    const reopened = await openFileJournal(file)
    expect([await reopened.has(old), await reopened.has(young)]).toEqual([false, true])
    await reopened.close()
  })

  test('can be opened by one process at a time', async () => {
    const { file, journal } = await open('')
    const opened = await journal
    await expect(openFileJournal(file)).rejects.toThrow(/process \d+ has .* open already/)
    await opened.close()
    await (await openFileJournal(file)).close()
  })

  test('can be read by its owner alone', async () => {
    const { file, journal } = await open('')
    await (await journal).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('a journal in PostgreSQL', () => {
  test('shared by two processes grants a payment to one of them', async () => {
    const journals = await Promise.all([openPostgresJournal(url, LEASE_MS), openPostgresJournal(url, LEASE_MS)])
    const spent = spending()
    const claims = await Promise.all(Array.from({ length: 40 }, (_, i) => journals[i % 2]!.claim(spent)))
    expect(claims.filter(({ outcome }) => outcome === 'held')).toHaveLength(1)
    for (const journal of journals) await journal.close()
  })

  test('takes a payment over from a dead process, which can no longer record anything', async () => {
    const [dead, alive] = await Promise.all([openPostgresJournal(url, 2000), openPostgresJournal(url, LEASE_MS)])
    const spent = spending()
    const claim = await dead.claim(spent)
    if (claim.outcome !== 'held') throw new Error('it was not claimed')
    await dead.record(settling(claim.entry))
    expect(await alive.claim(spent)).toEqual({ outcome: 'busy' })
    await new Promise((resolve) => setTimeout(resolve, 2100))
    expect(await alive.claim(spent)).toMatchObject({ outcome: 'held', entry: { state: 'settling' } })
    await expect(dead.record(settled(claim.entry))).rejects.toThrow(/was lost/)
    await dead.release(claim.entry)
    expect(await alive.has(spent)).toBe(true)
    for (const journal of [dead, alive]) await journal.close()
  })
})
