import { type AnyQuery, paramsOf } from '../../engine/index.ts'

type QueryParams = ReturnType<typeof paramsOf>

const byQuery = new WeakMap<AnyQuery, QueryParams>()

/** The parameters of a query, read from its schema once. */
export const queryParams = (query: AnyQuery): QueryParams => {
  const params = byQuery.get(query) ?? paramsOf(query)
  byQuery.set(query, params)
  return params
}
