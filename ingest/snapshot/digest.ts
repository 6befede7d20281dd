import { createHash } from 'node:crypto'
import { z } from 'zod'
import { LAKE_FORMAT } from '../../engine/index.ts'

/** The rows of a table, or of one month of the observations, and the sum of their hashes, which no order changes. */
export type Part = { rows: number; hash: string | null }

/** By table, and for observations by month: `observations/country=us/month=2026-10`. */
export type Parts = Readonly<Record<string, Part>>

/** A part as a step returns it. */
export const partRow = z.strictObject({ name: z.string(), rows: z.int(), hash: z.string().nullable() })

export const partsOf = (rows: readonly z.output<typeof partRow>[]): Parts =>
  Object.fromEntries(rows.map(({ name, rows, hash }) => [name, { rows, hash }]))

/** The SHA-256, in hexadecimal, that names the contents of a snapshot whatever order its rows came in. */
export const digestOf = (parts: Parts): string => {
  const lines = Object.entries(parts).map(([name, { rows, hash }]) => `${name} ${rows} ${hash ?? 0}`)
  return createHash('sha256')
    .update([`format ${LAKE_FORMAT}`, ...lines.sort()].join('\n'))
    .digest('hex')
}
