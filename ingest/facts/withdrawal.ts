import { EngineError } from '../../engine/index.ts'
import { type Database, step } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'

/** Rows to withdraw: a retailer's, of one country or all, of the days from `from` to `to`, exclusive. */
export type Withdrawal = {
  platform: string
  country?: string | undefined
  /** `2026-10-01`; the first day if absent. */
  from?: string | undefined
  /** Exclusive; through the last day if absent. */
  to?: string | undefined
}

const WITHDRAWN = step(import.meta.url, 'withdrawn')

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

const ofRetailer = ({ platform, country }: Withdrawal): string =>
  `platform = ${literal(platform)}${country ? ` AND country = ${literal(country)}` : ''}`

const hasRows = async (database: Database, { platform, country }: Withdrawal): Promise<boolean> => {
  const rows = await database.execute(
    `SELECT 1 FROM previous_attribute WHERE ${ofRetailer({ platform, country })} LIMIT 1`,
  )
  return rows.length > 0
}

const define = async (database: Database, withdrawal: Withdrawal): Promise<void> => {
  const { platform, country, from, to } = withdrawal
  if (!(await hasRows(database, withdrawal)))
    throw new EngineError('NOT_FOUND', `the lake has no rows of ${platform}${country ? ` in ${country}` : ''}`, {
      platform,
    })
  const last = to ? `DATE ${literal(to)} - 1` : `DATE ${literal(LAST_DAY)}`
  await database.execute(
    `INSERT INTO withdrawal SELECT DISTINCT platform, country, DATE ${literal(from ?? FIRST_DAY)}, (${last})::DATE
     FROM previous_attribute WHERE ${ofRetailer({ platform, country })}`,
  )
}

/**
 * Finds what to remove from the lake: withdrawn rows, rows that a delivery of a whole month replaces, and listings
 * without other rows. NOT_FOUND for a retailer that the lake does not have.
 */
export const findWithdrawals = async (database: Database, withdrawals: readonly Withdrawal[]): Promise<void> => {
  for (const withdrawal of withdrawals) await define(database, withdrawal)
  await database.run(WITHDRAWN)
}
