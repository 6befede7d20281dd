import { isObject, type Json, type JsonObject } from '../text/json-path.ts'
import { guessTimes } from './dates.ts'
import { guessColumns } from './guess-columns.ts'
import type { SampledColumn } from './sample.ts'
import { isId, shareOf } from './values.ts'

/** Cuts a truncated JSON text after its last complete value and closes all open brackets. */
const repaired = (text: string): string => {
  const open: string[] = []
  let isQuoted = false
  let lastClosed = 0
  let closing = ''
  for (let position = 0; position < text.length; position += 1) {
    const letter = text[position]!
    if (isQuoted) {
      if (letter === '\\') position += 1
      else if (letter === '"') isQuoted = false
      continue
    }
    if (letter === '"') isQuoted = true
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']')
    else if (letter === '}' || letter === ']') open.pop()
    // A value is complete before a comma and after a closing bracket.
    if (letter === ',' || letter === '}' || letter === ']') {
      lastClosed = letter === ',' ? position : position + 1
      closing = open.toReversed().join('')
    }
  }
  return text.slice(0, lastClosed) + closing
}

/** Parses a JSON text that may be truncated, without its incomplete last value; undefined if it is not JSON. */
export const parseJsonHead = (text: string): Json | undefined => {
  const source = text.replace(/^\uFEFF/, '')
  for (const read of [source, repaired(source)])
    try {
      return JSON.parse(read) as Json
    } catch {
      // Truncated, or not JSON.
    }
  return undefined
}

const MAX_DEPTH = 4

/** Records of a document and their path: a `json_path`, `[]` for an array at the top. */
export type Records = { path: string; records: readonly JsonObject[] }

/** Whether a path can name a member. */
export const canName = (name: string): boolean => /^[^.{}[\]]+$/.test(name)

/** A path to a member, or to what a step in brackets leads to. */
export const under = (path: string, step: string): string =>
  path === '' || step.startsWith('[') ? path + step : `${path}.${step}`

/** Whether an object's values are records, as in an object keyed by id: objects with mostly the same keys. */
const isKeyed = (values: readonly Json[]): values is readonly JsonObject[] => {
  const objects = values.filter(isObject)
  if (objects.length < 2 || objects.length < values.length) return false
  const first = Object.keys(objects[0]!)
  return first.length > 1 && objects.every((object) => first.filter((name) => name in object).length * 2 > first.length)
}

/** Whether all of these are dates or times. */
export const areTimes = (keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key) => /\d[-/:.]\d/.test(key)) && guessTimes(keys).share > 0.95

/** The column that the keys of an object become: times, ids of records that have none, or neither. */
const columnOfKeys = (keys: readonly string[], records: readonly JsonObject[]): string => {
  if (areTimes(keys)) return 'observed_at'
  const isNamed = guessColumns(columnsOfRecords(records)).some(({ column }) => column === 'listing_id')
  return !isNamed && shareOf(keys, isId) > 0.9 ? 'listing_id' : 'key'
}

const keyedRecords = (value: JsonObject, path: string): Records | null => {
  const [keys, values] = [Object.keys(value), Object.values(value)]
  if (isKeyed(values)) return { path: under(path, `{${columnOfKeys(keys, values)}}`), records: values }
  const lists = values.filter(Array.isArray)
  const records = lists.flat().filter(isObject)
  const isAlike = lists.length === values.length && isKeyed(lists.map(([first]) => first))
  // Lists under names, not ids or times, are of different things.
  if (!isAlike || !(areTimes(keys) || keys.every((key) => /\d/.test(key)))) return null
  return { path: under(path, `{${columnOfKeys(keys, records)}}[]`), records }
}

const recordsIn = (value: Json, path: string, depth: number): Records[] => {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) {
    const records = value.filter(isObject)
    return records.length > 0 ? [{ path: `${path}[]`, records }] : []
  }
  if (!isObject(value)) return []
  const keyed = keyedRecords(value, path)
  if (keyed) return [keyed]
  return Object.entries(value).flatMap(([name, inner]) =>
    canName(name) ? recordsIn(inner, under(path, name), depth + 1) : [],
  )
}

/** The largest array, or object, of records in a JSON document; null if there is none. */
export const findRecords = (document: Json): Records | null => {
  const size = ({ records }: Records) => records.length * Object.keys(records[0] ?? {}).length
  return recordsIn(document, '', 0).sort((a, b) => size(b) - size(a))[0] ?? null
}

const valueText = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Keys with an @ are JSON-LD keywords.
const keysOf = (records: readonly JsonObject[]): string[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !name.startsWith('@'))

const MAX_RECORDS = 1000

const member = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `."${name}"`)

/** The fields of records as columns; fields of nested objects become columns such as `offers.price`. */
export const columnsOfRecords = (all: readonly JsonObject[]): SampledColumn[] => {
  const records = all.slice(0, MAX_RECORDS)
  const names = keysOf(records)
  return names.flatMap((name) => {
    const values = records.map((record) => record[name])
    const nested = keysOf(values.filter(isObject))
    const column: SampledColumn = { name, values: values.map(valueText) }
    if (nested.length === 0 || nested.length > 40) return [column]
    const quoted = `"${name.replaceAll('"', '""')}"`
    return nested.map((inner) => ({
      name: `${name}.${inner}`,
      sql: `${quoted}->>'$${member(inner).replaceAll("'", "''")}'`,
      values: values.map((value) => valueText(isObject(value) ? value[inner] : undefined)),
    }))
  })
}
