import { isObject, type Json, type JsonObject } from '../../text/json-path.ts'
import { guessTimes } from '../columns/dates.ts'
import { guessColumns } from '../columns/guess-columns.ts'
import { isId, shareOf } from '../columns/values.ts'
import type { SampledColumn } from './sample.ts'

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

/** Whether records have mostly the same members, as those of an object keyed by id. */
const areAlike = (records: readonly Json[]): boolean => {
  const objects = records.filter(isObject)
  if (objects.length < 2 || objects.length < records.length) return false
  const first = Object.keys(objects[0]!)
  return first.length > 0 && objects.every((object) => first.filter((name) => name in object).length * 2 > first.length)
}

/** Whether all of these are dates or times. */
export const areTimes = (keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key) => /\d[-/:.]\d/.test(key)) && guessTimes(keys).share > 0.95

const singular = (name: string): string =>
  name
    .replace(/ies$/i, 'y')
    .replace(/([^s])s$/i, '$1')
    .replace(/[^\p{L}\p{N}_]/gu, '_')

/** The column that the keys of an object become: times, ids of records that have none, what their parent is called. */
const columnOfKeys = (keys: readonly string[], records: readonly JsonObject[], parent: string): string => {
  if (areTimes(keys)) return 'observed_at'
  const guesses = guessColumns(columnsOfRecords(records)).map(({ column }) => column)
  if (!guesses.includes('listing_id') && shareOf(keys, isId) > 0.9 && keys.some((key) => /\d/.test(key)))
    return 'listing_id'
  if (parent !== '') return singular(parent)
  return guesses.includes('product_name') || shareOf(keys, isId) > 0.9 ? 'key' : 'product_name'
}

/** Whether the members of objects are one kind of thing under different names: records, or lists of them. */
const areMembers = (objects: readonly JsonObject[], parent: string): boolean => {
  const values = objects.flatMap((object) => Object.values(object))
  // One member of `categories` is a category, too, if it contains others.
  const isPlural = singular(parent) !== parent
  if (values.length === 1 && isPlural && isObject(values[0])) return Object.values(values[0]).some(isObject)
  if (values.every(isObject)) return areAlike(values) && Object.keys(values[0] ?? {}).length > 1
  const lists = values.filter(Array.isArray)
  const firsts = lists.flatMap((list) => (list.length > 0 ? [list[0] as Json] : []))
  return lists.length === values.length && areAlike(firsts)
}

/** The records below values at the same place of a document. */
const recordsIn = (values: readonly Json[], path: string, parent: string, depth: number): Records[] => {
  if (depth > MAX_DEPTH || values.length === 0) return []
  if (values.every(Array.isArray)) {
    const records = values.flat().filter(isObject)
    return records.length > 0 ? [{ path: `${path}[]`, records }] : []
  }
  const objects = values.filter(isObject)
  if (objects.length < values.length) return []
  if (areMembers(objects, parent)) {
    const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))]
    const inner = objects.flatMap((object) => Object.values(object))
    const records = inner.flat().filter(isObject)
    const own = under(path, `{${columnOfKeys(keys, records, parent)}}`)
    if (!inner.every(isObject)) return [{ path: `${own}[]`, records }]
    return [{ path: own, records }, ...membersIn(records, own, depth)]
  }
  return membersIn(objects, path, depth)
}

const membersIn = (objects: readonly JsonObject[], path: string, depth: number): Records[] => {
  const names = Object.keys(objects[0] ?? {}).filter(canName)
  return names.flatMap((name) => {
    if (!objects.every((object) => Object.hasOwn(object, name))) return []
    const values = objects.map((object) => object[name]!)
    return recordsIn(values, under(path, name), name, depth + 1)
  })
}

const sizeOf = ({ records }: Records): number => records.length * Object.keys(records[0] ?? {}).length

/** Lists of records in a JSON document, the largest first. */
export const findRecords = (document: Json): Records[] =>
  recordsIn([document], '', '', 0).sort((a, b) => sizeOf(b) - sizeOf(a))

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
