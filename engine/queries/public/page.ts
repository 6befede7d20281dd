import { z } from 'zod'
import { one } from '../../query.ts'

const count = z.int().min(0)

/** The single row of a paged list: how many there are, and the page (null when empty). */
export const pageRow = <T extends z.ZodType>(entry: T) => z.object({ total: count, items: z.array(entry).nullable() })

/** A page of a list. */
export const pageAnswer = <T extends z.ZodType>(entry: T) =>
  z.object({ items: z.array(entry), total: count, limit: count, offset: count })

export const pageOf = <T>(
  rows: readonly { total: number; items: T[] | null }[],
  { limit, offset }: { limit: number; offset: number },
) => {
  const { total, items } = one(rows)
  return { items: items ?? [], total, limit, offset }
}
