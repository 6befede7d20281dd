import { appendFileSync, closeSync, fdatasync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { HOUR_MS } from '../../engine/index.ts'
import type { SerializedAnswer } from '../http/answer.ts'
import { ConfigError } from '../ops/config.ts'
import { replaceFile, shareFlushes } from './durable.ts'
import {
  type Claim,
  claimOf,
  type Entry,
  fromJson,
  type Journal,
  OWED_MS,
  REPLAY_MS,
  RETENTION_MS,
  type Spending,
  toJson,
} from './journal.ts'
import { lockJournal } from './journal-lock.ts'
import { readLines } from './lines.ts'
import { createPayerIndex } from './payer-index.ts'
import { type NamedPayment, settledPaymentOf } from './settled.ts'
import { createSettledFiles } from './settled-files.ts'
import { openSpentFiles } from './spent-files.ts'

/** An entry and the time of its claim. */
type TimedEntry = { at: number; entry: Entry }
type JournalLine = TimedEntry | { at: number; released: string }

const sync = promisify(fdatasync)

/** The journal is compacted after this many appended bytes, or after half its compacted size if that is more. */
const COMPACT_BYTES = 16 * 1024 * 1024
/** It is compacted at least this often, in milliseconds. */
const COMPACT_MS = HOUR_MS
/** Entries written at once. */
const BATCH_SIZE = 10_000

const lineText = (line: JournalLine): string =>
  `${JSON.stringify('entry' in line ? { ...line, entry: toJson(line.entry) } : line)}\n`
/** The line for a new state of an entry whose answer is in an earlier line. */
const laterLineText = ({ at, entry }: TimedEntry): string => {
  const { answer: _, ...rest } = entry
  return `${JSON.stringify({ at, entry: rest })}\n`
}
const lineOf = (text: string): JournalLine => {
  const line = JSON.parse(text)
  return 'entry' in line ? { ...line, entry: fromJson(line.entry) } : line
}

function* textsOf(lines: readonly JournalLine[]): Generator<string> {
  for (let from = 0; from < lines.length; from += BATCH_SIZE)
    yield lines
      .slice(from, from + BATCH_SIZE)
      .map(lineText)
      .join('')
}

/** The changes of state in a journal. The last one may be cut off by a crash: nothing was sent because of it. */
function* readChanges(path: string): Generator<JournalLine> {
  let number = 0
  for (const text of readLines(path)) {
    number += 1
    try {
      yield lineOf(text)
    } catch {
      throw new ConfigError(`SHELFMARK_JOURNAL: ${path} is corrupt at line ${number}: repair it or move it away`)
    }
  }
}

/** The settled payments in a journal; a service may be writing it. */
export const readSettledEntries = (path: string): NamedPayment[] => {
  const settled = new Map<string, NamedPayment>()
  for (const line of readChanges(path)) {
    const payment = 'entry' in line ? settledPaymentOf(line.entry) : null
    if (payment) settled.set(payment.id, payment)
  }
  return [...settled.values()]
}

/** Entries by what they spend, oldest first. */
const createEntries = () => {
  const entries = new Map<string, TimedEntry>()
  const aliases = new Map<string, string>()
  const payers = createPayerIndex()
  const remove = (key: string): void => {
    const entry = entries.get(key)?.entry
    if (entry?.alias) aliases.delete(entry.alias)
    if (entry) payers.remove(entry)
    entries.delete(key)
  }
  /** Delivery times of payments whose answers are dropped after REPLAY_MS, oldest first. */
  const replayable = new Map<string, number>()
  return {
    find: ({ key, alias }: Spending): Entry | undefined =>
      (entries.get(key) ?? entries.get(aliases.get(alias ?? '') ?? ''))?.entry,
    get: (key = '') => entries.get(key),
    payers,
    remove,
    answerOf: (key: string): SerializedAnswer | null => entries.get(key)?.entry.answer ?? null,
    /** Sets an entry that was read; if its line has no answer, keeps that of the previous line. */
    restore(read: Entry, at: number): void {
      const { answer = this.answerOf(read.key) } = read
      this.set({ ...read, answer } as Entry, at)
    },
    set(entry: Entry, at: number): void {
      const previous = entries.get(entry.key)?.entry
      if (previous) payers.remove(previous)
      payers.add(entry)
      entries.set(entry.key, { at: entries.get(entry.key)?.at ?? at, entry })
      if (entry.alias) aliases.set(entry.alias, entry.key)
      if (entry.state === 'delivered' && entry.answer && entry.retry_key === null)
        replayable.set(entry.key, entry.delivered_at)
    },
    /** Drops the answers of payments that were delivered before a time. */
    dropAnswers(before: number): void {
      for (const [key, delivered_at] of replayable) {
        if (delivered_at >= before) return
        replayable.delete(key)
        const timed = entries.get(key)
        if (timed?.entry.state === 'delivered') timed.entry = { ...timed.entry, answer: null }
      }
    },
    /** Entries to remove: those claimed before a time, and delivered ones without an answer, which are only spent. */
    leaving(before: number): { expired: TimedEntry[]; spent: TimedEntry[] } {
      const [expired, spent]: [TimedEntry[], TimedEntry[]] = [[], []]
      for (const timed of entries.values())
        if (timed.at < before) expired.push(timed)
        else if (timed.entry.state === 'delivered' && timed.entry.answer === null) spent.push(timed)
      return { expired, spent }
    },
    lasting: (): JournalLine[] => [...entries.values()].filter(({ entry }) => entry.state !== 'claimed'),
  }
}

export type FileJournalOptions = {
  /** How long settled payments are kept, in milliseconds; default for ever. */
  kept_ms?: number
  now?: () => number
}

/**
 * A journal in a file, for one process: one line for each change of state, on disk before the payment continues. Claims
 * are not written, since they cost nothing and end with their process. Throws if another process has the file open.
 */
export const openFileJournal = async (
  file: string,
  { kept_ms = Number.POSITIVE_INFINITY, now = Date.now }: FileJournalOptions = {},
): Promise<Journal> => {
  const path = resolve(file)
  mkdirSync(dirname(path), { recursive: true })
  const unlock = await lockJournal(path)
  const entries = createEntries()
  const settledFiles = createSettledFiles(path)
  let spentFiles: ReturnType<typeof openSpentFiles>
  const held = new Set<string>()
  /** Held payments whose first request has ended without the answer. */
  const owed = new Set<string>()
  let descriptor = -1
  let size = 0
  let kept = 0
  let compacted = 0

  /** Opens the file that has replaced the former one. */
  const reopen = (): void => {
    const former = descriptor
    descriptor = -1
    if (former >= 0) closeSync(former)
    descriptor = openSync(path, 'a', 0o600)
    size = fstatSync(descriptor).size
  }

  /** Keeps entries whose answers may still be sent. Moves the others in steps, each durable before the next. */
  const compact = (): void => {
    entries.dropAnswers(now() - REPLAY_MS)
    const { expired, spent } = entries.leaving(now() - RETENTION_MS)
    const removed = [...expired, ...spent].map(({ entry }) => entry)
    settledFiles.append(removed.flatMap((entry) => settledPaymentOf(entry) ?? []))
    spentFiles.add(spent.map(({ at, entry: { key, alias } }) => ({ at, key, alias })))
    for (const { key } of removed) entries.remove(key)
    try {
      replaceFile(path, textsOf(entries.lasting()))
    } finally {
      reopen()
    }
    kept = size
    compacted = now()
    settledFiles.forget(now() - kept_ms)
    spentFiles.forget(now() - RETENTION_MS)
  }

  try {
    spentFiles = openSpentFiles(path)
    for (const line of readChanges(path)) {
      if ('released' in line) entries.remove(line.released)
      else entries.restore(line.entry, line.at)
    }
    compact()
  } catch (error) {
    unlock()
    throw error
  }

  const append = (text: string): void => {
    try {
      appendFileSync(descriptor, text)
    } catch (error) {
      // A full disk writes part of a line, which would corrupt the next.
      ftruncateSync(descriptor, size)
      throw error
    }
    size += Buffer.byteLength(text)
  }

  const flush = shareFlushes(() => {
    if (size - kept > Math.max(COMPACT_BYTES, kept / 2) || now() > compacted + COMPACT_MS) compact()
    return sync(descriptor)
  })

  const hold = ({ key, state }: Entry): void => {
    held.add(key)
    if (state !== 'claimed') owed.add(key)
  }
  const unhold = ({ key }: Pick<Entry, 'key'>): void => {
    held.delete(key)
    owed.delete(key)
  }

  return {
    has: async (spending) => entries.find(spending) !== undefined || spentFiles.has(spending),
    async claim(spending): Promise<Claim> {
      const existing = entries.find(spending)
      if (!existing && spentFiles.has(spending)) return { outcome: 'spent' }
      if (existing && held.has(existing.key)) return { outcome: 'busy' }
      const entry: Entry = existing ?? { ...spending, state: 'claimed', answer: null, receipt: null }
      if (!existing && entries.payers.retried(spending)) return { outcome: 'busy' }
      const claim = claimOf(entry, spending, now())
      if (claim.outcome === 'held') hold(claim.entry)
      if (!existing) entries.set(entry, now())
      return claim
    },
    async earlier(spending) {
      const { payers } = entries
      const isOwed = (key: string): boolean =>
        (owed.has(key) || !held.has(key)) && (entries.get(key)?.at ?? 0) > now() - OWED_MS
      const key =
        payers.retried(spending) ?? payers.handed(spending, now() - REPLAY_MS) ?? payers.unanswered(spending, isOwed)
      return entries.get(key)?.entry ?? null
    },
    async takeUp(key) {
      const entry = entries.get(key)?.entry
      if (!entry || entry.state === 'delivered' || held.has(key)) return null
      hold(entry)
      return entry
    },
    async owe({ key }) {
      owed.add(key)
    },
    inDoubt: async (limit) => entries.payers.settling(limit, (key) => !held.has(key)),
    async record(entry) {
      const recorded_at = now()
      entries.dropAnswers(recorded_at - REPLAY_MS)
      const isAnswerWritten = entry.answer !== null && entry.answer === entries.answerOf(entry.key)
      entries.set(entry, recorded_at)
      append(isAnswerWritten ? laterLineText({ at: recorded_at, entry }) : lineText({ at: recorded_at, entry }))
      if (entry.state === 'delivered') unhold(entry)
      else await flush()
    },
    async release({ key, state }) {
      entries.remove(key)
      unhold({ key })
      if (state !== 'claimed') append(lineText({ at: now(), released: key }))
    },
    async suspend(entry) {
      unhold(entry)
    },
    async check() {
      await flush()
    },
    async close() {
      await flush()
      closeSync(descriptor)
      // Pending work must not write into a file that reuses this descriptor.
      descriptor = -1
      unlock()
    },
  }
}
