import fc from 'fast-check'
import { z } from 'zod'
import { type AnyQuery, EngineError } from '../../engine/index.ts'
import type { Given } from './ask.ts'
import { addDays } from './oracle.ts'
import type { Granularity } from './oracle-periods.ts'
import { retailers, shelves, WORLD_END } from './worlds.ts'

/** What queries over a random world may name. */
const VALUES: Given = {
  q: 'Coffee',
  items: 'Coffee 0:2',
  category: 'Grocery > Coffee',
  brand: 'Acme',
  retailer: 'alpha',
  gpc_code: '50202600',
  browse_id: '3',
  series: 'sample:coffee',
  regular: true,
  months: 4,
}

type Parameters = { properties?: Record<string, unknown>; required?: string[] }

/** Parameters with which a query has an answer over a random world: what it requires, and a category or text where it takes one. */
export const paramsFor = ({ group, name: query, params }: AnyQuery): Given => {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' }) as Parameters
  const wanted =
    group === 'public' ? [] : 'browse_id' in properties ? ['browse_id'] : ['q', 'category', 'regular', 'months']
  if (group === 'social') return { category: 'grocery' }
  // A history is of one product; that of the first listing has its name for itself.
  const values = query !== 'best-price' && 'product_uid' in properties ? { ...VALUES, q: 'Coffee 0' } : VALUES
  const names = Object.keys(VALUES).filter(
    (name) => required.includes(name) || (wanted.includes(name) && name in properties),
  )
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

export type Scope = {
  shelf: readonly string[]
  country: 'us' | 'ca'
  retailer?: string | undefined
  as_of: string
}

/** After every observation, before the last day, between them at midnight and in the evening, and before all but a few. */
export const moments = [
  `${WORLD_END}T00:00:00Z`,
  `${WORLD_END}T00:00:00Z`,
  '2026-12-01T07:00:00Z',
  `${addDays(WORLD_END, -1)}T00:00:00Z`,
  '2026-10-01T00:00:00Z',
  '2026-09-14T18:00:00Z',
  '2026-08-02T00:00:00Z',
]

export const scopes: fc.Arbitrary<Scope> = fc.record({
  shelf: fc.constantFrom<readonly string[]>(['Grocery'], ['Grocery', 'Coffee'], ['Garden'], ...shelves),
  country: fc.constantFrom('us' as const, 'us' as const, 'ca' as const),
  retailer: fc.option(fc.constantFrom(...retailers), { freq: 2, nil: undefined }),
  as_of: fc.constantFrom(...moments),
})

const days = fc.date({ min: new Date('2026-07-10'), max: new Date('2026-12-10'), noInvalidDate: true })
const granularities = fc.constantFrom<Granularity[]>('daily', 'weekly', 'monthly')

/** Windows over a random world, some of them beyond it. */
export const windows = fc
  .tuple(days, days, granularities)
  .map(([a, b, granularity]) => {
    const [from = '', to = ''] = [a, b].map((date) => date.toISOString().slice(0, 10)).sort()
    return { from, to, granularity }
  })
  .filter(({ from, to }) => from < to)

export const ages = fc.constantFrom(90, 1, 14, 365)

export const given = ({ shelf, country, retailer }: Scope): Given => ({
  category: shelf.join(' > '),
  country,
  retailer,
})

/** An answer, or the code with which it is refused. */
export const answerOr = <T>(answer: Promise<T>): Promise<T | string> =>
  answer.catch((error: unknown) => {
    if (error instanceof EngineError) return error.code
    throw error
  })
