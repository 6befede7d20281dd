import { z } from 'zod'
import { count, field } from '../../contract/field.ts'
import { one } from '../query.ts'

/** The single row of a paged list: the total, and the page (null if empty). */
export const pageRow = <T extends z.ZodType>(entry: T) => z.object({ total: count, items: z.array(entry).nullable() })

/** A page of a list. */
export const pageAnswer = <T extends z.ZodType>(entry: T) =>
  z.object({
    items: field.list(entry, 'The entries of this page.'),
    total: field.count('Entries of the whole list.'),
    limit: field.page(field.count('Entries per page, as sent.')),
    offset: field.page(field.count('Entries before this page, as sent.')),
  })

export const pageOf = <T>(
  rows: readonly { total: number; items: T[] | null }[],
  { limit, offset }: { limit: number; offset: number },
) => {
  const { total, items } = one(rows)
  return { items: items ?? [], total, limit, offset }
}
