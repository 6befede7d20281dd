import { isObject, type Json, type JsonObject } from '../../text/json-path.ts'
import { isShop } from '../columns/countries.ts'
import { shareOf } from '../columns/kinds.ts'
import { isNamed, isWordOfNames, nameScore, wordsOf } from '../columns/names.ts'
import { hasPriceWord } from '../columns/wide.ts'
import { areTimes, NUMBER } from './fields.ts'
import type { SampledColumn } from './sample.ts'

const MAX_DEPTH = 4

/** Whether a name consists of words for columns. */
export const isOfNames = (name: string): boolean => wordsOf(name).every(isWordOfNames)

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

const MIN_LABELS = 3

/** Whether a value is a list of so many values that pass a test. */
const isListOf = (list: Json | undefined, length: number, test: (value: Json) => boolean): boolean =>
  Array.isArray(list) && list.length === length && list.every(test)

/** The path to the values of series with a list of labels for all of them, as charts have; null if there are none. */
export const seriesPath = ([object = {}, ...others]: readonly JsonObject[]): string | null => {
  const members: [string, Json][] = others.length > 0 ? [] : Object.entries(object)
  const inner = members.flatMap(([place, member]) =>
    isObject(member) ? Object.entries(member).map(([name, list]): [string, Json] => [`${place}.${name}`, list]) : [],
  )
  for (const [name, series] of members) {
    const all = Array.isArray(series) && series.every(isObject) ? (series as readonly JsonObject[]) : []
    for (const [values, list] of Object.entries(all[0] ?? {})) {
      const length = Array.isArray(list) ? list.length : 0
      const areFigures = all.every((one) =>
        isListOf(one[values], length, (value) => value === null || NUMBER.test(`${value}`)),
      )
      const labels = [...members, ...inner].find(([, texts]) =>
        isListOf(texts, length, (text) => typeof text === 'string'),
      )
      if (length >= MIN_LABELS && areFigures && labels) return `${name}[].${values}[${labels[0]}]`
    }
  }
  return null
}

/** Columns of the values at the path of series by what they are: times or products, shops, and prices if something calls them so. */
export const withSeries = (columns: readonly SampledColumn[], path: string, name: string): readonly SampledColumn[] => {
  const labels = /\[([^[\]]+)\]$/.exec(path)?.[1]?.split('.').at(-1)
  if (labels === undefined) return columns
  const texts = columns.filter((column) => column.name !== labels).map(({ name, values }) => [name, ...new Set(values)])
  // Beside series that are called prices, others are none.
  const isMixed = texts.some(([, ...values]) => ![0, 1].includes(shareOf(values, (value) => hasPriceWord([value]))))
  const isDated = columns.some((column) => column.name === labels && areTimes(column.values))
  const aliasOf = (column: SampledColumn) => {
    if (column.name === labels) return isDated ? 'observed_at' : 'product_name'
    if (column.name === 'value') return !isMixed && hasPriceWord([name, ...texts.flat()]) ? 'price' : 'figure'
    if (column.values.some(isShop)) return 'platform'
    // What series are called says more than a title of all.
    const isTitle = isDated && new Set(column.values).size > 1 && nameScore(column.name, 'product_name') > 0
    return isTitle ? 'product_name' : column.alias
  }
  return columns.map((column) => ({ ...column, alias: aliasOf(column) ?? column.name }))
}

/** The names of columns that a document has in a list of so many texts, or of objects with names, beside rows that are lists. */
const headingsIn = (value: Json, width: number, depth = 0): readonly string[] | null => {
  if (Array.isArray(value) && value.length === width) {
    const names = value.map((one: Json) => (isObject(one) ? one.name : one))
    if (names.every((name) => typeof name === 'string') && shareOf(names, isOfNames) >= 0.5) return names
  }
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return null
  // The first row may have the names.
  const inner = Array.isArray(value) ? value.slice(0, 1) : Object.values(value)
  return inner.reduce<readonly string[] | null>((found, one) => found ?? headingsIn(one, width, depth + 1), null)
}

/** Whether a column is a place of rows that are lists. */
export const isCell = ({ name }: SampledColumn): boolean => /^value\.\d+$/.test(name)

/** Columns of rows that are lists, with the names that the document gives them. */
export const withHeadings = (columns: readonly SampledColumn[], document: Json): readonly SampledColumn[] => {
  const headings = headingsIn(document, columns.filter(isCell).length)
  if (headings === null) return columns
  return columns.map((column) =>
    isCell(column) ? { ...column, alias: headings[Number(column.name.slice('value.'.length))]! } : column,
  )
}
