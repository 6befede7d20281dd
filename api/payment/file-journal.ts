import {
  appendFileSync,
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
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
  keptOf,
  RETENTION_MS,
  type Spending,
  toJson,
} from './journal.ts'
import { lockOf } from './journal-lock.ts'

type Line = { at: number; entry: Entry } | { at: number; released: string }

const sync = promisify(fdatasync)
const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants

/** So many bytes are appended before what is no longer needed is left out. */
const COMPACT_BYTES = 64 * 1024 * 1024

const textOf = (line: Line): string =>
  `${JSON.stringify('entry' in line ? { ...line, entry: toJson(line.entry) } : line)}\n`
const lineOf = (text: string): Line => {
  const line = JSON.parse(text)
  return 'entry' in line ? { ...line, entry: fromJson(line.entry) } : line
}

/** The lines of a journal. The last one may be torn, where a crash cut it off: nothing was sent on its word. */
const readLines = (path: string): Line[] => {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line, i) => {
      try {
        return lineOf(line)
      } catch {
        throw new Error(`the payment journal ${path} is damaged in line ${i + 1}: mend it or move it away`)
      }
    })
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
  return {
    find: ({ key, alias }: Spending): Entry | undefined =>
      (entries.get(key) ?? entries.get(aliases.get(alias ?? '') ?? ''))?.entry,
    remove,
    set(entry: Entry, at: number): void {
      entries.set(entry.key, { at: entries.get(entry.key)?.at ?? at, entry })
      if (entry.alias) aliases.set(entry.alias, entry.key)
    },
    forget(before: number): void {
      for (const [key, { at }] of entries) {
        if (at >= before) break
        remove(key)
      }
    },
    lasting: (): Line[] => [...entries.values()].filter(({ entry }) => entry.state !== 'claimed'),
  }
}

/**
 * A journal in a file of one process: a line a change of state, on the disk before the payment goes on. A claim alone is
 * not written, since it costs nothing and ends with its process. Throws where another process has the file open.
 */
export const openFileJournal = async (file: string, now = Date.now): Promise<Journal> => {
  const path = resolve(file)
  mkdirSync(dirname(path), { recursive: true })
  const unlock = await lockOf(path)
  const entries = createEntries()
  const held = new Set<string>()
  let descriptor = -1
  let size = 0
  let written = 0

  for (const line of readLines(path)) {
    if ('released' in line) entries.remove(line.released)
    else entries.set(line.entry, line.at)
  }

  const compact = (): void => {
    entries.forget(now() - RETENTION_MS)
    const next = openSync(`${path}.new`, O_APPEND | O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    const text = entries.lasting().map(textOf).join('')
    appendFileSync(next, text)
    fsyncSync(next)
    renameSync(`${path}.new`, path)
    const folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
    closeSync(folder)
    if (descriptor >= 0) closeSync(descriptor)
    descriptor = next
    size = Buffer.byteLength(text)
    written = 0
  }
  compact()

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
        if (written > COMPACT_BYTES) compact()
        return sync(descriptor)
      })
    return next
  }

  return {
    knows: async (spending) => entries.find(spending) !== undefined,
    async claim(spending): Promise<Claim> {
      entries.forget(now() - RETENTION_MS)
      const known = entries.find(spending)
      if (known && held.has(known.key)) return { outcome: 'busy' }
      const entry: Entry = known ?? { ...spending, state: 'claimed', answer: null, receipt: null }
      const claim = claimOf(entry, spending)
      if (claim.outcome === 'held') held.add(entry.key)
      if (!known) entries.set(entry, now())
      return claim
    },
    async record(entry) {
      const kept = keptOf(entry)
      const at = now()
      entries.set(kept, at)
      append({ at, entry: kept })
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
    async close() {
      await settle()
      closeSync(descriptor)
      unlock()
    },
  }
}
