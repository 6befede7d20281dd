import { queries } from '../queries/index.ts'
import { type AnyQuery, type Plan, queryId } from '../queries/query.ts'

/** The query that a plan is of. */
export const queryOf = (plan: Plan): AnyQuery => {
  const query = queries.find((candidate: AnyQuery) => queryId(candidate) === plan.query)
  if (!query) throw new Error(`${plan.query} is not in the list of queries`)
  return query
}

/** Finds a query by group and name. */
export const findQuery = (group: string, name: string): AnyQuery | undefined =>
  queries.find((query: AnyQuery) => query.group === group && query.name === name)
