import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../api/ops/config.ts'
import { openFileJournal } from '../../../api/payment/file-journal.ts'
import type { Entry, Journal, Spending } from '../../../api/payment/journal.ts'
import { readSettledPayments } from '../../../api/payment/journals.ts'
import { compiled } from '../../support/compiled.ts'
import { temporaryFolder } from '../../support/given.ts'
import { anySent } from './any-sent.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const start = Date.UTC(2026, 9, 31, 20)

const newFile = async () => join(await temporaryFolder(), 'payments.jsonl')
const spendingOf = (number: number, retry_key: string | null = null): Spending => ({
  key: `key ${number}`,
  alias: number % 2 === 0 ? `alias ${number}` : null,
  question: `GET /v1/a?q=${number}`,
  payer: 'base/0x2',
  retry_key,
  secret_hash: `secret ${number}`,
})
const answer = { body: Buffer.from('{"an":"answer"}'), freshness_seconds: 0 }

/** Pays for an answer at a time, as the gate does. */
const pay = async (journal: Journal, spending: Spending, at: number): Promise<void> => {
  const claim = await journal.claim(spending)
  if (claim.outcome !== 'held') throw new Error(`it is ${claim.outcome}`)
  const { entry } = claim
  await journal.record({ ...entry, state: 'settling', answer, receipt: null, sent: anySent(at) })
  const settlement = { at, network: 'base', transaction: `0x${spending.key}`, amount: '10000', payer: '0x2' } as const
  const settled: Entry = { ...entry, state: 'settled', answer, receipt: {}, settlement }
  await journal.record(settled)
  await journal.record({ ...settled, state: 'delivered', delivered_at: at, handed_to: null })
}

/** A journal with payments that were delivered at the start, opened again after some minutes. */
const paidBefore = async (numbers: readonly number[], minutes: number) => {
  const file = await newFile()
  const first = await openFileJournal(file, { now: () => start })
  for (const number of numbers) await pay(first, spendingOf(number), start)
  await first.close()
  return { file, journal: await openFileJournal(file, { now: () => start + minutes * MINUTE_MS }) }
}

const listed = async (file: string): Promise<string[]> => {
  const period = { from: 0, to: Number.POSITIVE_INFINITY }
  const queries: string[] = []
  for await (const { question } of readSettledPayments(readConfig({ SHELFMARK_JOURNAL: file }), period))
    queries.push(question)
  return queries.sort()
}
const queriesOf = (numbers: readonly number[]) => numbers.map((number) => spendingOf(number).question).sort()

