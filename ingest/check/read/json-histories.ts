import { isObject, type Json, type JsonObject, parseJsonPath, recordsAt } from '../../text/json-path.ts'
import { guessColumns } from '../columns/guess-columns.ts'
import { wordsOf } from '../columns/names.ts'
import { areTimes, canName, columnsOfRecords, findRecords, type Records, under } from './json-records.ts'
import type { SampledColumn } from './sample.ts'

/** Records inside records: prices by time, or variants of a product, under the member that holds them. */
type Nested = { path: string; member: string; fields: ReadonlySet<string> }

const TIME_KEY = 'observed_at'

const namesOf = (values: readonly Json[]): string[] =>
  values.flatMap((value) => (isObject(value) ? Object.keys(value) : ['value']))

const nestedOf = (path: string, member: string, inner: readonly Json[]): Nested[] => {
  const objects = inner.filter(isObject)
  if (objects.length === 0 || objects.length < inner.length) return []
  if (!areTimes(objects.flatMap((object) => Object.keys(object))))
    return [{ path, member, fields: new Set(namesOf(objects)) }]
  const timed = objects.flatMap((object) => Object.values(object))
  return [{ path: under(path, `{${TIME_KEY}}`), member, fields: new Set([TIME_KEY, ...namesOf(timed)]) }]
}

/** The members that every record has and that contain records. */
const nestedIn = (path: string, records: readonly JsonObject[]): Nested[] =>
  Object.keys(records[0] ?? {}).flatMap((name) => {
    if (!canName(name) || !records.every((record) => Object.hasOwn(record, name))) return []
    const values = records.map((record) => record[name]!)
    if (values.every(Array.isArray)) return nestedOf(under(path, `${name}[]`), name, values.flat())
    // A single object has fields, unless its keys are times.
    return values.every(isObject)
      ? nestedOf(under(path, name), name, values).filter(({ fields }) => fields.has(TIME_KEY))
      : []
  })

const MAX_RECORDS = 1000

/** The first records at a path; of a truncated document those before its end. */
const takeRecords = (document: Json, path: string): JsonObject[] => {
  const taken: JsonObject[] = []
  try {
    for (const record of recordsAt(document, parseJsonPath(path))) {
      taken.push(record as JsonObject)
      if (taken.length === MAX_RECORDS) break
    }
  } catch {
    // The last record is incomplete.
  }
  return taken
}

/** Names of histories that are not of prices. */
const NO_PRICE = new Set('stock rating review rank quantity qty view count inventory sale sold'.split(' '))

/** Marks the columns of nested records that belong to the outer records, and gives plain values an alias. */
const marked = (columns: readonly SampledColumn[], { member, fields }: Nested): SampledColumn[] => {
  const isDated = guessColumns(columns.filter(({ name }) => fields.has(name))).some(
    ({ column }) => column === 'observed_at',
  )
  const alias = wordsOf(member).find((word) => NO_PRICE.has(word)) ?? 'price'
  return columns.map((column) => ({
    ...column,
    ...(column.name === 'value' && fields.has('value') && isDated ? { alias } : {}),
    ...(isDated && !fields.has(column.name.split('.')[0]!) ? { isOuter: true } : {}),
  }))
}

/** Records of a document, their path, their fields as columns, and other records of the document. */
export type Sampled = { path: string; columns: readonly SampledColumn[]; left_out: readonly UnreadList[] }

/** Records that are not read. */
export type UnreadList = { path: string; records: number }

/** The minimum number of nested records per outer record for a history: a member such as `latest` is only its end. */
const MIN_HISTORY = 1.5

const rowsOf = (columns: readonly SampledColumn[]): number => columns[0]?.values.length ?? 0

/**
 * Whether nested records are a better source of prices than the outer records: the outer ones have no price, or the
 * nested ones are dated and the outer ones have no date or are far fewer.
 */
const isBetter = (nested: readonly SampledColumn[], { fields }: Nested, outer: readonly SampledColumn[]): boolean => {
  const sources = new Map(guessColumns(nested).map(({ column, source }) => [column, source]))
  const outerColumns = new Set(guessColumns(outer).map(({ column }) => column))
  const isOwn = (column: 'price' | 'observed_at') => fields.has(sources.get(column)?.split('.')[0] ?? '')
  const isHistory = !outerColumns.has('observed_at') || rowsOf(nested) > MIN_HISTORY * rowsOf(outer)
  return isOwn('price') && (!outerColumns.has('price') || (isOwn('observed_at') && isHistory))
}

const stepsOf = (path: string): string => path.replace(/\{[^}]*\}/g, '{}')

/** Lists of a document that a path does not read, and that are not around it or inside its records. */
const leftOut = (lists: readonly Records[], path: string): UnreadList[] =>
  lists.flatMap((list) => {
    const [own, other] = [stepsOf(path), stepsOf(list.path)]
    const isPart = own.startsWith(other.replace(/\[\]$/, '')) || other.startsWith(own)
    return isPart || list.records.length < 2 ? [] : [{ path: list.path, records: list.records.length }]
  })

const hasPrice = (columns: readonly SampledColumn[]): boolean =>
  guessColumns(columns).some(({ column }) => column === 'price')

/** The list of records with prices, of several the largest; else the largest list. */
const bestOf = (document: Json, lists: readonly Records[]): { list: Records; outer: SampledColumn[] } | null => {
  const read = (list: Records) => ({ list, outer: columnsOfRecords(takeRecords(document, list.path)) })
  const tried = lists.slice(0, 8).map(read)
  return tried.find(({ outer }) => hasPrice(outer)) ?? tried[0] ?? null
}

/** The records of a document with prices: a list, or the histories or variants inside that list's records. */
export const sampleDocument = (document: Json): Sampled | null => {
  const lists = findRecords(document)
  const best = bestOf(document, lists)
  if (best === null) return null
  const { list, outer } = best
  for (const nested of nestedIn(list.path, list.records.slice(0, MAX_RECORDS))) {
    const columns = marked(columnsOfRecords(takeRecords(document, nested.path)), nested)
    if (isBetter(columns, nested, outer)) return { path: nested.path, columns, left_out: leftOut(lists, nested.path) }
  }
  return { path: list.path, columns: outer, left_out: leftOut(lists, list.path) }
}
