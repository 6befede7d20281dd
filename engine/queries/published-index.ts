import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { Scope } from '../catalog/scope.ts'
import { statement } from '../counts/count.ts'
import type { ByMonth, IndexMethod } from '../statistics/price-index.ts'
import { LOG_UNIT } from '../statistics/price-relative.ts'

const publishedMonth = z.object({
  /** From 0, the first month of the window. */
  place: z.int(),
  /** The log of the index in units of LOG_UNIT. */
  log: z.number(),
  first_published: z.string(),
})

/** The months of an index that refreshes published (data/reference.md). */
export const publishedIndex = statement(import.meta, publishedMonth)

/** What it is read by: product types have none. */
export const publishedBindings = ({ bindings, resolved }: Scope, method: IndexMethod, catalog: Catalog) => ({
  method,
  index_path: bindings.gpc_first === null ? resolved.category_path : null,
  index_retailer: bindings.retailer_id === null ? null : catalog.platforms.get(bindings.retailer_id)!,
})

/** The logs of the published months up to the last one; null where there is none. */
export const publishedLogs = (rows: readonly z.output<typeof publishedMonth>[]): ByMonth => {
  const logs = Array<number | null>((rows.at(-1)?.place ?? -1) + 1).fill(null)
  for (const { place, log } of rows) logs[place] = log / LOG_UNIT
  return logs
}
