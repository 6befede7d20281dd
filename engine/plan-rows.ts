import type { Catalog } from './catalog/catalog.ts'
import type { Row } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Plan, queryId } from './query.ts'

/** The query that a plan is of. */
export const queryOf = (plan: Plan): AnyQuery => {
  const query = queries.find((candidate: AnyQuery) => queryId(candidate) === plan.query)
  if (!query) throw new Error(`${plan.query} is not in the list of queries`)
  return query
}

/** The rows of a plan from memory; null if its statement has to be run. */
export const rowsFromMemory = async (plan: Plan, catalog: Catalog): Promise<readonly Row[] | null> =>
  (await queryOf(plan).fromMemory?.(plan, catalog)) ?? null
