import { z } from 'zod'
import { DAY_MS } from '../../engine/contract/time.ts'
import { type AnyQuery, queries, queryId } from '../../engine/index.ts'
import { randomNumbers } from '../random.ts'
import type { DrawnListing, Names } from './names.ts'

/** A query with its parameters as text. */
export type QueryText = { query: string; params: Record<string, string> }

type DrawnSchema = { enum?: string[]; type?: string; minimum?: number; maximum?: number }
type Draw = {
  /** A number in [0, 1). */
  next: () => number
  pick: <T>(values: readonly T[]) => T
  names: Names
  /** The listing that most parameters of a query are drawn from (`LIKELY`). */
  listing: DrawnListing
}

/** How often a query of each group is drawn; queries over prices and posts are more likely to change. */
const WEIGHTS: Record<string, number> = { public: 1, shopper: 6, marketing: 6, analyst: 8, social: 4, reference: 1 }
/** How often an optional parameter is sent. */
const SHARE: Record<string, number> = {
  country: 0.9,
  as_of: 0.12,
  retailer: 0.25,
  category: 0.8,
  department: 0.25,
  days: 0.4,
  granularity: 0.6,
  offset: 0.2,
  max_age: 0.05,
}
const USUAL_SHARE = 0.35

/** A day of the lake, or one of the months around it. */
const dayIn = ({ next, names }: Draw): string => {
  const first = Date.parse(names.first_day) - 5 * DAY_MS
  const last = Date.parse(names.last_day) + 5 * DAY_MS
  return new Date(first + Math.floor((next() * (last - first)) / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
}

/** A bound of a window: as often the first day of a month as any day. */
const boundIn = (draw: Draw): string => {
  const day = dayIn(draw)
  return draw.next() < 0.5 ? `${day.slice(0, 7)}-01` : day
}

/** The text of a product: its name, the beginning of it, or its barcode. */
const textOf = ({ next, pick, names, listing: { product_name, gtin14 } }: Draw): string => {
  if (gtin14 !== null && next() < 0.15) return gtin14
  const words = (product_name ?? pick(names.categories)).split(' ')
  return next() < 0.4 ? words.join(' ') : words.slice(0, 1 + Math.floor(next() * 3)).join(' ')
}

const LIKELY = 0.8

/** A category at or above the listing's, any other, or a product type. */
const categoryOf = ({ next, pick, names, listing }: Draw): string => {
  const steps = listing.path.split('/')
  if (next() < LIKELY) return steps.slice(0, 1 + Math.floor(next() * steps.length)).join('/')
  return pick(names.gpc_codes.length > 0 && next() < 0.6 ? names.gpc_codes : names.categories)
}

const departmentOf = ({ next, pick, names, listing }: Draw): string =>
  next() < LIKELY ? listing.path.split('/')[0]! : pick(names.departments)

const orElse = (texts: readonly string[], text: string, { pick }: Draw): string =>
  texts.length === 0 ? text : pick(texts)

const drawn: Record<string, (draw: Draw) => string> = {
  country: ({ next, pick, listing }) => (next() < LIKELY ? listing.country : pick(['us', 'ca'])),
  category: categoryOf,
  department: departmentOf,
  category_root: departmentOf,
  parent_path: departmentOf,
  retailer: ({ next, pick, names, listing }) => (next() < LIKELY ? listing.platform : pick(names.retailers)),
  brand: (draw) =>
    draw.next() < LIKELY && draw.listing.brand !== null ? draw.listing.brand : orElse(draw.names.brands, 'acme', draw),
  q: textOf,
  items: (draw) => `${draw.listing.product_uid}:2,${textOf(draw).replaceAll(',', '')}`,
  uids: ({ listing }) => [listing.product_uid, listing.entity_uid ?? 'e_none'].join(),
  since: dayIn,
  series: ({ pick, listing }) => pick(['sample:coffee', `office:${listing.country}`]),
  product_uid: ({ listing }) => listing.product_uid,
  entity_uid: ({ listing }) => listing.entity_uid ?? 'e_none',
  browse_id: (draw) => orElse(draw.names.browse_ids, '1', draw),
  gpc_code: (draw) => orElse(draw.names.gpc_codes, '10000000', draw),
  as_of: dayIn,
  from: boundIn,
  to: boundIn,
  days: ({ pick }) => pick(['1', '7', '14', '30', '45', '60', '90', '180', '365']),
  lookback_days: ({ pick }) => pick(['7', '30', '60', '120']),
  limit: ({ pick }) => pick(['1', '3', '10', '25', '50']),
  offset: ({ pick }) => pick(['1', '5', '40']),
  depth: ({ pick }) => pick(['1', '2', '3']),
  months: ({ pick }) => pick(['2', '3', '7', '13']),
  years: ({ pick }) => pick(['1', '2', '3']),
  max_age: ({ pick }) => pick(['6', '48', '1000']),
  min_discount_pct: ({ pick }) => pick(['1', '5', '12.5', '20', '40']),
}

/** Parameters whose meaning differs from that in other queries. */
const special: Record<string, (draw: Draw) => string> = {
  'public platform': (draw) => drawn.retailer!(draw),
  'social category': departmentOf,
}

/** A value of a parameter. Throws where a new text parameter has no values to be drawn from. */
const drawValue = (name: string, schema: DrawnSchema, query: AnyQuery, draw: Draw): string => {
  const value = special[`${query.group} ${name}`] ?? drawn[name]
  if (value) return value(draw)
  if (schema.enum) return draw.pick(schema.enum)
  if (schema.type === 'boolean') return draw.pick(['true', 'false'])
  throw new Error(`${queryId(query)}: bench/answers/draw.ts has no values for ${name}`)
}

/** Only one way to name a window is sent: two would be refused, or one of them ignored. */
const windowNames = ['from', 'to', 'time_window', 'days', 'lookback_days']
const productNames = ['q', 'product_uid', 'entity_uid']

const withoutConflicts = (params: Record<string, string>, { pick, next }: Draw): Record<string, string> => {
  const sent = Object.keys(params)
  const drop = new Set<string>()
  const windows = windowNames.filter((name) => sent.includes(name))
  if (windows.length > 1 && next() < 0.9) {
    const kept = pick(windows)
    const pair = kept === 'from' || kept === 'to' ? ['from', 'to'] : [kept]
    for (const name of windows) if (!pair.includes(name)) drop.add(name)
  }
  const products = productNames.filter((name) => sent.includes(name))
  const product = products.length > 1 ? pick(products) : undefined
  for (const name of products) if (product && name !== product) drop.add(name)
  if (sent.includes('uids') && sent.some((name) => name === 'category' || name === 'department'))
    for (const name of next() < 0.5 ? ['uids'] : ['category', 'department']) drop.add(name)
  return Object.fromEntries(Object.entries(params).filter(([name]) => !drop.has(name)))
}

/** Bounds in the order that is not refused, nine times in ten. */
const inOrder = (params: Record<string, string>, { next }: Draw): Record<string, string> => {
  const { from, to } = params
  return from && to && from > to && next() < 0.9 ? { ...params, from: to, to: from } : params
}

/** Groups of parameters of which a query requires at least one. */
const alternatives = [productNames, ['category', 'department', 'uids'], ['browse_id', 'q']]

const paramsOf = (query: AnyQuery, draw: Draw): Record<string, string> => {
  const { properties = {}, required = [] } = z.toJSONSchema(query.params, { io: 'input' })
  const params: Record<string, string> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = drawValue(name, schema as DrawnSchema, query, draw)
    if (draw.next() < (SHARE[name] ?? USUAL_SHARE) || required.includes(name)) params[name] = value
  }
  for (const names of alternatives) {
    const accepted = names.filter((name) => Object.hasOwn(properties, name))
    if (accepted.length > 1 && !accepted.some((name) => Object.hasOwn(params, name)) && draw.next() < 0.95) {
      const name = accepted[0]!
      params[name] = drawValue(name, properties[name] as DrawnSchema, query, draw)
    }
  }
  return inOrder(withoutConflicts(params, draw), draw)
}

/** Random queries with all their parameters; equal seeds and names give equal queries. */
export const drawQueries = (names: Names, count: number, seed: number): QueryText[] => {
  const next = randomNumbers(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  const answerable = queries.filter(({ group }) => names.has_posts || group !== 'social')
  const weighted = answerable.flatMap((query) => Array<AnyQuery>(WEIGHTS[query.group]!).fill(query))
  return Array.from({ length: count }, () => {
    const query = pick(weighted)
    return { query: queryId(query), params: paramsOf(query, { next, names, pick, listing: pick(names.listings) }) }
  })
}
