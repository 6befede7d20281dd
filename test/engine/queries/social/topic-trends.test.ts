import { beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { postsOn, sighting } from '../../../support/posts.ts'
import { listing, observed } from '../../../support/rows.ts'

// The window of 7 days is [2026-10-24, 2026-10-31), the one before it [2026-10-17, 2026-10-24).
const posts = [
  sighting('first', '2026-10-10', { theme: 'long ago' }),
  // Latte art: 12 posts after 10, +20 %: rising. A post of the prior window gained 250 views in this one.
  ...postsOn('2026-10-18', 9, { theme: 'latte art', gpc_codes: ['10000115'] }),
  sighting('again', '2026-10-19', { theme: 'latte art', views: 1000 }),
  sighting('again', '2026-10-19', { theme: 'latte art', views: 1250, collected_at: '2026-10-25T09:00:00Z' }),
  sighting('again', '2026-10-19', { theme: 'latte art', views: 1100, collected_at: '2026-10-26T09:00:00Z' }),
  ...postsOn('2026-10-27', 12, { theme: 'Latte Art', gpc_codes: ['10009999', '10008178', '10000115'] }),
  // Cold brew: 2 posts after none.
  ...postsOn('2026-10-28', 2, { theme: 'cold brew' }),
  // Price check: 8 after 10, -20 %: falling.
  ...postsOn('2026-10-20', 10, { theme: 'price check' }),
  ...postsOn('2026-10-29', 8, { theme: 'price check' }),
  // Recipes: 19 after 16, +18.75 %: flat.
  ...postsOn('2026-10-21', 16, { theme: 'recipes', is_ad: true }),
  ...postsOn('2026-10-30', 19, { theme: 'recipes', is_ad: true }),
]

let engine: Engine
beforeAll(async () => {
  const observations = observed(listing('1'), { '2026-10-01': 1000 })
  engine = await givenEngine(observations, { as_of: new Date('2026-10-31T00:00:00Z') }, posts)
})

const trends = (given: Record<string, string | boolean> = {}) =>
  ask(engine, 'social/topic-trends', { category: 'grocery', window: '7d', ...given })

test('a worked example lists new themes first, then moving ones by shrunken growth, then the rest', async () => {
  const { topics, thin_base_rows, coverage } = await trends()
  expect(topics).toEqual([
    {
      theme: 'cold brew',
      product_types: [],
      posts: 2,
      prior_posts: 0,
      growth_pct: null,
      shrunken_growth_pct: 20,
      reach: 200,
      status: 'new',
      thin_base: true,
    },
    {
      // 18 / 20, a movement of 1.11.
      theme: 'price check',
      product_types: [],
      posts: 8,
      prior_posts: 10,
      growth_pct: -20,
      shrunken_growth_pct: -10,
      reach: 800,
      status: 'falling',
      thin_base: false,
    },
    {
      // 22 / 20, a movement of 1.10. 1,200 views of new posts and 250 more of an older one.
      theme: 'latte art',
      product_types: [
        { code: '10000115', title: 'Coffee - Instant' },
        { code: '10008178', title: 'Coffee - Beans' },
        // No release has it.
        { code: '10009999', title: null },
      ],
      posts: 12,
      prior_posts: 10,
      growth_pct: 20,
      shrunken_growth_pct: 10,
      reach: 1450,
      status: 'rising',
      thin_base: false,
    },
    {
      theme: 'recipes',
      product_types: [],
      posts: 19,
      prior_posts: 16,
      growth_pct: 18.75,
      shrunken_growth_pct: 11.54,
      reach: 1900,
      status: 'flat',
      thin_base: false,
    },
  ])
  expect(thin_base_rows).toBe(1)
  expect(coverage).toMatchObject({ products: 41, sufficient: true, note: '41 posts.' })
})

test('themes that only ads mention are omitted with organic_only', async () => {
  const { topics } = await trends({ organic_only: true })
  expect(topics.map(({ theme }: { theme: string }) => theme)).toEqual(['cold brew', 'price check', 'latte art'])
})

test('the coverage note says where the feed covers the prior window only partly', async () => {
  const answer = await ask(engine, 'social/topic-trends', { category: 'grocery', window: '7d' }, '2026-10-22T00:00:00Z')
  // [2026-10-15, 2026-10-22) after [2026-10-08, 2026-10-15), of which the feed has not seen two days.
  expect(answer.snapshot).toMatchObject({ from: '2026-10-15', prior_from: '2026-10-08' })
  expect(answer.coverage.sufficient).toBe(false)
  expect(answer.coverage.note).toContain('The feed begins 2 days into the prior window')
})
