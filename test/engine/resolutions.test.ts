import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, type Plan, queries, queryId, readParams } from '../../engine/index.ts'
import { openEngine, sampleLake } from '../support/given.ts'
import { samplePaths } from '../support/http.ts'

const DAY = '2026-11-20'
const MOMENTS = ['12:00:00', '00:00:00', '23:59:59', '00:00:01'].map((time) => new Date(`${DAY}T${time}Z`))

let engine: Engine
/** For each moment an engine that plans at no other. */
let others: Engine[]
beforeAll(async () => {
  const { lake } = await sampleLake()
  engine = await openEngine(lake)
  others = await Promise.all(MOMENTS.map(() => openEngine(lake)))
})

const planAt = (of: Engine, id: string, given: Record<string, string>, now: Date): Promise<Plan> => {
  const query = queries.find((candidate) => queryId(candidate) === id)!
  return of.plan(query, readParams(query, given), { now })
}

const samples = samplePaths().map(({ query, path }) => ({
  id: queryId(query),
  given: Object.fromEntries(new URLSearchParams(path.split('?')[1])),
}))

describe('the plan of a repeated query', () => {
  test.each(samples)('equals one resolved at that moment: $id', async ({ id, given }) => {
    for (const [index, now] of MOMENTS.entries()) {
      const kept = await planAt(engine, id, given, now)
      const resolved = await planAt(others[index]!, id, given, now)
      expect(JSON.stringify(kept)).toBe(JSON.stringify(resolved))
    }
  })

  test.each(samples)('is not resolved again on the same day: $id', async ({ id, given }) => {
    const [noon, midnight, evening] = MOMENTS as [Date, Date, Date]
    const { bindings } = await planAt(engine, id, given, noon)
    expect((await planAt(engine, id, given, evening)).bindings).toBe(bindings)
    expect((await planAt(engine, id, given, midnight)).bindings).not.toBe(bindings)
    expect((await planAt(engine, id, { ...given, as_of: '2026-10-01' }, noon)).bindings).not.toBe(bindings)
  })

  test('is refused from the moment when its window becomes too long', async () => {
    const inflation = (from: string, time: string) =>
      planAt(engine, 'analyst/inflation', { category: 'coffee', from }, new Date(`${DAY}T${time}Z`))
    await expect(inflation('2021-11-20T12:00:00Z', '11:00:00')).resolves.toBeDefined()
    await expect(inflation('2021-11-20T12:00:00Z', '13:00:00')).rejects.toThrow('longer than 5 years')
  })
})
