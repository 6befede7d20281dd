import { createHash } from 'node:crypto'
import { z } from 'zod'
import { LAKE_FORMAT } from '../../engine/index.ts'

/**
 * The rows of a table, or of one month of the observations, and the sum of their hashes, which does not depend on the
 * order.
 */
export type DigestPart = { rows: number; hash: string | null }

/** By table, and for observations by month: `observations/country=us/month=2026-10`. */
export type DigestParts = Readonly<Record<string, DigestPart>>

/** A part as a step returns it. */
export const partRow = z.strictObject({ name: z.string(), rows: z.int(), hash: z.string().nullable() })

export const partsOf = (rows: readonly z.output<typeof partRow>[]): DigestParts =>
  Object.fromEntries(rows.map(({ name, rows, hash }) => [name, { rows, hash }]))

/** The SHA-256, in hexadecimal, of the contents of a snapshot, independent of the order of rows. */
export const digestOf = (parts: DigestParts): string => {
  const lines = Object.entries(parts).map(([name, { rows, hash }]) => `${name} ${rows} ${hash ?? 0}`)
  return createHash('sha256')
    .update([`format ${LAKE_FORMAT}`, ...lines.sort()].join('\n'))
    .digest('hex')
}
