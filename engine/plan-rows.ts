import type { Catalog } from './catalog/catalog.ts'
import { withLoading } from './catalog/memory.ts'
import type { Row, RunOptions } from './pool.ts'
import { queries } from './queries/index.ts'
import { type AnyQuery, type Bindings, one, type Plan, queryId } from './query.ts'
import type { Snapshot } from './snapshot.ts'

/** The query that a plan is of. */
export const queryOf = (plan: Plan): AnyQuery => {
  const query = queries.find((candidate: AnyQuery) => queryId(candidate) === plan.query)
  if (!query) throw new Error(`${plan.query} is not in the list of queries`)
  return query
}

/** The rows of a plan from memory; null if its statement has to be run. */
export const rowsFromMemory = async (plan: Plan, catalog: Catalog): Promise<readonly Row[] | null> =>
  (await withLoading(() => queryOf(plan).fromMemory?.(plan, catalog))) ?? null

/** Runs the query's `first` statement: its row and the bindings derived from it; both are empty without one. */
export const runFirstStatement = async (
  plan: Plan,
  snapshot: Snapshot,
  options?: RunOptions,
): Promise<{ row: Row; bindings: Bindings }> => {
  const { first } = queryOf(plan)
  if (!first) return { row: {}, bindings: {} }
  const row = one(await snapshot.run(first.sql, plan.bindings, options))
  return { row, bindings: first.bindings(row) }
}

/** The rows of a plan, computed by its statements. */
export const computedRows = async (plan: Plan, snapshot: Snapshot, options: RunOptions): Promise<readonly Row[]> => {
  const { row, bindings } = await runFirstStatement(plan, snapshot, options)
  const { sql } = queryOf(plan)
  const rows = await snapshot.run(sql, { ...plan.bindings, ...bindings }, options)
  return rows.map((own) => ({ ...row, ...own }))
}
