import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../api/ops/config.ts'
import { openFileJournal } from '../api/payment/file-journal.ts'
import type { Entry, Journal, Settlement } from '../api/payment/journal.ts'
import { readSettledPayments } from '../api/payment/journals.ts'
import { DAY_MS } from '../engine/contract/time.ts'
import { anySent } from '../test/api/payment/any-sent.ts'
import { bytesOf, runWorker } from './lake.ts'

const MAX_PAYMENTS = 1_000_000
/** Concurrent payments, whose writes are flushed together. */
const TOGETHER = 1000
/** About as long as answers are. */
const ANSWER_BYTES = 2000

const answer = { body: Buffer.alloc(ANSWER_BYTES, '{"an":"answer"} '), freshness_seconds: 3600 }
const receipt = { 'payment-receipt': 'eyJ'.padEnd(300, 'receipt') }

/** One payment by the steps of the gate; every third one is of Tempo, which spends two things. */
const pay = async (journal: Journal, number: number, at: number): Promise<void> => {
  const hex = number.toString(16).padStart(64, '0')
  const isTempo = number % 3 === 0
  const claim = await journal.claim({
    key: isTempo ? `mpp/${hex}` : `eip155:84532/0x${hex.slice(0, 40)}/0x${hex}`,
    alias: isTempo ? `eip155:42431/0x${hex}` : null,
    question: `GET /v1/shopper/best-price?q=${number}`,
    payer: `${isTempo ? 'tempo' : 'base'}/0x${hex.slice(24)}`,
    retry_key: null,
    secret_hash: null,
  })
  if (claim.outcome !== 'held') throw new Error(`payment ${number} is ${claim.outcome}`)
  const { entry } = claim
  const network = isTempo ? 'tempo' : 'base'
  const settlement: Settlement = { at, network, transaction: `0x${hex}`, amount: '10000', payer: `0x${hex.slice(24)}` }
  const settled: Entry = { ...entry, state: 'settled', answer, receipt, settlement }
  await journal.record({ ...entry, state: 'settling', answer, receipt: null, sent: anySent(at) })
  await journal.record(settled)
  await journal.record({ ...settled, state: 'delivered', delivered_at: at, handed_to: null })
}

/** Writes payments spread over a day that ends now, and leaves the journal as a killed process would. */
const write = async (file: string, payments: number, end: number): Promise<number> => {
  let clock = end - DAY_MS + 1
  const start = performance.now()
  const journal = await openFileJournal(file, { now: () => clock })
  for (let first = 0; first < payments; first += TOGETHER) {
    clock = Math.floor(end - DAY_MS * (1 - (first + 1) / payments))
    const count = Math.min(TOGETHER, payments - first)
    await Promise.all(Array.from({ length: count }, (_, i) => pay(journal, first + i, clock)))
  }
  await journal.close()
  return (performance.now() - start) / 1000
}

const countListed = async (file: string): Promise<number> => {
  let count = 0
  const period = { from: 0, to: Number.POSITIVE_INFINITY }
  for await (const _ of readSettledPayments(readConfig({ SHELFMARK_JOURNAL: file }), period)) count += 1
  return count
}

/** Opening a file journal after a day of payments, compared with opening an empty one. */
export const benchJournal = async (observations: number): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = []
  let floor_cpu_ms = Number.NaN
  for (const payments of [0, Math.min(observations, MAX_PAYMENTS)]) {
    const folder = mkdtempSync(join(tmpdir(), 'shelfmark-bench-journal-'))
    const file = join(folder, 'payments.jsonl')
    const now = Date.now()
    const write_seconds = await write(file, payments, now)
    const listed = await countListed(file)
    if (listed !== payments) throw new Error(`${listed} of ${payments} payments are listed`)
    const spent = `${file}.spent`
    const opened = (await runWorker('./journal-worker.ts', [file, String(now)])) as unknown as Record<string, number>
    const { open_cpu_ms = 0 } = opened
    if (payments === 0) floor_cpu_ms = open_cpu_ms
    const spent_bytes = existsSync(spent) ? bytesOf(spent) : 0
    rows.push({ payments, write_seconds, ...opened, cpu_ratio: open_cpu_ms / floor_cpu_ms, spent_bytes })
    rmSync(folder, { recursive: true })
  }
  return rows
}
