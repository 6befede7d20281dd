import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client, Pool } from 'pg'
import {
  claimOf,
  type Entry,
  fromJson,
  type In,
  type Journal,
  OWED_MS,
  REPLAY_MS,
  RETENTION_MS,
  type Spending,
  toJson,
} from './journal.ts'
import type { Period, SettledPayment } from './settled.ts'

const sql = (name: string): string => readFileSync(new URL(`postgres/${name}.sql`, import.meta.url), 'utf8')
const schema = sql('schema')
const claim = sql('claim')
const find = sql('find')
const record = sql('record')
const release = sql('release')
const suspend = sql('suspend')
const earlier = sql('earlier')
const takeUp = sql('take-up')
const owe = sql('owe')
const inDoubt = sql('in-doubt')
const forget = sql('forget')
const dropAnswers = sql('drop-answers')
const expire = sql('expire')
const settled = sql('settled')

const COMPACT_MS = 600_000
const UNIQUE_VIOLATION = '23505'

/**
 * A journal in PostgreSQL, for processes that share it; creates its tables if they are missing. A request that has held
 * a payment for `lease_ms` counts as dead and cannot record anything.
 */
export const openPostgresJournal = async (
  connectionString: string,
  lease_ms: number,
  kept_ms = Number.POSITIVE_INFINITY,
): Promise<Journal> => {
  const pool = new Pool({ connectionString })
  // A broken idle connection is replaced on demand.
  pool.on('error', () => {})
  await pool.query(schema)
  const compact = async (): Promise<void> => {
    await pool.query(dropAnswers, [Date.now() - REPLAY_MS])
    await pool.query(forget, [RETENTION_MS])
    if (Number.isFinite(kept_ms)) await pool.query(expire, [Date.now() - kept_ms])
  }
  // Failures are retried the next time.
  let compacted = compact().catch(() => {})
  const timer = setInterval(() => {
    compacted = compact().catch(() => {})
  }, COMPACT_MS).unref()
  const holders = new Map<string, string>()

  /** Ends holding a payment: no other request of this process can hold it meanwhile. */
  const unhold = async (statement: string, { key }: Entry): Promise<void> => {
    const holder = holders.get(key)
    holders.delete(key)
    await pool.query(statement, [key, holder])
  }

  const take = async ({ key, alias, ...spent }: Spending): Promise<Entry | null> => {
    const entry = toJson({ key, alias, ...spent, state: 'claimed', answer: null, receipt: null })
    const holder = randomUUID()
    try {
      const { rows } = await pool.query(claim, [key, alias, entry, holder, lease_ms])
      if (rows.length === 0) return null
      holders.set(key, holder)
      return fromJson(rows[0].entry)
    } catch (error) {
      // The alias is spent with another key, or the payer has a payment with the retry key.
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null
      throw error
    }
  }

  return {
    has: async ({ key, alias }) => (await pool.query(find, [key, alias])).rows.length > 0,
    async claim(spending) {
      const entry = await take(spending)
      if (entry) {
        const claimed = claimOf(entry, spending, Date.now())
        if (claimed.outcome !== 'held') await unhold(suspend, entry)
        return claimed
      }
      const { rows } = await pool.query(find, [spending.key, spending.alias])
      // It was held a moment ago, or its key or alias is spent in another combination.
      const isSpent = rows.length > 0 && rows.every(({ is_held, is_same }) => !is_held && !is_same)
      return { outcome: isSpent ? 'spent' : 'busy' }
    },
    async earlier({ key, payer, question, retry_key }) {
      const now = Date.now()
      const { rows } = await pool.query(earlier, [
        payer,
        retry_key,
        question,
        key,
        now - REPLAY_MS,
        OWED_MS,
        [...holders.values()],
      ])
      return rows.length > 0 ? fromJson(rows[0].entry) : null
    },
    async takeUp(key) {
      const holder = randomUUID()
      const { rows } = await pool.query(takeUp, [key, holder, lease_ms])
      if (rows.length === 0) return null
      holders.set(key, holder)
      return fromJson(rows[0].entry) as Exclude<Entry, In<'delivered'>>
    },
    async owe({ key }) {
      await pool.query(owe, [key, holders.get(key)])
    },
    async inDoubt(limit) {
      const { rows } = await pool.query(inDoubt, [limit])
      return rows.map(({ key }) => key)
    },
    async record(entry) {
      const { key } = entry
      const { rowCount } = await pool.query(record, [key, holders.get(key), toJson(entry), lease_ms])
      if (rowCount === 0) throw new Error('the claim to a payment was lost')
      if (entry.state === 'delivered') await unhold(suspend, entry)
    },
    release: (entry) => unhold(release, entry),
    suspend: (entry) => unhold(suspend, entry),
    async check() {
      await pool.query('SELECT 1')
    },
    async close() {
      clearInterval(timer)
      await compacted
      await pool.end()
    },
  }
}

const FETCH_SIZE = 5000
const MAX_BIGINT = 2n ** 63n - 1n

const bigintOf = (time: number): bigint => (time === Number.POSITIVE_INFINITY ? MAX_BIGINT : BigInt(Math.floor(time)))

/** The settled payments in a database, oldest first; services may be writing them. */
export async function* readSettledRows(connectionString: string, { from, to }: Period): AsyncGenerator<SettledPayment> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query('BEGIN READ ONLY')
    await client.query(settled, [bigintOf(from), bigintOf(to)])
    for (;;) {
      const { rows } = await client.query(`FETCH ${FETCH_SIZE} FROM settled`)
      if (rows.length === 0) break
      for (const { settled_at, ...payment } of rows) yield { at: Number(settled_at), ...payment }
    }
  } finally {
    await client.end()
  }
}
