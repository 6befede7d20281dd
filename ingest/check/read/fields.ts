import { identifier, literal } from '../../feeds/sql-text.ts'
import { isObject, type Json, type JsonObject } from '../../text/json-path.ts'
import { filledOf, shareOf } from '../columns/kinds.ts'
import { isNamed } from '../columns/names.ts'
import { guessTimes } from '../columns/times.ts'
import { parseJsonHead } from './json-head.ts'
import type { SampledColumn } from './sample.ts'

/** The most records that are read of a document. */
export const MAX_RECORDS = 1000
const MAX_FIELDS = 40
const MAX_TUPLE = 8
const MIN_VARIED = 0.1
/** What is written as amounts are. */
export const NUMBER = /^\D{0,3}\d[\d.,\s]*\D{0,4}$/

/** The names of the members of objects. */
export const keysOf = (objects: readonly JsonObject[]): string[] => [
  ...new Set(objects.flatMap((object) => Object.keys(object))),
]

/** Whether all of these are dates or times. */
export const areTimes = (keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key) => /\d[-/:.]\d/.test(key)) && guessTimes(keys).share > 0.95

/** Whether values are lists of the same few plain values, as `["2026-06-13", 55.98]`. */
export const areTuples = (values: readonly Json[]): boolean => {
  const [first] = values
  const isPlain = (value: Json) => typeof value !== 'object' || value === null
  return (
    Array.isArray(first) &&
    first.length > 1 &&
    first.length <= MAX_TUPLE &&
    values.every((value) => Array.isArray(value) && value.length === first.length && value.every(isPlain))
  )
}

const valueText = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The places of lists as columns, such as `value.0`, called after what they have: times, and the only numbers that vary. */
const columnsOfTuples = (name: string, lists: readonly (readonly Json[])[]): SampledColumn[] => {
  const places = (lists[0] ?? []).map((_, place) => lists.map((list) => valueText(list[place])))
  const isDated = places.map(areTimes)
  const numbers = places.filter(
    (values, place) => !isDated[place] && shareOf(values, (value) => NUMBER.test(value)) > 0.9,
  )
  // Others, such as rates of tax, repeat.
  const varied = numbers.filter((values) => numbers.length === 1 || new Set(values).size > MIN_VARIED * values.length)
  return places.map((values, place) => {
    const alias = isDated[place] ? 'observed_at' : varied.length === 1 && varied[0] === values ? 'value' : undefined
    const sql = `${identifier(name)}->>'$[${place}]'`
    return { name: `${name}.${place}`, sql, values, ...(alias ? { alias } : {}) }
  })
}

const MAX_DEPTH = 3

/** A place inside a nested record, as a path of DuckDB's JSON: `$.price."per kg"`. */
const pathOf = (names: readonly string[]): string =>
  `$${names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `."${name}"`)).join('')}`

/** Whether a value is missing, or a list of one plain value, if of any. */
const isSingle = (value: Json | undefined): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length < 2 && typeof value[0] !== 'object')

/** The columns of a field with these values; the names of the fields inside it that lead to them. */
const columnsOfField = (
  name: string,
  values: readonly (Json | undefined)[],
  inner: readonly string[] = [],
): SampledColumn[] => {
  const nested = keysOf(values.filter(isObject)).filter(isField)
  if (nested.length === 0 || nested.length > MAX_FIELDS || inner.length === MAX_DEPTH) {
    // Some programs put each value into a list of its own.
    const areSingle = values.length > 1 && values.every(isSingle) && values.some(Array.isArray)
    const path = `${pathOf(inner)}${areSingle ? '[0]' : ''}`
    const sql = path === '$' ? {} : { sql: `${identifier(name)}->>${literal(path)}` }
    const texts = values.map((value) => valueText(areSingle && Array.isArray(value) ? value[0] : value))
    // The last names say most, as in `node.priceRange.minVariantPrice.amount`, and any outer one that says price: `price.regular.value`.
    const outer = [name, ...inner].slice(0, -2).filter((place) => isNamed(place, 'price'))
    const alias = inner.length > 1 ? { alias: [...outer, ...inner.slice(-2)].join('.') } : {}
    return [{ name: [name, ...inner].join('.'), ...sql, ...alias, values: texts }]
  }
  const inside = (key: string) => values.map((value) => (isObject(value) ? value[key] : undefined))
  return nested.flatMap((key) => columnsOfField(name, inside(key), [...inner, key]))
}

/** The columns of cells with JSON, records or lists of one value, in place of theirs. */
export const withCells = (column: SampledColumn): SampledColumn[] => {
  const cells = column.values.map((value) => (/^\s*[{[]/.test(value) ? parseJsonHead(value) : undefined))
  const read = cells.filter((cell) => isObject(cell) || (Array.isArray(cell) && isSingle(cell)))
  if (read.length === 0 || read.length < filledOf(column.values).length) return [column]
  const jsonOf = (sql: string) => `CASE WHEN json_valid(${identifier(column.name)}) THEN ${sql} END`
  return columnsOfField(column.name, cells).map(({ sql, ...field }) => (sql ? { ...field, sql: jsonOf(sql) } : field))
}

/** Keys with an @ are JSON-LD keywords. */
const isField = (name: string): boolean => !name.startsWith('@')

/** The fields of records as columns; fields of nested objects become columns such as `offers.price`. */
export const columnsOfRecords = (all: readonly JsonObject[]): SampledColumn[] => {
  const records = all.slice(0, MAX_RECORDS)
  return keysOf(records)
    .filter(isField)
    .flatMap((name): SampledColumn[] => {
      const values = records.map((record) => record[name])
      const areLists = areTuples(values.map((value) => value ?? null))
      return areLists ? columnsOfTuples(name, values as Json[][]) : columnsOfField(name, values)
    })
}
