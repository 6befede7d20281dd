import { isObject, type Json, type JsonObject, parseJsonPath, recordsAt } from '../../text/json-path.ts'
import { isCurrency, isId, shareOf } from '../columns/kinds.ts'
import { isNamed, nameScore, wordsOf } from '../columns/names.ts'
import { guessColumns } from '../columns/roles.ts'
import { wideIn } from '../columns/wide.ts'
import { isOfNames, rowsPath, withHeadings } from './columnar.ts'
import { areTimes, areTuples, columnsOfRecords, keysOf, MAX_RECORDS, NUMBER } from './fields.ts'
import { rowsOf, type SampledColumn, type UnreadPart } from './sample.ts'

const MAX_DEPTH = 4
const MAX_LISTS = 8

/** Records of a document and their path: a `json_path`, `[]` for an array at the top. */
type Records = { path: string; records: readonly JsonObject[] }

/** A path to a member, or to what a step in brackets leads to. */
const under = (path: string, step: string): string =>
  path === '' || step.startsWith('[') ? path + step : `${path}.${step}`

/** The members that all objects have and a path can name, with their values. */
const sharedMembers = (objects: readonly JsonObject[]): [name: string, values: Json[]][] =>
  Object.keys(objects[0] ?? {})
    .filter((name) => /^[^.{}[\]]+$/.test(name) && objects.every((object) => Object.hasOwn(object, name)))
    .map((name) => [name, objects.map((object) => object[name]!)])

const MIN_ALIKE = 0.9

/** Whether records have mostly the same members, as those of an object keyed by id; a total beside them may not. */
const areAlike = (records: readonly Json[]): boolean => {
  const objects = records.filter(isObject)
  const first = Object.keys(objects[0] ?? {})
  if (objects.length < 2 || objects.length < records.length || first.length === 0) return false
  return shareOf(objects, (object) => first.filter((name) => name in object).length * 2 > first.length) >= MIN_ALIKE
}

const singular = (name: string): string =>
  name
    .replace(/ies$/i, 'y')
    .replace(/([^s])s$/i, '$1')
    .replace(/[^\p{L}\p{N}_]/gu, '_')

/** The number of a model that a record has does not name it better than its key. */
const MIN_TITLE_NAME = 0.5

/** The column that the keys of an object become: times, ids of records that have none, what their parent is called. */
const columnOfKeys = (keys: readonly string[], records: readonly JsonObject[], parent: string): string => {
  if (areTimes(keys)) return 'observed_at'
  if (keys.every((key) => /^[A-Z]{3}$/.test(key) && isCurrency(key))) return 'currency'
  const guesses = guessColumns(columnsOfRecords(records))
    .filter(({ column, source }) => column !== 'product_name' || nameScore(source, column) >= MIN_TITLE_NAME)
    .map(({ column }) => column)
  const areIds = shareOf(keys, isId) > 0.9
  if (!guesses.includes('listing_id') && areIds && keys.some((key) => /\d/.test(key))) return 'listing_id'
  // What is called prices has them by product.
  if (parent !== '' && !isNamed(parent, 'price')) return singular(parent)
  return guesses.includes('product_name') || areIds ? 'key' : 'product_name'
}

const MIN_MEMBERS = 3
/** Beside products may be an object of notes. */
const MIN_MAPS = 0.8

/** Whether objects have a number under each name, and the names are not those of columns: `{"Oat milk": 2.19, "Butter": 3.49}`. */
const areNumbers = (objects: readonly JsonObject[], parent = ''): boolean => {
  const members = objects.flatMap((object) => Object.entries(object))
  const isNumber = ([, value]: [string, Json]) => typeof value !== 'object' && NUMBER.test(`${value}`)
  const isOwn = ([name]: [string, Json]) => !isOfNames(name)
  // Some of what is called prices may have names of columns.
  const min_own = isNamed(parent, 'price') ? 0.5 : 0.9
  return members.length >= MIN_MEMBERS && shareOf(members, isNumber) > 0.9 && shareOf(members, isOwn) > min_own
}

const areDatedNumbers = (objects: readonly JsonObject[]): boolean => areNumbers(objects) && areTimes(keysOf(objects))

