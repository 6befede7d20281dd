import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask } from '../support/ask.ts'
import { givenEngine } from '../support/given.ts'
import { increasesOf, ranked, type SocialQuery, socialRows } from '../support/oracle-social.ts'
import { postsOf } from '../support/posts.ts'
import { answerOr } from '../support/world-queries.ts'
import { WORLD_END, worldOf, worldSeeds } from '../support/worlds.ts'

const socialQueries: fc.Arbitrary<SocialQuery> = fc.record({
  category: fc.constantFrom('grocery', 'garden'),
  window: fc.constantFrom<SocialQuery['window'][]>('7d', '30d', '90d'),
  platform: fc.constantFrom<SocialQuery['platform'][]>('all', 'all', 'tiktok', 'youtube'),
  organic_only: fc.boolean(),
  as_of: fc.constantFrom(
    `${WORLD_END}T00:00:00Z`,
    '2026-12-24T09:00:00Z',
    '2026-10-14T18:00:00Z',
    '2026-09-01T00:00:00Z',
    '2027-03-01T00:00:00Z',
  ),
})

describe.each(worldSeeds)('with random posts of seed %i', (seed) => {
  const posts = postsOf(seed)
  const increases = increasesOf(posts)
  const runs = { seed, numRuns: 30 }
  let engine: Engine

  beforeAll(async () => {
    engine = await givenEngine(worldOf(seed), {}, posts)
  })

  const answerTo = (id: string, { as_of, ...given }: SocialQuery) =>
    answerOr(ask(engine, id, { ...given, limit: 100 }, as_of))

  test('brand-momentum equals its definition', () =>
    fc.assert(
      fc.asyncProperty(socialQueries, async (query) => {
        const answer = await answerTo('social/brand-momentum', query)
        const expected = socialRows(increases, query, ({ brands }) => brands)
        if (!expected || expected.rows.length === 0) {
          expect(answer).toBe(expected ? 'NO_RESULTS' : 'NOT_PUBLISHED')
          return
        }
        const { days, noise_pct, rows } = expected
        const brands = ranked(rows).map(({ subject, count, prior, ...figures }) => ({
          brand_norm: subject,
          mentions: count,
          prior_mentions: prior,
          ...figures,
        }))
        expect(answer).toMatchObject({ noise_pct, snapshot: days, coverage: { products: expected.posts }, brands })
        expect(answer.thin_base_rows).toBe(rows.filter(({ thin_base }) => thin_base).length)
      }),
      runs,
    ))

  test('topic-trends equals its definition', () =>
    fc.assert(
      fc.asyncProperty(socialQueries, async (query) => {
        const answer = await answerTo('social/topic-trends', query)
        const expected = socialRows(increases, query, ({ post }) => (post.theme ? [post.theme] : []))
        if (!expected || expected.rows.length === 0) {
          expect(answer).toBe(expected ? 'NO_RESULTS' : 'NOT_PUBLISHED')
          return
        }
        const topics = ranked(expected.rows).map(({ subject, count, prior, engagement_rate_pct, ...figures }) => ({
          theme: subject,
          posts: count,
          prior_posts: prior,
          ...figures,
        }))
        expect(answer).toMatchObject({ noise_pct: expected.noise_pct, snapshot: expected.days, topics })
      }),
      runs,
    ))

  test('no brand has more mentions than there are posts, and organic posts and ads add up to all posts', () =>
    fc.assert(
      fc.asyncProperty(socialQueries, async (query) => {
        const all = await answerTo('social/brand-momentum', { ...query, organic_only: false })
        const organic = await answerTo('social/brand-momentum', { ...query, organic_only: true })
        if (typeof all === 'string') return
        for (const { mentions } of all.brands) expect(mentions).toBeLessThanOrEqual(all.coverage.products)
        if (typeof organic === 'string') return
        const { from, to } = all.snapshot
        const ads = increases.filter(
          ({ post, day, is_first }) =>
            is_first &&
            post.is_ad &&
            !post.is_noise &&
            day >= from &&
            day < to &&
            post.category_root === query.category &&
            (query.platform === 'all' || post.platform === query.platform),
        )
        expect(organic.coverage.products + ads.length).toBe(all.coverage.products)
      }),
      runs,
    ))
})

describe('two adjacent windows', () => {
  const posts = postsOf(4)
  let engine: Engine
  beforeAll(async () => {
    engine = await givenEngine(worldOf(4), {}, posts)
  })

  test('are consistent: the prior mentions of one are the mentions of the other', async () => {
    const query = { category: 'grocery', window: '30d', limit: 100 }
    const later = await ask(engine, 'social/brand-momentum', query, `${WORLD_END}T00:00:00Z`)
    const earlier = await ask(engine, 'social/brand-momentum', query, `${later.snapshot.prior_to}T00:00:00Z`)
    expect(earlier.snapshot).toMatchObject({ from: later.snapshot.prior_from, to: later.snapshot.prior_to })
    const mentions = new Map(
      earlier.brands.map((row: { brand_norm: string; mentions: number }) => [row.brand_norm, row.mentions]),
    )
    for (const { brand_norm, prior_mentions } of later.brands)
      expect(mentions.get(brand_norm) ?? 0).toBe(prior_mentions)
    expect(earlier.brands.length).toBeGreaterThan(2)
  })
})
