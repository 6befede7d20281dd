import { type AnyQuery, answerFields, hasPeriods, invalidParam, isObject, withInner } from '../../engine/index.ts'

/** The part of an answer that is returned. */
export type Excerpt = {
  answer: Record<string, unknown>
  /** For each list that was cut, how much of it there is: `5 of 400`. */
  rows: Record<string, string>
}

/** Selects everything, uncut. */
export const ALL_FIELDS = 'all'

export const DEFAULT_ROWS = 5

const plain = (path: string): string => path.replaceAll('[]', '')

/** Whether a path is another one or inside it; the brackets of lists do not count. */
export const isWithin = (path: string, parent: string): boolean => `${plain(path)}.`.startsWith(`${plain(parent)}.`)

/** The value with the selected fields, in the order of the answer; a parent that is selected stays whole. */
const select = (value: unknown, selected: readonly string[], parent = ''): unknown => {
  if (Array.isArray(value)) return value.map((entry) => select(entry, selected, parent))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const path = `${parent}${name}`
      if (selected.some((field) => isWithin(path, field))) return [[name, inner]]
      return selected.some((field) => isWithin(field, path)) ? [[name, select(inner, selected, `${path}.`)]] : []
    }),
  )
}

/** Lists in the order of time: their newest entries matter most. Other lists have the most important entries first. */
const seriesOf = (query: AnyQuery): string[] =>
  withInner(answerFields(query))
    .filter(({ fields }) => hasPeriods(fields))
    .map(({ path }) => path.slice(0, -'[]'.length))

/** Cuts every list to a number of entries, and notes what was cut. */
const cut = (value: unknown, limit: number, series: readonly string[]): Excerpt => {
  const rows: Excerpt['rows'] = {}
  const shorten = (entries: readonly unknown[], path: string): readonly unknown[] => {
    if (entries.length <= limit) return entries
    const isSeries = series.includes(path)
    rows[path] = `${isSeries ? 'last ' : ''}${limit} of ${entries.length}`
    return isSeries ? entries.slice(-limit) : entries.slice(0, limit)
  }
  const visit = (inner: unknown, path: string): unknown => {
    if (Array.isArray(inner)) return shorten(inner, path).map((entry) => visit(entry, `${path}[]`))
    if (!isObject(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, visit(member, path ? `${path}.${name}` : name)]),
    )
  }
  return { answer: visit(value, '') as Record<string, unknown>, rows }
}

/** Refuses a field that the answer does not have, with the fields beside it. */
const requireFields = (query: AnyQuery, fields: readonly string[]): void => {
  const paths = withInner(answerFields(query)).map(({ path }) => plain(path))
  const namesIn = (parent: string) => paths.filter((path) => path.slice(0, path.lastIndexOf('.') + 1) === parent)
  for (const field of fields) {
    if (paths.includes(plain(field))) continue
    const parents = plain(field)
      .split('.')
      .map((_, depth, names) =>
        names
          .slice(0, depth)
          .map((name) => `${name}.`)
          .join(''),
      )
    const accepted = namesIn(parents.findLast((parent) => namesIn(parent).length > 0)!)
    throw invalidParam('fields', `the answer has no ${field}; send ${ALL_FIELDS} or some of ${accepted.join(', ')}`, {
      accepted,
    })
  }
}

/** The fields that are returned without a selection. */
const usualFields = (query: AnyQuery): string[] =>
  answerFields(query).flatMap(({ name, isDeprecated }) => (isDeprecated ? [] : [name]))

/**
 * The part of an answer to return: the selected fields, or all that are not deprecated; every list cut to `limit`
 * entries, without a limit to five. `all` selects everything, uncut without a limit. Throws INVALID_PARAMS for a field
 * that there is not.
 */
export const excerptOf = (
  query: AnyQuery,
  answer: Record<string, unknown>,
  { fields = [], limit }: { fields?: readonly string[] | undefined; limit?: number | undefined },
): Excerpt => {
  const isAll = fields.includes(ALL_FIELDS)
  const most = limit ?? (isAll ? Number.POSITIVE_INFINITY : DEFAULT_ROWS)
  const selected = isAll ? answer : select(answer, fields.length > 0 ? fields : usualFields(query))
  return cut(selected, most, seriesOf(query))
}

/** Refuses fields before the answer is computed or paid. */
export const checkFields = (query: AnyQuery, fields: readonly string[] | undefined): void =>
  requireFields(
    query,
    (fields ?? []).filter((field) => field !== ALL_FIELDS),
  )