/** The objects of numbers in objects that have plain values, too, such as a date: what one kind of thing costs by another. */
const mapsIn = (objects: readonly JsonObject[]): [name: string, map: JsonObject][] => {
  const members = objects.flatMap((object) => Object.entries(object))
  const inner = members.flatMap(([name, map]) => (isObject(map) ? [[name, map] as [string, JsonObject]] : []))
  const maps = inner.filter(([name]) => !isOfNames(name))
  const areMaps = maps.length >= MIN_MEMBERS && maps.length > MIN_MAPS * inner.length && inner.length < members.length
  return areMaps && areNumbers(maps.map(([, map]) => map)) ? maps : []
}

/** Whether values are objects, of which many may have a note beside them. */
const areMostlyObjects = (values: readonly Json[]): boolean => shareOf(values, isObject) >= MIN_ALIKE

/** A record for each value that is none. */
const recordsOf = (values: readonly Json[]): JsonObject[] =>
  values.map((value) => (isObject(value) ? value : { value }))

/** Whether objects have such a list under each name, and are called prices: `{"00049": [3000, 21]}`. */
const areKeyedTuples = (objects: readonly JsonObject[], parent: string): boolean => {
  const values = objects.flatMap((object) => Object.values(object))
  return isNamed(parent, 'price') && values.length >= MIN_MEMBERS && areTuples(values)
}

/** Whether the members of objects are one kind of thing under different names: records, or lists of them. */
const areMembers = (objects: readonly JsonObject[], parent: string): boolean => {
  const values = objects.flatMap((object) => Object.values(object))
  const [only] = values
  // One member of `categories` is a category, too, if it contains others.
  if (values.length === 1 && singular(parent) !== parent && isObject(only)) return Object.values(only).some(isObject)
  const records = values.filter(isObject)
  if (areMostlyObjects(values)) {
    const names = Object.keys(records[0]!)
    const mayBeAlike = names.length > 1 || names.some((name) => isNamed(name, 'price'))
    if (areDatedNumbers(records) || (areAlike(records) && mayBeAlike)) return true
    // What each member has under names of its own may be of one kind: the prices by day of the markets of towns.
    return records.length > 1 && singular(parent) !== parent && areMembers(records, '')
  }
  if (!values.every(Array.isArray)) return areNumbers(objects, parent)
  if (areKeyedTuples(objects, parent)) return true
  return areAlike(values.filter((list) => list.length > 0).map((list) => list[0] as Json)) || areTuples(values.flat())
}

/** The records below values at the same place of a document. */
const recordsIn = (values: readonly Json[], path: string, parent: string, depth: number): Records[] => {
  if (depth > MAX_DEPTH || values.length === 0) return []
  if (values.every(Array.isArray)) {
    const elements = values.flat() as Json[]
    const records = areTuples(elements) ? recordsOf(elements) : elements.filter(isObject)
    // What records have under names that are not those of columns may be products.
    const areKeyed = records.length > 1 && !keysOf(records).some(isOfNames) && areMembers(records, '')
    if (areKeyed && records.every((record) => Object.values(record).every(isObject)))
      return recordsIn(records, `${path}[]`, '', depth + 1)
    return records.length > 0 ? [{ path: `${path}[]`, records }] : []
  }
  const objects = values.filter(isObject)
  const membersIn = (outer: readonly JsonObject[], place: string) =>
    sharedMembers(outer).flatMap(([name, inner]) => recordsIn(inner, under(place, name), name, depth + 1))
  if (objects.length < values.length) return []
  const rows = rowsPath(objects)
  if (rows !== null) {
    const records = objects.flatMap((object) => [...recordsAt(object, parseJsonPath(rows))])
    return [{ path: under(path, rows), records }]
  }
  const maps = mapsIn(objects)
  if (maps.length > 0) {
    const records = recordsOf(maps.flatMap(([, map]) => Object.values(map)))
    const [names, members] = [maps.map(([name]) => name), keysOf(maps.map(([, map]) => map))]
    const inner = areTimes(members) ? 'observed_at' : 'member'
    return [{ path: under(under(path, `{${columnOfKeys(names, records, '')}}`), `{${inner}}`), records }]
  }
  if (!areMembers(objects, parent)) return membersIn(objects, path)
  const inner = objects.flatMap((object) => Object.values(object))
  const isKeyed = areKeyedTuples(objects, parent)
  const isPlain = isKeyed || !(inner.every(Array.isArray) || areMostlyObjects(inner))
  const elements = isKeyed ? inner : (inner.flat() as Json[])
  const records = isPlain || areTuples(elements) ? recordsOf(elements) : elements.filter(isObject)
  const base = under(path, `{${columnOfKeys(keysOf(objects), records, isPlain ? '' : parent)}}`)
  if (!isPlain && inner.every(Array.isArray)) return [{ path: `${base}[]`, records }]
  if (isPlain || !inner.every(isObject)) return [{ path: base, records }]
  if (areDatedNumbers(inner)) return recordsIn(inner, base, '', depth + 1)
  // What all have under names that are not those of columns is one kind of thing, too: products by day.
  const further = inner.flatMap((object) => Object.entries(object))
  const areKinds = further.every(([key, value]) => isObject(value) && !isOfNames(key))
  if (areKinds && further.length > inner.length && areMembers(inner, '')) return recordsIn(inner, base, '', depth + 1)
  if (!areAlike(inner)) return recordsIn(inner, base, `${singular(parent)}_member`, depth + 1)
  return [{ path: base, records }, ...membersIn(records, base)]
}

