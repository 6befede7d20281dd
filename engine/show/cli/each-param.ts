import { invalidParam } from '../../contract/errors.ts'
import { paramFields } from '../../contract/param-fields.ts'
import { type AnyQuery, queryId } from '../../queries/query.ts'
import { usageError } from './options.ts'

const allParams = ['category', 'retailer', 'brand'] as const

/** The parameter that takes each of its values in turn; for categories, `under` is the path that they are at or below. */
export type Each = { param: (typeof allParams)[number]; under: string | null }

/** The parameters of a query that `--each` accepts. */
export const eachParams = (query: AnyQuery): Each['param'][] =>
  allParams.filter((param) => paramFields(query).some(({ name }) => name === param))

/** Reads the option `--each PARAM[=PATH]` of a query; null without it. Throws INVALID_PARAMS. */
export const readEach = (text: string | undefined, query: AnyQuery, given: Record<string, unknown>): Each | null => {
  if (text === undefined) return null
  const [, name = '', under = null] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  const accepted = eachParams(query)
  if (accepted.length === 0)
    throw invalidParam('each', `${queryId(query)} has no parameter category, retailer or brand`)
  const param = accepted.find((param) => param === name)
  if (!param) throw invalidParam('each', `expected ${accepted.join(' or ')} for ${queryId(query)}, got "${name}"`)
  if (given[param] !== undefined)
    throw usageError(`--each ${param} and --${param} cannot be combined; send one`, 'each')
  if (under !== null && param !== 'category')
    throw invalidParam('each', `${param} takes no value; send --each ${param}`)
  if (under === '') throw invalidParam('each', 'category= is empty; send a path, or --each category for all')
  return { param, under }
}
