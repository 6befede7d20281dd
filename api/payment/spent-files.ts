import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ConfigError } from '../ops/config.ts'
import { replaceFile, syncPath } from './durable.ts'
import type { Spending } from './journal.ts'

/** A payment whose answer cannot be sent again, and the time of its claim in Unix milliseconds. */
export type Spent = Pick<Spending, 'key' | 'alias'> & { at: number }

/** The time of the newest payment in a file, and a number that makes the name unique. */
const FILE = /^(\d+)-(\d+)$/
/** Long enough that no two payments share a hash; if two did, the second would be refused. */
const HASH_BYTES = 16
const CHECKSUM_BYTES = 4
/** Table slots per hash: the more are free, the fewer are compared. */
const SLOTS_PER_HASH = 1.5

const hashOf = (kind: 'key' | 'alias', value: string): Buffer => {
  const hash = createHash('sha256').update(`${kind} ${value}`).digest().subarray(0, HASH_BYTES)
  // A slot whose first byte is 0 is free.
  hash[0] = (hash[0] ?? 0) | 1
  return hash
}

const hashesOf = ({ key, alias }: Pick<Spending, 'key' | 'alias'>): Buffer[] => [
  hashOf('key', key),
  ...(alias === null ? [] : [hashOf('alias', alias)]),
]

/** The offset of a hash in an open-addressing hash table, or of the free slot for it. */
const slotOf = (table: Buffer, hash: Buffer): number => {
  let slot = (hash.readUInt32LE(1) % (table.length / HASH_BYTES)) * HASH_BYTES
  while (table[slot] !== 0 && hash.compare(table, slot, slot + HASH_BYTES) !== 0)
    slot = (slot + HASH_BYTES) % table.length
  return slot
}

const tableOf = (hashes: readonly Buffer[]): Buffer => {
  const table = Buffer.alloc((Math.ceil(hashes.length * SLOTS_PER_HASH) + 1) * HASH_BYTES)
  for (const hash of hashes) hash.copy(table, slotOf(table, hash))
  return table
}

const checksumOf = (table: Buffer): Buffer => {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(table))
  return checksum
}

const readTable = (path: string): Buffer => {
  const bytes = readFileSync(path)
  const end = Math.max(0, bytes.length - CHECKSUM_BYTES)
  const table = bytes.subarray(0, end)
  if (end === 0 || end % HASH_BYTES !== 0 || !checksumOf(table).equals(bytes.subarray(end)))
    throw new ConfigError(
      `SHELFMARK_JOURNAL: ${path} is corrupt: restore it, since without it its payments could be presented again`,
    )
  return table
}

/**
 * Spent payments that a file journal has dropped because their answers cannot be sent again: in the folder
 * `JOURNAL.spent`, immutable files, each a hash table of keys and aliases with a checksum. Throws if one is corrupt.
 */
export const openSpentFiles = (journal: string) => {
  const folder = `${journal}.spent`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = readdirSync(folder).flatMap((name) => {
    const [, newest, number] = FILE.exec(name) ?? []
    return newest ? [{ path: join(folder, name), newest: Number(newest), number: Number(number) }] : []
  })
  let tables = files.map((file) => ({ ...file, table: readTable(file.path) }))
  let last = Math.max(0, ...files.map(({ number }) => number))
  return {
    has(spending: Spending): boolean {
      const hashes = hashesOf(spending)
      return tables.some(({ table }) => hashes.some((hash) => table[slotOf(table, hash)] !== 0))
    },
    /** Adds payments, durably. */
    add(spent: readonly Spent[]): void {
      if (spent.length === 0) return
      const table = tableOf(spent.flatMap(hashesOf))
      const newest = spent.reduce((latest, { at }) => Math.max(latest, at), 0)
      last += 1
      const path = join(folder, `${newest}-${last}`)
      replaceFile(path, [table, checksumOf(table)])
      syncPath(dirname(folder))
      tables.push({ path, newest, number: last, table })
    },
    /** Removes the files whose payments were all claimed before a time. */
    forget(before: number): void {
      for (const { path, newest } of tables) if (newest < before) rmSync(path)
      tables = tables.filter(({ newest }) => newest >= before)
    },
  }
}
