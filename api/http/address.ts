import type { AnyQuery } from '../../engine/index.ts'

/** The path of a query. */
export const apiPath = ({ group, name }: Pick<AnyQuery, 'group' | 'name'>): string => `/v1/${group}/${name}`

/** A path with its query string. */
export const pathWith = (path: string, params: Readonly<Record<string, string>> | URLSearchParams): string => {
  const text = new URLSearchParams(params).toString()
  return text === '' ? path : `${path}?${text}`
}