/** The records at a path, or those before the end of a truncated document, up to a number. */
export const takeRecords = (document: Json, path: string, max_records = MAX_RECORDS): JsonObject[] => {
  const taken: JsonObject[] = []
  try {
    for (const record of recordsAt(document, parseJsonPath(path))) {
      taken.push(record)
      if (taken.length === max_records) break
    }
  } catch {
    // The last record is incomplete.
  }
  return taken
}

/** Records inside records: prices by time, or variants of a product, under the member that holds them. */
type Nested = { path: string; member: string; fields: ReadonlySet<string> }

/** The members that every record has and that contain records. */
const nestedIn = (path: string, records: readonly JsonObject[]): Nested[] =>
  sharedMembers(records).flatMap(([member, values]) => {
    const areLists = values.every(Array.isArray)
    const inner = areLists ? values.flat() : values
    const place = under(path, areLists ? `${member}[]` : member)
    if (inner.length === 0 || !inner.every(isObject)) return []
    const members = inner.flatMap((object) => Object.values(object))
    const isMap = members.every(isObject) || (isNamed(member, 'price') && areNumbers(inner, member))
    const areKeyed = !areLists && members.length > inner.length && isMap && areMembers(inner, member)
    // A single object has fields, unless its keys are times or names.
    if (!areKeyed && !areTimes(keysOf(inner)))
      return areLists ? [{ path: place, member, fields: new Set(keysOf(inner)) }] : []
    const found = recordsOf(members)
    const name = columnOfKeys(keysOf(inner), found, member)
    const outer = name === 'product_name' ? guessColumns(columnsOfRecords(records)) : []
    // What products have prices by is shops.
    const key = outer.some(({ column }) => column === 'product_name') ? 'platform' : name
    return [{ path: under(place, `{${key}}`), member, fields: new Set([key, ...keysOf(found)]) }]
  })

/** Names of histories that are not of prices. */
const NO_PRICE = new Set('stock rating review rank quantity qty view count inventory sale sold'.split(' '))

/** Marks the columns of nested records that belong to the outer records, and gives plain values an alias. */
const marked = (columns: readonly SampledColumn[], { member, fields }: Nested): SampledColumn[] => {
  const own = new Set(guessColumns(columns.filter(({ name }) => fields.has(name))).map(({ column }) => column))
  const isDated = own.has('observed_at')
  const isOfOffers = isDated || (own.has('price') && own.has('platform'))
  // A time around offers without one is theirs.
  const isOuter = ({ name }: SampledColumn) =>
    isOfOffers && !fields.has(name.split('.')[0]!) && (isDated || nameScore(name, 'observed_at') < MIN_TITLE_NAME)
  const alias = wordsOf(member).find((word) => NO_PRICE.has(word)) ?? 'price'
  const areAmounts = isDated || isNamed(member, 'price')
  // Points of a chart, such as `{"x": "2026-06-13", "y": 2.19}`.
  const isTime = ({ name, values }: SampledColumn) => fields.size === 2 && fields.has(name) && areTimes(values)
  const isPoint = areAmounts && !own.has('price') && columns.some(isTime)
  const isAmount = ({ name }: SampledColumn) => fields.has(name) && (name === 'value' || isPoint)
  return columns.map((column) => ({
    ...column,
    ...(isAmount(column) && areAmounts ? { alias } : {}),
    ...(isPoint && isTime(column) ? { alias: 'observed_at' } : {}),
    ...(isOuter(column) ? { isOuter: true } : {}),
  }))
}

/** The minimum number of nested records per outer record for a history: a member such as `latest` is only its end. */
const MIN_HISTORY = 1.5

