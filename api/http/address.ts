import type { AnyQuery } from '../../engine/index.ts'

/** The path of a query. */
export const apiPath = ({ group, name }: Pick<AnyQuery, 'group' | 'name'>): string => `/v1/${group}/${name}`

/** A text of the engine over HTTP: the queries that it names are requests. */
export const inRequests = (text: string): string => text.replace(/the query ([\w-]+\/[\w-]+)/g, 'GET /v1/$1')

/** A path with its query string. */
export const pathWith = (path: string, params: Readonly<Record<string, string>> | URLSearchParams): string => {
  const text = new URLSearchParams(params).toString()
  return text === '' ? path : `${path}?${text}`
}
