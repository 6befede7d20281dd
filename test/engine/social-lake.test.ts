import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, queries, queryId } from '../../engine/index.ts'
import { ask, refusalOf } from '../support/ask.ts'
import { openEngine } from '../support/given.ts'
import { postsOn } from '../support/posts.ts'
import { socialLake } from '../support/social-lake.ts'
import { paramsFor } from '../support/world-queries.ts'

const AS_OF = new Date('2026-10-31T00:00:00Z')
const taxonomy = [
  { path: 'grocery', name: 'Grocery' },
  { path: 'grocery/coffee', name: 'Coffee' },
]
// The window of 7 days is [2026-10-24, 2026-10-31), the one before it [2026-10-17, 2026-10-24).
const posts = [
  ...postsOn('2026-10-10', 1, { theme: 'long ago' }),
  ...postsOn('2026-10-20', 10, { theme: 'cold brew', brand_norms: ['acme'] }),
  ...postsOn('2026-10-30', 12, { theme: 'cold brew', brand_norms: ['acme'] }),
]

let engine: Engine
beforeAll(async () => {
  const { lake } = await socialLake(posts, taxonomy)
  engine = await openEngine(lake, { as_of: AS_OF, warm: true })
})

const answerTo = (id: string, given: Record<string, string> = {}) => ask(engine, id, given)

test('the newest observation of a lake with posts alone is its newest post', () => {
  expect(engine.manifest.observed_to).toBeNull()
  expect(engine.newest_observed_at).toBe('2026-10-30T12:00:00Z')
})

test('the public lists of a lake with posts alone contain only its categories', async () => {
  expect(await answerTo('public/stats')).toMatchObject({
    products: { unique: 0, listings: 0 },
    categories: { total: 2, leaves: 1, max_depth: 2 },
    retailers: { total: 0 },
    observations: { total: 0 },
  })
  expect(await answerTo('public/categories')).toMatchObject({
    total: 1,
    items: [{ path: 'grocery', product_count: 0 }],
  })
  for (const list of ['retailers', 'brands', 'coverage'])
    expect(await answerTo(`public/${list}`), list).toMatchObject({ items: [], total: 0 })
})

test('social queries of a lake with posts alone count its mentions', async () => {
  const given = { category: 'grocery', window: '7d' }
  expect(await answerTo('social/brand-momentum', given)).toMatchObject({
    brands: [{ brand_norm: 'acme', mentions: 12, prior_mentions: 10, growth_pct: 20, status: 'rising' }],
  })
  expect(await answerTo('social/topic-trends', given)).toMatchObject({
    topics: [{ theme: 'cold brew', posts: 12, prior_posts: 10, status: 'rising' }],
  })
})

const ofPrices = queries.filter(({ group }) => ['shopper', 'marketing', 'analyst'].includes(group))

describe.each(ofPrices.map((query) => [queryId(query), query] as const))('%s', (id, query) => {
  test.each(['2026-10-31T00:00:00Z', '2026-10-15T00:00:00Z'])(
    'is refused in a lake with posts alone as of %s',
    async (as_of) => {
      const given = paramsFor(query)
      const { code, details } = await refusalOf(engine, id, given, as_of)
      const refusals = { retailer: 'RETAILER_NOT_SERVING_ELIGIBLE', series: 'NOT_PUBLISHED' }
      const [, refusal = 'NO_RESULTS'] = Object.entries(refusals).find(([name]) => name in given) ?? []
      expect(code).toBe(refusal)
      expect(details.newest_observed_at ?? null).toBeNull()
    },
  )
})
