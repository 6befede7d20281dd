import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../api/ops/config.ts'
import { openFileJournal } from '../../../api/payment/file-journal.ts'
import type { Journal } from '../../../api/payment/journal.ts'
import { openPostgresJournal } from '../../../api/payment/postgres-journal.ts'
import { DAY_MS } from '../../../engine/index.ts'
import { temporaryFolder } from '../../support/given.ts'
import { listedPayments } from '../../support/listed-payments.ts'
import { startPostgres } from '../../support/postgres.ts'
import { anySent } from './any-sent.ts'

const LEASE_MS = 60_000
const now = Date.now()

let postgres: { url: string; stop: () => Promise<void> }
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const answer = { body: Buffer.from('an answer that nobody keeps'), freshness_seconds: 0 }

/** Pays for an answer, as the gate does. */
const pay = async (journal: Journal, number: number, at: number): Promise<void> => {
  const claim = await journal.claim({
    key: `key ${number}`,
    alias: null,
    question: `GET /v1/a?q=${number}`,
    payer: 'base/0xabc',
    retry_key: null,
    secret_hash: null,
  })
  if (claim.outcome !== 'held') throw new Error(`it is ${claim.outcome}`)
  const { entry } = claim
  await journal.record({ ...entry, state: 'settling', answer, receipt: null, sent: anySent(at) })
  const paid = { at, network: 'base', transaction: `0x${number}`, amount: '10000', payer: '0xabc' } as const
  // Those of earlier versions are not marked.
  const settlement = number === 1 ? paid : { ...paid, is_verified: true }
  await journal.record({ ...entry, state: 'settled', answer, receipt: {}, settlement })
  const handed = { delivered_at: at, handed_to: null }
  await journal.record({ ...entry, state: 'delivered', answer, receipt: {}, settlement, ...handed })
}

const configOf = (journal: string, more = {}) => readConfig({ SHELFMARK_JOURNAL: journal, ...more })
const day = (at: number): string => new Date(at).toISOString()
const numbersOf = ({ lines }: { lines: string[] }) => lines.map((line) => Number(/q=(\d+)/.exec(line)?.[1]))