/**
 * Whether nested records are a better source of prices than the outer records: the outer ones have no price, or the
 * nested ones are of shops, or dated where the outer ones have no date or are far fewer.
 */
const isBetter = (
  { member, fields }: Nested,
  nested: RecordColumns,
  outer: RecordColumns,
  wide: RecordColumns,
): boolean => {
  const sources = new Map(guessColumns(nested).map(({ column, source }) => [column, source]))
  const outerSources = new Map(guessColumns(outer).map(({ column, source }) => [column, source]))
  const outerPrice = outerSources.get('price')
  const isOwn = (column: 'price' | 'observed_at' | 'platform') => fields.has(sources.get(column)?.split('.')[0] ?? '')
  const isHistory = !outerSources.has('observed_at') || rowsOf(nested) > MIN_HISTORY * rowsOf(outer)
  const hasPrices = isOwn('price') || (wide.length > 0 && wide.every(({ name }) => fields.has(name)))
  const isOfShops = isOwn('platform') && rowsOf(nested) > rowsOf(outer)
  // One of many prices under the names of products is no price of the record around them.
  const isOuter = outerPrice !== undefined && !outerPrice.startsWith(`${member}.`)
  return hasPrices && (!isOuter || isOfShops || (isOwn('observed_at') && isHistory))
}

/** Lists of a document that a path does not read, and that are not around it or inside its records. */
const leftOut = (lists: readonly Records[], path: string): UnreadPart[] => {
  const stepsOf = (text: string) => text.replace(/\{[^}]*\}/g, '{}')
  const isPart = (other: string) =>
    stepsOf(path).startsWith(other.replace(/\[\]$/, '')) || other.startsWith(stepsOf(path))
  return lists
    .filter((list) => list.records.length > 1 && !isPart(stepsOf(list.path)))
    .map((list) => ({ kind: 'records', part: list.path, records: list.records.length }))
}

type RecordColumns = readonly SampledColumn[]

const MAX_LEVELS = 3

/** Records of a document, their path, their fields as columns, and other records of the document. */
export type Sampled = { path: string; columns: readonly SampledColumn[]; left_out: readonly UnreadPart[] }

/**
 * The records of a document with prices: a list, or the histories or variants inside that list's records. Of several
 * lists the largest with prices is read, else the largest.
 */
export const sampleDocument = (document: Json, name: string): Sampled | null => {
  const sizeOf = ({ records }: Records) => records.length * Object.keys(records[0] ?? {}).length
  const lists = recordsIn([document], '', '', 0).sort((a, b) => sizeOf(b) - sizeOf(a))
  const tried = lists
    .slice(0, MAX_LISTS)
    .map((list) => ({ list, outer: withHeadings(columnsOfRecords(takeRecords(document, list.path)), document) }))
  const isPriced = (columns: RecordColumns) => guessColumns(columns).some(({ column }) => column === 'price')
  const first = tried.find(({ outer }) => isPriced(outer) || wideIn(outer, name).length > 0) ?? tried[0]
  if (first === undefined) return null
  const { list, outer } = first
  const levels = [nestedIn(list.path, list.records.slice(0, MAX_RECORDS))]
  // Offers may be in the variants of products, or histories in the products of the categories of shops.
  for (let level = 1; level < MAX_LEVELS; level += 1)
    levels.push(levels.at(-1)!.flatMap(({ path }) => nestedIn(path, takeRecords(document, path))))
  let best: Omit<Sampled, 'left_out'> | undefined
  for (const nested of levels.flat()) {
    if (best && !nested.path.startsWith(`${best.path}.`)) continue
    const columns = marked(columnsOfRecords(takeRecords(document, nested.path)), nested)
    if (isBetter(nested, columns, best?.columns ?? outer, wideIn(columns, name))) best = { path: nested.path, columns }
  }
  if (best) return { ...best, left_out: leftOut(lists, best.path) }
  // Each record may have its fields, or prices in columns such as those of fuels, in one of its members.
  const members = isPriced(outer) ? [] : sharedMembers(list.records).filter(([, values]) => values.every(isObject))
  for (const [member] of members) {
    const path = under(list.path, member)
    const columns = columnsOfRecords(takeRecords(document, path))
    if (isPriced(columns) || wideIn(columns, name).length > 0) return { path, columns, left_out: leftOut(lists, path) }
  }
  return { path: list.path, columns: outer, left_out: leftOut(lists, list.path) }
}
