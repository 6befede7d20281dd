import { join } from 'node:path'
import { type AnyQuery, Engine, findQuery, type Group, queries, queryId, readParams } from '../engine/index.ts'
import { type Floor, floors, openFloor, type Scope, timeFloor } from './floor.ts'
import { AS_OF, givenLake } from './lake.ts'
import { median } from './quantile.ts'

const RUNS = 30
const scopes = { shelf: 'coffee', department: 'grocery' } as const
/** Twelve whole months for monthly series; everything else takes its default window. */
const YEAR = { from: '2025-11-01', to: '2026-11-01' }

export type Timing = { query: string; scope: string; p50_ms: number; floor_ms: number | null; ratio: number | null }

const QUARTER = { days: '90' }

type Case = { scope: string; category: string; window: Record<string, string> }

/** Shelf and department where a category is asked (posts are asked of departments), series over a quarter too. */
const casesOf = (query: AnyQuery): Case[] => {
  const window = queryId(query) === 'analyst/inflation' ? YEAR : {}
  const [shelf, department] = Object.entries(scopes).map(([scope, category]) => ({ scope, category, window }))
  if (!Object.hasOwn(query.params.shape, 'category')) return [shelf!]
  if (query.group === 'social') return [department!]
  const cases = [shelf!, department!]
  if (!Object.hasOwn(query.params.shape, 'granularity')) return cases
  return [...cases, ...cases.map(({ scope, ...rest }) => ({ ...rest, scope: `${scope}, 90 days`, window: QUARTER }))]
}

const LAPTOPS = '10001145'
/** What groups are asked that take more than a category. */
const asked: Partial<Record<Group, Record<string, string>>> = { shopper: { q: 'coffee' }, reference: { q: 'laptops' } }

/** The parameters of a case: those the query knows, and names only where it needs them. */
const givenFor = (
  query: AnyQuery,
  known: Record<string, string>,
  names: Record<string, string>,
): Record<string, string> => {
  const knows = ([name]: [string, string]): boolean => Object.hasOwn(query.params.shape, name)
  const needs = ([name]: [string, string]): boolean => !query.params.shape[name].safeParse(undefined).success
  const required = Object.entries(names).filter(knows).filter(needs)
  return Object.fromEntries([...Object.entries(known).filter(knows), ...required])
}

const timeQuery = async (engine: Engine, query: AnyQuery, given: Record<string, string>): Promise<number> => {
  const plan = await engine.plan(query, readParams(query, given))
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    await engine.run(plan)
    times.push(performance.now() - start)
  }
  return median(times)
}

const monthsOf = (from: string, to: string): string[] => {
  const months: string[] = []
  for (const day = new Date(from); day < new Date(to); day.setUTCMonth(day.getUTCMonth() + 1))
    months.push(day.toISOString().slice(0, 7))
  return months
}

const scopeOf = async (engine: Engine, category: string): Promise<Scope> => {
  const { bindings } = await engine.plan(findQuery('marketing', 'share-of-shelf')!, {
    category,
    country: 'us',
    days: 90,
  })
  return { first: bindings.first as number, last: bindings.last as number, country: 'us' }
}

const timeFloorOf = async (floor: Floor, query: AnyQuery, snapshot: string, scope: Scope): Promise<number | null> => {
  const sql = floors[queryId(query)]?.(snapshot, scope, monthsOf(YEAR.from, YEAR.to))
  return sql === undefined ? null : timeFloor(floor, sql, RUNS)
}

/** The first name of a marketing answer's list, so that names asked for have something on the smallest shelf. */
const first = async (
  engine: Engine,
  name: string,
  list: 'brands' | 'retailers',
  given: Record<string, string>,
): Promise<string> => {
  const query = findQuery('marketing', name)!
  const answer = await engine.run(await engine.plan(query, readParams(query, { category: scopes.shelf, ...given })))
  const [row] = (answer as Record<string, { brand: string; retailer: string }[]>)[list] ?? []
  return (list === 'brands' ? row?.brand : row?.retailer) ?? ''
}

/** Every query at shelf and department scope beside its floor, where one is written, on the same files in the same run. */
export const benchQueries = async (observations: number): Promise<Timing[]> => {
  const lake = await givenLake(observations)
  const engine = await Engine.open(lake, { as_of: AS_OF })
  const floor = await openFloor()
  const snapshot = join(lake, 'snapshots', engine.manifest.snapshot_id)
  const brand = await first(engine, 'share-of-shelf', 'brands', {})
  const retailer = await first(engine, 'promo-intelligence', 'retailers', { aggregate_by: 'retailer' })
  const timings: Timing[] = []
  for (const query of queries)
    for (const { scope, category, window } of casesOf(query)) {
      const known = { ...asked[query.group], category, ...window }
      const names = { brand, retailer, gpc_code: LAPTOPS }
      const p50 = await timeQuery(engine, query, givenFor(query, known, names))
      const floored =
        window === QUARTER ? null : await timeFloorOf(floor, query, snapshot, await scopeOf(engine, category))
      timings.push({
        query: queryId(query),
        scope,
        p50_ms: p50,
        floor_ms: floored,
        ratio: floored === null ? null : p50 / floored,
      })
    }
  engine.close()
  return timings
}
