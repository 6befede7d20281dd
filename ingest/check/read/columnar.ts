import { isObject, type Json, type JsonObject } from '../../text/json-path.ts'
import { shareOf } from '../columns/kinds.ts'
import { isNamed, isWordOfNames, wordsOf } from '../columns/names.ts'
import { areTimes } from './fields.ts'
import type { SampledColumn } from './sample.ts'

const MAX_DEPTH = 4

/** Whether a name consists of words for columns; marks without letters are no words. */
export const isOfNames = (name: string): boolean => wordsOf(name).length > 0 && wordsOf(name).every(isWordOfNames)

/** The path to the rows of objects whose members are columns of equal length under names of columns; null if they are none. */
export const rowsPath = (objects: readonly JsonObject[]): string | null => {
  const columnsOf = (object: JsonObject) =>
    Object.entries(object).filter(([, member]) => typeof member === 'object' && member !== null)
  const all = objects.map(columnsOf)
  const keys = Object.keys(all[0]?.[0]?.[1] ?? {})
  const isColumn = ([, member]: [string, Json]) =>
    Object.keys(member ?? {}).length === keys.length &&
    keys.every((key) => Object.hasOwn(member as JsonObject, key)) &&
    Object.values(member as JsonObject).every((value) => typeof value !== 'object' || value === null)
  const areColumns = all.every((columns) => columns.length > 1 && columns.every(isColumn))
  const isDated = all.flat().some(([, member]) => Array.isArray(member) && areTimes(member.map(String)))
  if (!areColumns || keys.length < 2 || !(isDated || shareOf(all.flat(), ([name]) => isOfNames(name)) >= 0.5))
    return null
  if (keys.every((key) => /^\d+$/.test(key))) return '<>'
  // Else the keys are of columns, or the members are what has prices by them: `{"Station": {"2026-06-01": 2900}}`.
  if (shareOf(keys, isOfNames) > 0.5 || !all.flat().some(([name]) => isNamed(name, 'price'))) return null
  return areTimes(keys) ? '<observed_at>' : '<key>'
}

/** The names of columns that a document has in a list of so many texts, or of objects with names, beside rows that are lists. */
const headingsIn = (value: Json, width: number, depth = 0): readonly string[] | null => {
  if (Array.isArray(value) && value.length === width) {
    const names = value.map((one: Json) => (isObject(one) ? one.name : one))
    if (names.every((name) => typeof name === 'string') && shareOf(names, isOfNames) >= 0.5) return names
  }
  if (depth === MAX_DEPTH || !isObject(value)) return null
  return Object.values(value).reduce<readonly string[] | null>(
    (found, one) => found ?? headingsIn(one, width, depth + 1),
    null,
  )
}

/** Whether a column is a place of rows that are lists. */
export const isCell = ({ name }: SampledColumn): boolean => /^value\.\d+$/.test(name)

/** Columns of rows that are lists, with the names that the document gives them. */
export const withHeadings = (columns: readonly SampledColumn[], document: Json): readonly SampledColumn[] => {
  const headings = headingsIn(document, columns.filter(isCell).length)
  const first = columns.map(({ values }) => values[0] ?? '')
  const isNamedFirst = first.some((name) => isNamed(name, 'price')) && shareOf(first, isOfNames) > 0.5
  if (isNamedFirst && !columns.some(({ name }) => isNamed(name, 'price')))
    return columns.map((column, at) => ({ ...column, alias: first[at]! }))
  if (headings === null) return columns
  return columns.map((column) =>
    isCell(column) ? { ...column, alias: headings[Number(column.name.slice('value.'.length))]! } : column,
  )
}
