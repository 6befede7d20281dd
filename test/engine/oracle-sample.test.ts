import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS, type Engine, snapshotFolder } from '../../engine/index.ts'
import { ask, type Given } from '../support/ask.ts'
import { openEngine, sampleLake } from '../support/given.ts'
import { rowsOf, type Shelf } from '../support/lake-rows.ts'
import type { ListingDay } from '../support/oracle.ts'
import { categorySummary, priceDispersion } from '../support/oracle-current.ts'
import { inflation } from '../support/oracle-inflation.ts'
import { answerOr } from '../support/world-queries.ts'

const runs = { seed: 1, numRuns: 15 }

let lake: string
let as_of: Date
let engine: Engine
let days: ListingDay[]
let shelves: Shelf[]

beforeAll(async () => {
  ;({ lake, as_of } = await sampleLake())
  engine = await openEngine(lake, { as_of, threads: 2 })
  ;({ days, shelves } = await rowsOf(snapshotFolder(lake, engine.manifest.snapshot_id)))
})

const scopes = fc.record({
  // By number, since the shelves are not read yet; large ones come first.
  number: fc.oneof(fc.nat(11), fc.nat()),
  country: fc.constantFrom('us' as const, 'ca' as const),
})
const windows = fc
  .record({ start: fc.integer({ min: 1, max: 390 }), length: fc.integer({ min: 20, max: 390 }) })
  .map(({ start, length }) => {
    const day = (before: number) => new Date(Date.parse('2026-11-21') - before * DAY_MS).toISOString().slice(0, 10)
    return { from: day(start), to: day(Math.max(0, start - length)) }
  })
const granularities = fc.constantFrom('weekly' as const, 'monthly' as const, 'monthly' as const)

const shelfOf = (number: number): Shelf => {
  const sorted = shelves.toSorted((a, b) => a.shelf.length - b.shelf.length || (a.path < b.path ? -1 : 1))
  return sorted[number % sorted.length]!
}

const check = async (id: string, given: Given, figures: object | null) => {
  const answer = await answerOr(ask(engine, id, given))
  if (figures === null) expect(answer).toBe('NO_RESULTS')
  else expect(answer).toMatchObject(figures)
}

test('inflation of the sample lake equals its definition', () =>
  fc.assert(
    fc.asyncProperty(scopes, windows, granularities, async ({ number, country }, window, granularity) => {
      const { path, shelf } = shelfOf(number)
      const params = { ...window, granularity, country }
      const figures = inflation(days, { ...params, shelf, as_of: as_of.toISOString() })
      await check('analyst/inflation', { ...params, category: path }, figures)
    }),
    runs,
  ))

test('current prices of the sample lake equal their definitions', () =>
  fc.assert(
    fc.asyncProperty(scopes, async ({ number, country }) => {
      const { path, shelf } = shelfOf(number)
      const params = { shelf, country, as_of: as_of.toISOString() }
      const { brands, ...summary } = categorySummary(days, params) ?? {}
      await check('analyst/price-dispersion', { category: path, country }, priceDispersion(days, params))
      await check('analyst/category-summary', { category: path, country }, brands ? summary : null)
    }),
    runs,
  ))

test('one thread and two threads give the same bytes', async () => {
  const alone = await openEngine(lake, { as_of, threads: 1 })
  for (const { path } of shelves.filter(({ shelf }) => shelf.length === 1))
    for (const id of ['analyst/inflation', 'analyst/price-dispersion', 'analyst/category-summary']) {
      const given = { category: path, ...(id === 'analyst/inflation' ? { days: 360 } : {}) }
      const [one, two] = await Promise.all([alone, engine].map((each) => answerOr(ask(each, id, given))))
      expect(JSON.stringify(one)).toBe(JSON.stringify(two))
    }
})