describe('settled payments in a file', () => {
  const newFile = async () => join(await temporaryFolder(), 'payments.jsonl')

  test('are listed in the given period, even while the journal is open', async () => {
    const file = await newFile()
    const journal = await openFileJournal(file)
    for (const number of [1, 2, 3]) await pay(journal, number, now - 4000 + number * 1000)
    const { lines, totals } = await listedPayments(configOf(file), { csv: true })
    expect(lines).toEqual([
      'settled_at,network,transaction,amount,usd,payer,question,verified',
      ...[1, 2, 3].map(
        (number) =>
          `${day(now - 4000 + number * 1000)},base,0x${number},10000,0.010000,0xabc,GET /v1/a?q=${number},${number === 1 ? 'unverified' : 'verified'}`,
      ),
    ])
    expect(totals).toBe('base: 3 payments, 0.030000 USD\n')
    expect(numbersOf(await listedPayments(configOf(file), { from: day(now - 2000), to: day(now - 1000) }))).toEqual([2])
    await journal.close()
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1, 2, 3])
  })

  test('move from the journal to monthly files after a day, without their answers', async () => {
    const file = await newFile()
    const first = await openFileJournal(file, { now: () => now - 40 * DAY_MS })
    await pay(first, 1, now - 40 * DAY_MS)
    await first.close()
    const second = await openFileJournal(file)
    await pay(second, 2, now)
    expect(readFileSync(file, 'utf8')).not.toContain('key 1')
    const folder = `${file}.settled`
    expect(readdirSync(folder)).toEqual([`${day(now - 40 * DAY_MS).slice(0, 7)}.jsonl`])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const [name = ''] = readdirSync(folder)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('an answer')
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1, 2])
    await second.close()
  })

  test('move while the service is running too', async () => {
    const file = await newFile()
    let clock = now - 3 * DAY_MS
    const journal = await openFileJournal(file, { now: () => clock })
    await pay(journal, 1, clock)
    clock = now
    await pay(journal, 2, clock)
    await pay(journal, 3, clock)
    expect(readFileSync(file, 'utf8')).not.toContain('key 1')
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1, 2, 3])
    await journal.close()
  })

  test('are listed once after a crash between the two files, and a torn line is repaired', async () => {
    const file = await newFile()
    const then = now - 2 * DAY_MS
    const first = await openFileJournal(file, { now: () => then })
    await pay(first, 1, then)
    await pay(first, 2, then + 1)
    await first.close()
    const before = readFileSync(file)
    await (await openFileJournal(file)).close()
    const month = join(`${file}.settled`, `${day(then).slice(0, 7)}.jsonl`)
    const whole = readFileSync(month, 'utf8')
    // The crash: the journal is as before, and the second line is cut off.
    writeFileSync(file, before)
    writeFileSync(month, whole.slice(0, -20))
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1, 2])
    await (await openFileJournal(file)).close()
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1, 2])
    for (const line of readFileSync(month, 'utf8').trim().split('\n')) JSON.parse(line)
  })

  test('stay in the journal where they cannot be moved', async () => {
    const file = await newFile()
    const first = await openFileJournal(file, { now: () => now - 2 * DAY_MS })
    await pay(first, 1, now - 2 * DAY_MS)
    await first.close()
    writeFileSync(`${file}.settled`, 'not a folder')
    await expect(openFileJournal(file)).rejects.toThrow(/EEXIST/)
    rmSync(`${file}.settled`)
    await (await openFileJournal(file)).close()
    expect(numbersOf(await listedPayments(configOf(file)))).toEqual([1])
  })

  test('are deleted by whole months and not listed once their retention has passed', async () => {
    const file = await newFile()
    mkdirSync(`${file}.settled`)
    const line = (number: number, at: number) =>
      `${JSON.stringify({ id: `${number}`, at, network: 'base', transaction: '0x', amount: '10000', payer: '0x', question: `?q=${number}` })}\n`
    for (const [number, age] of [
      [1, 500],
      [2, 40],
      [3, 11],
      [4, 9],
    ] as const)
      appendFileSync(
        join(`${file}.settled`, `${day(now - age * DAY_MS).slice(0, 7)}.jsonl`),
        line(number, now - age * DAY_MS),
      )
    const journal = await openFileJournal(file, { kept_ms: 10 * DAY_MS })
    expect(readdirSync(`${file}.settled`)).not.toContain(`${day(now - 500 * DAY_MS).slice(0, 7)}.jsonl`)
    expect(numbersOf(await listedPayments(configOf(file, { SHELFMARK_PAYMENTS_KEPT_DAYS: '10' })))).toEqual([4])
    await journal.close()
  })

  test('of an earlier version without a recorded transaction are omitted', async () => {
    const file = await newFile()
    const entry = {
      key: 'k',
      alias: null,
      question: 'GET /',
      retry_key: null,
      secret_hash: null,
      state: 'delivered',
      answer: null,
      receipt: {},
    }
    appendFileSync(file, `${JSON.stringify({ at: now - 2 * DAY_MS, entry })}\n`)
    await (await openFileJournal(file)).close()
    expect(await listedPayments(configOf(file))).toEqual({
      lines: [],
      totals: 'No payment was settled in that period.\n',
    })
  })

  test('cannot be listed without a journal or with an invalid period', async () => {
    const file = await newFile()
    await expect(listedPayments(configOf(file))).rejects.toThrow(/SHELFMARK_JOURNAL: there is no payment journal/)
    await expect(listedPayments(configOf(file), { from: 'yesterday' })).rejects.toThrow(/--from: expected a date/)
    await expect(listedPayments(configOf(file), { from: '2026-02-01', to: '2026-01-01' })).rejects.toThrow(
      /--to: expected/,
    )
  })
})

describe('settled payments in PostgreSQL', () => {
  test('outlive the day of the journal, without their answers, and are listed with the newer ones', async () => {
    const journal = await openPostgresJournal(postgres.url, LEASE_MS)
    await pay(journal, 1, now - 2 * DAY_MS)
    await pay(journal, 2, now - 1000)
    await journal.close()
    const { Client } = await import('pg')
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`UPDATE shelfmark_payments SET created_at = now() - INTERVAL '2 days' WHERE key = 'key 1'`)
    await (await openPostgresJournal(postgres.url, LEASE_MS, 10 * DAY_MS)).close()
    expect((await client.query('SELECT key FROM shelfmark_payments')).rows).toEqual([{ key: 'key 2' }])
    expect((await client.query('SELECT key FROM shelfmark_settled_payments')).rows).toEqual([{ key: 'key 1' }])
    const { lines } = await listedPayments(configOf(postgres.url), { csv: true })
    expect(lines.slice(1)).toEqual([
      `${day(now - 2 * DAY_MS)},base,0x1,10000,0.010000,0xabc,GET /v1/a?q=1,unverified`,
      `${day(now - 1000)},base,0x2,10000,0.010000,0xabc,GET /v1/a?q=2,verified`,
    ])
    await (await openPostgresJournal(postgres.url, LEASE_MS, DAY_MS)).close()
    expect((await client.query('SELECT key FROM shelfmark_settled_payments')).rows).toEqual([])
    await client.end()
  })
})