describe('a payment that is spent', () => {
  test('leaves the journal and remains spent by its key and its alias', async () => {
    const { file, journal } = await paidBefore([1, 2], 11)
    expect(readFileSync(file, 'utf8')).toBe('')
    for (const opened of [journal, null]) {
      const again = opened ?? (await openFileJournal(file, { now: () => start + HOUR_MS }))
      const [byKey, byAlias] = [
        { ...spendingOf(9), key: 'key 2' },
        { ...spendingOf(9), alias: 'alias 2' },
      ]
      for (const spending of [spendingOf(1), spendingOf(2), byKey, byAlias]) {
        expect(await again.has(spending)).toBe(true)
        expect(await again.claim(spending)).toEqual({ outcome: 'spent' })
      }
      const others = [{ ...spendingOf(9), key: 'alias 2', alias: 'key 2' }, spendingOf(3)]
      for (const spending of others) expect(await again.has(spending)).toBe(false)
      await again.close()
    }
    expect(await listed(file)).toEqual(queriesOf([1, 2]))
  })

  test('is stored in files that only their owner can read', async () => {
    const { file, journal } = await paidBefore([1], 11)
    const [name = ''] = readdirSync(`${file}.spent`)
    expect(statSync(`${file}.spent`).mode & 0o777).toBe(0o700)
    expect(statSync(join(`${file}.spent`, name)).mode & 0o777).toBe(0o600)
    await journal.close()
  })

  test('gets its answer again for ten minutes, or for a day with its retry key', async () => {
    const { file, journal } = await paidBefore([1], 9)
    expect(await journal.claim(spendingOf(1))).toMatchObject({ outcome: 'replayed', entry: { answer } })
    await journal.close()
    let clock = start + 9 * MINUTE_MS
    const reopened = await openFileJournal(file, { now: () => clock })
    await pay(reopened, spendingOf(2, 'mine'), clock)
    clock = start + 20 * HOUR_MS
    await reopened.check()
    expect(await reopened.claim(spendingOf(1))).toEqual({ outcome: 'spent' })
    expect(await reopened.claim(spendingOf(2, 'mine'))).toMatchObject({ outcome: 'replayed', entry: { answer } })
    await reopened.close()
  })

  test('is moved in many steps while the service is running, and forgotten a day after it was claimed', async () => {
    const file = await newFile()
    let clock = start
    const journal = await openFileJournal(file, { now: () => clock })
    const numbers = Array.from({ length: 60 }, (_, i) => i + 1)
    for (const number of numbers) {
      await pay(journal, spendingOf(number), clock)
      clock += 31 * MINUTE_MS
    }
    await journal.check()
    const recent = await Promise.all(numbers.map((number) => journal.has(spendingOf(number))))
    await journal.close()
    // Files of about two hours are removed as wholes.
    const claimedAt = (number: number) => start + (number - 1) * 31 * MINUTE_MS
    for (const number of numbers) {
      const age = clock - claimedAt(number)
      if (age < 24 * HOUR_MS) expect(recent[number - 1], `payment ${number}`).toBe(true)
      if (age > 27 * HOUR_MS) expect(recent[number - 1], `payment ${number}`).toBe(false)
    }
    expect(await listed(file)).toEqual(queriesOf(numbers))
    await (await openFileJournal(file, { now: () => clock + 25 * HOUR_MS })).close()
    expect(readdirSync(`${file}.spent`)).toEqual([])
  })

  test.each([
    ['a flipped bit', (bytes: Buffer) => bytes.fill(bytes[20]! ^ 1, 20, 21)],
    ['a truncation', (bytes: Buffer) => bytes.subarray(0, bytes.length - 16)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('prevents the journal from opening where its file is corrupt by %s', async (_, damage) => {
    const { file, journal } = await paidBefore([1, 2, 3, 4], 11)
    await journal.close()
    const [name = ''] = readdirSync(`${file}.spent`)
    const path = join(`${file}.spent`, name)
    const whole = readFileSync(path)
    writeFileSync(path, damage(Buffer.from(whole)))
    await expect(openFileJournal(file)).rejects.toThrow(`SHELFMARK_JOURNAL: ${path} is corrupt: restore it`)
    writeFileSync(path, whole)
    await (await openFileJournal(file)).close()
  })
})

describe('a journal whose process is killed while it moves payments', () => {
  const observer = compiled('test/api/payment/journal-states.ts')
  const later = start + 20 * MINUTE_MS

  test('loses none and lists each one once, whichever write was the next', async () => {
    const file = await newFile()
    const journal = await openFileJournal(file, { now: () => start })
    // Settled on both sides of the end of a month.
    for (const [number, at] of [start, start + 5 * HOUR_MS].entries()) await pay(journal, spendingOf(number), at)
    await pay(journal, spendingOf(2, 'mine'), start)
    await journal.close()
    const states = join(await temporaryFolder(), 'states')
    const { status, stderr } = spawnSync(process.execPath, [observer, file, String(later), states])
    expect(status, stderr.toString()).toBe(0)
    const numbers = readdirSync(states)
    expect(numbers.length).toBeGreaterThan(15)
    for (const number of numbers) {
      const state = join(states, number, 'payments.jsonl')
      expect(await listed(state), `killed before change ${number}`).toEqual(queriesOf([0, 1, 2]))
      const opened = await openFileJournal(state, { now: () => later + 6 * HOUR_MS })
      for (const spent of [0, 1]) expect(await opened.claim(spendingOf(spent))).toEqual({ outcome: 'spent' })
      expect(await opened.claim(spendingOf(2, 'mine'))).toMatchObject({ outcome: 'replayed' })
      await opened.close()
      expect(await listed(state)).toEqual(queriesOf([0, 1, 2]))
    }
  })
})
