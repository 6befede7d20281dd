import { readFileSync } from 'node:fs'
import { Client, Pool } from 'pg'
import type { Session } from './session.ts'
import { fromText, type SessionStore, toText } from './store.ts'

const schema = readFileSync(new URL('../postgres/sessions.sql', import.meta.url), 'utf8')

const FIND = 'SELECT session FROM shelfmark_sessions WHERE id = $1'
const PUT = `INSERT INTO shelfmark_sessions (id, session, is_open) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET session = excluded.session, is_open = excluded.is_open`
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 8402))'
const LOCK_PAYER = 'SELECT pg_advisory_lock(hashtextextended($1, 8403))'

const sessionIn = (rows: readonly { session: string }[]): Session | null => (rows[0] ? fromText(rows[0].session) : null)
const rowOf = (id: string, session: Session) => [id, toText(session), !session.finalized]

/** Keeps sessions in PostgreSQL, for processes that share them. */
export const openSessionTable = async (connectionString: string): Promise<SessionStore> => {
  const pool = new Pool({ connectionString })
  pool.on('error', () => {})
  await pool.query(schema)
  // Work that holds a lock changes sessions, which must not wait for a connection that a lock is waited for with.
  const locks = new Pool({ connectionString })
  locks.on('error', () => {})
  const update: SessionStore['update'] = async (id, change) => {
    const client = await pool.connect()
    let failure: Error | undefined
    try {
      await client.query('BEGIN')
      // A row that does not exist yet cannot be locked.
      await client.query(LOCK, [id])
      const changed = change(sessionIn((await client.query(FIND, [id])).rows))
      if (changed.op === 'set') await client.query(PUT, rowOf(id, changed.value))
      await client.query('COMMIT')
      return changed.result
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      // A connection in a failed transaction is not reused.
      client.release(failure)
    }
  }
  return {
    get: async (id) => sessionIn((await pool.query(FIND, [id])).rows),
    async put(id, session) {
      await pool.query(PUT, rowOf(id, session))
    },
    async delete() {},
    update,
    charge: update,
    async open() {
      const { rows } = await pool.query('SELECT session FROM shelfmark_sessions WHERE is_open ORDER BY id')
      return rows.map(({ session }) => fromText(session))
    },
    async exclusive(payer, work) {
      const client = await locks.connect()
      try {
        await client.query(LOCK_PAYER, [payer])
        return await work()
      } finally {
        // The lock ends with its connection.
        client.release(true)
      }
    },
    async close() {
      await locks.end()
      await pool.end()
    },
  }
}

/** The sessions in a database; none where no service has offered any. */
export const readSessionTable = async (connectionString: string): Promise<Session[]> => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(`SELECT to_regclass('shelfmark_sessions') IS NOT NULL AS exists`)
    if (!rows[0].exists) return []
    return (await client.query('SELECT session FROM shelfmark_sessions ORDER BY id')).rows.map(({ session }) =>
      fromText(session),
    )
  } finally {
    await client.end()
  }
}
