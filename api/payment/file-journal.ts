import {
  appendFileSync,
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import {
  type Claim,
  claimOf,
  type Entry,
  fromJson,
  type Journal,
  REPLAY_MS,
  RETENTION_MS,
  type Spending,
  toJson,
} from './journal.ts'
import { lockOf } from './journal-lock.ts'
import { readLines } from './lines.ts'
import { type NamedPayment, settledPaymentOf } from './settled.ts'
import { createSettledFiles } from './settled-files.ts'

type Line = { at: number; entry: Entry } | { at: number; released: string }

const sync = promisify(fdatasync)
const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants

/** So many bytes are appended before what is no longer needed is left out. */
const COMPACT_BYTES = 64 * 1024 * 1024
/** So long may it take, too, in milliseconds. */
const COMPACT_MS = 3_600_000
/** Entries written at once. */
const BATCH = 10_000

const textOf = (line: Line): string =>
  `${JSON.stringify('entry' in line ? { ...line, entry: toJson(line.entry) } : line)}\n`
const lineOf = (text: string): Line => {
  const line = JSON.parse(text)
  return 'entry' in line ? { ...line, entry: fromJson(line.entry) } : line
}

/** The changes of state in a journal. The last one may be cut off by a crash: nothing was sent on its word. */
function* readChanges(path: string): Generator<Line> {
  let number = 0
  for (const text of readLines(path)) {
    number += 1
    try {
      yield lineOf(text)
    } catch {
      throw new Error(`the payment journal ${path} is corrupt at line ${number}: repair it or move it away`)
    }
  }
}

/** The settled payments that a journal still holds; a service may be writing it. */
export const readSettledEntries = (path: string): NamedPayment[] => {
  const settled = new Map<string, NamedPayment>()
  for (const line of readChanges(path)) {
    const payment = 'entry' in line ? settledPaymentOf(line.entry) : null
    if (payment) settled.set(payment.id, payment)
  }
  return [...settled.values()]
}

/** Entries by what they spend, oldest first; what is older than the retention is forgotten. */
const createEntries = () => {
  const entries = new Map<string, { at: number; entry: Entry }>()
  const aliases = new Map<string, string>()
  const remove = (key: string): void => {
    const alias = entries.get(key)?.entry.alias
    if (alias) aliases.delete(alias)
    entries.delete(key)
  }
  /** When payments were delivered whose answers are dropped after REPLAY_MS, oldest first. */
  const replayable = new Map<string, number>()
  return {
    find: ({ key, alias }: Spending): Entry | undefined =>
      (entries.get(key) ?? entries.get(aliases.get(alias ?? '') ?? ''))?.entry,
    remove,
    set(entry: Entry, at: number): void {
      entries.set(entry.key, { at: entries.get(entry.key)?.at ?? at, entry })
      if (entry.alias) aliases.set(entry.alias, entry.key)
      if (entry.state === 'delivered' && entry.answer && entry.retry_key === null)
        replayable.set(entry.key, entry.delivered_at)
    },
    /** Drops the answers of payments that were delivered before. */
    dropAnswers(before: number): void {
      for (const [key, delivered_at] of replayable) {
        if (delivered_at >= before) return
        replayable.delete(key)
        const found = entries.get(key)
        if (found?.entry.state === 'delivered') found.entry = { ...found.entry, answer: null }
      }
    },
    olderThan(time: number): Entry[] {
      const old: Entry[] = []
      for (const { at, entry } of entries.values()) {
        if (at >= time) break
        old.push(entry)
      }
      return old
    },
    lasting: (): Line[] => [...entries.values()].filter(({ entry }) => entry.state !== 'claimed'),
  }
}

export type FileJournalOptions = {
  /** Settled payments are kept for so long, in milliseconds; default for ever. */
  kept_ms?: number
  now?: () => number
}

/**
 * A journal in a file of one process: a line a change of state, on the disk before the payment goes on. A claim alone is
 * not written, since it costs nothing and ends with its process. Throws where another process has the file open.
 */
export const openFileJournal = async (
  file: string,
  { kept_ms = Number.POSITIVE_INFINITY, now = Date.now }: FileJournalOptions = {},
): Promise<Journal> => {
  const path = resolve(file)
  mkdirSync(dirname(path), { recursive: true })
  const unlock = await lockOf(path)
  const entries = createEntries()
  const settledFiles = createSettledFiles(path)
  const held = new Set<string>()
  let descriptor = -1
  let size = 0
  let written = 0
  let compacted = 0

  const compact = (): void => {
    entries.dropAnswers(now() - REPLAY_MS)
    const old = entries.olderThan(now() - RETENTION_MS)
    // Until this has succeeded they stay in the journal.
    settledFiles.append(old.flatMap((entry) => settledPaymentOf(entry) ?? []))
    settledFiles.forget(now() - kept_ms)
    for (const { key } of old) entries.remove(key)
    const next = openSync(`${path}.new`, O_APPEND | O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    const lasting = entries.lasting()
    size = 0
    for (let from = 0; from < lasting.length; from += BATCH) {
      const text = lasting
        .slice(from, from + BATCH)
        .map(textOf)
        .join('')
      appendFileSync(next, text)
      size += Buffer.byteLength(text)
    }
    fsyncSync(next)
    renameSync(`${path}.new`, path)
    const folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
    closeSync(folder)
    if (descriptor >= 0) closeSync(descriptor)
    descriptor = next
    written = 0
    compacted = now()
  }

  try {
    for (const line of readChanges(path)) {
      if ('released' in line) entries.remove(line.released)
      else entries.set(line.entry, line.at)
    }
    compact()
  } catch (error) {
    unlock()
    throw error
  }

  const append = (line: Line): void => {
    const text = textOf(line)
    try {
      appendFileSync(descriptor, text)
    } catch (error) {
      // A full disk takes a part of a line, which would spoil the next.
      ftruncateSync(descriptor, size)
      throw error
    }
    size += Buffer.byteLength(text)
    written += Buffer.byteLength(text)
  }

  // Whoever arrives while the disk is busy shares the next turn.
  let turn = Promise.resolve()
  let next: Promise<void> | undefined
  const settle = (): Promise<void> => {
    next ??= turn
      .catch(() => {})
      .then(() => {
        turn = next ?? turn
        next = undefined
        if (written > COMPACT_BYTES || now() > compacted + COMPACT_MS) compact()
        return sync(descriptor)
      })
    return next
  }

  return {
    knows: async (spending) => entries.find(spending) !== undefined,
    async claim(spending): Promise<Claim> {
      const known = entries.find(spending)
      if (known && held.has(known.key)) return { outcome: 'busy' }
      const entry: Entry = known ?? { ...spending, state: 'claimed', answer: null, receipt: null }
      const claim = claimOf(entry, spending, now())
      if (claim.outcome === 'held') held.add(entry.key)
      if (!known) entries.set(entry, now())
      return claim
    },
    async record(entry) {
      const at = now()
      entries.dropAnswers(at - REPLAY_MS)
      entries.set(entry, at)
      append({ at, entry })
      if (entry.state === 'delivered') held.delete(entry.key)
      else await settle()
    },
    async release({ key, state }) {
      entries.remove(key)
      held.delete(key)
      if (state !== 'claimed') append({ at: now(), released: key })
    },
    async suspend({ key }) {
      held.delete(key)
    },
    async check() {
      await settle()
    },
    async close() {
      await settle()
      closeSync(descriptor)
      unlock()
    },
  }
}
