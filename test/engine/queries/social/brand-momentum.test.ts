import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { postsOn, sighting } from '../../../support/posts.ts'
import { listing, observed } from '../../../support/rows.ts'

const AS_OF = '2026-10-31T06:00:00Z'

/** A shelf of groceries, which carries Acme, and one of gardening. */
const observations = [
  ...observed(listing('1', { brand: 'acme', spelling: 'Acme' }), { '2026-10-01': 1000 }),
  ...observed(listing('2', { shelf: ['Garden', 'Hoses'] }), { '2026-10-01': 1000 }),
]

// The window of 30 days is [2026-10-01, 2026-10-31), the one before it [2026-09-01, 2026-10-01).
const posts = [
  // The feed begins long before, with a post of another department.
  sighting('first', '2026-08-15', { category_root: 'garden', platform: 'tiktok' }),
  // Acme: 30 mentions after 20, one of them an ad: +50 %.
  ...postsOn('2026-09-05', 20, { brand_norms: ['acme'] }),
  ...postsOn('2026-10-05', 29, { brand_norms: ['acme'], views: 100, likes: 4 }),
  ...postsOn('2026-10-06', 1, { brand_norms: ['acme'], is_ad: true, views: undefined }),
  // Bolt: 6 after 2: +200 %, but on a thin base.
  ...postsOn('2026-09-06', 2, { brand_norms: ['Bolt'] }),
  ...postsOn('2026-10-07', 6, { brand_norms: ['Bolt'] }),
  // Crate: 5 after 25: -80 %.
  ...postsOn('2026-09-07', 25, { brand_norms: ['crate'] }),
  ...postsOn('2026-10-08', 5, { brand_norms: ['crate', 'Bolt & Nut'] }),
  // Drum: 11 after 10: +10 %, flat. Its posts are of TikTok.
  ...postsOn('2026-09-08', 10, { brand_norms: ['drum'], platform: 'tiktok' }),
  ...postsOn('2026-10-09', 11, { brand_norms: ['drum'], platform: 'tiktok' }),
  // Noise speaks of brands too: none of it counts.
  ...postsOn('2026-10-10', 13, { brand_norms: ['acme', 'noise'], is_noise: true }),
  // The day of as_of is not over.
  ...postsOn('2026-10-31', 9, { brand_norms: ['acme'] }).map((post) => ({
    ...post,
    posted_at: '2026-10-31T01:00:00Z',
    collected_at: '2026-10-31T02:00:00Z',
  })),
  // The newest whole day of the feed is 2026-10-30.
  sighting('last', '2026-10-30', { platform: 'tiktok', theme: 'last' }),
]

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(observations, { as_of: new Date(AS_OF) }, posts)
})

const momentum = (given: Record<string, string | number | boolean> = {}, as_of?: string) =>
  ask(engine, 'social/brand-momentum', { category: 'grocery', ...given }, as_of)

describe('a worked example', () => {
  test('lists new brands first, then moving ones by shrunken growth, then flat ones', async () => {
    const { brands, thin_base_rows, noise_pct, ...answer } = await momentum()
    // Shrunken: Acme 40/30 = 1.33; Bolt 16/12 = 1.33; Crate 15/35, a movement of 2.33; Bolt and Acme tie: mentions.
    expect(brands).toEqual([
      {
        brand: 'Bolt & Nut',
        brand_norm: 'boltandnut',
        mentions: 5,
        prior_mentions: 0,
        growth_pct: null,
        shrunken_growth_pct: 50,
        reach: 500,
        engagement_rate_pct: null,
        status: 'new',
        thin_base: true,
      },
      {
        brand: 'crate',
        brand_norm: 'crate',
        mentions: 5,
        prior_mentions: 25,
        growth_pct: -80,
        shrunken_growth_pct: -57.14,
        reach: 500,
        engagement_rate_pct: null,
        status: 'falling',
        thin_base: false,
      },
      {
        brand: 'Acme',
        brand_norm: 'acme',
        mentions: 30,
        prior_mentions: 20,
        growth_pct: 50,
        shrunken_growth_pct: 33.33,
        reach: 2900,
        // 29 posts of 4 likes and 100 views.
        engagement_rate_pct: 4,
        status: 'rising',
        thin_base: false,
      },
      {
        brand: 'Bolt',
        brand_norm: 'bolt',
        mentions: 6,
        prior_mentions: 2,
        growth_pct: 200,
        shrunken_growth_pct: 33.33,
        reach: 600,
        engagement_rate_pct: null,
        status: 'rising',
        thin_base: true,
      },
      {
        brand: 'drum',
        brand_norm: 'drum',
        mentions: 11,
        prior_mentions: 10,
        growth_pct: 10,
        shrunken_growth_pct: 5,
        reach: 1100,
        engagement_rate_pct: null,
        status: 'flat',
        thin_base: false,
      },
    ])
    expect(thin_base_rows).toBe(2)
    // 30 + 6 + 5 + 11 + 1 posts, and 13 of noise: 13 / 66.
    expect(noise_pct).toBe(19.7)
    expect(answer).toMatchObject({
      category: 'grocery',
      subcategory: null,
      window_days: 30,
      platform: 'all',
      organic_only: false,
      status: 'all',
      coverage: {
        products: 53,
        sufficient: false,
        note: '53 posts. The windows are covered in part only by youtube.',
        unpublished_note: 'Not published here: 90d. The feed does not cover them.',
      },
      // 2026-10-30 12:00 to 2026-10-31 06:00.
      freshness: { observedThrough: '2026-10-30T12:00:00Z', staleHours: 18 },
      snapshot: {
        snapshot_id: engine.manifest.snapshot_id,
        published_at: engine.manifest.published_at,
        from: '2026-10-01',
        to: '2026-10-31',
        prior_from: '2026-09-01',
        prior_to: '2026-10-01',
      },
      resolved: { input: 'grocery', category_path: 'grocery', department: 'grocery', match_source: 'department' },
    })
  })

  test.each([
    ['new', ['boltandnut']],
    ['rising', ['acme', 'bolt']],
    ['falling', ['crate']],
  ])('lists only %s brands and counts those with a thin base', async (status, keys) => {
    const { brands, thin_base_rows } = await momentum({ status })
    expect(brands.map(({ brand_norm }: { brand_norm: string }) => brand_norm)).toEqual(keys)
    expect(thin_base_rows).toBe(brands.filter(({ thin_base }: { thin_base: boolean }) => thin_base).length)
  })

  test('has one mention less without ads', async () => {
    const { brands, coverage } = await momentum({ organic_only: true })
    expect(coverage.products).toBe(52)
    expect(brands).toContainEqual(expect.objectContaining({ brand_norm: 'acme', mentions: 29, growth_pct: 45 }))
  })

  test('can be limited to one platform whose feed covers both windows', async () => {
    const { brands, coverage } = await momentum({ platform: 'tiktok' })
    expect(brands).toEqual([expect.objectContaining({ brand_norm: 'drum', mentions: 11 })])
    expect(coverage).toMatchObject({ products: 12, sufficient: false })
    expect(coverage.note).toBe('Only 12 posts: too few to read as the conversation.')
  })

  test('has at most limit rows', async () => {
    const { brands, thin_base_rows } = await momentum({ limit: 2 })
    expect([brands.length, thin_base_rows]).toEqual([2, 1])
  })
})

test('a few old posts that were collected late do not extend the period of a feed', async () => {
  const old = sighting('old', '2019-05-05', { collected_at: '2026-10-05T00:00:00Z' })
  const days = Array.from({ length: 20 }, (_, i) => `2026-10-${String(i + 8).padStart(2, '0')}`)
  const young = await givenEngine(observations, {}, [
    old,
    ...days.flatMap((day) => postsOn(day, 6, { brand_norms: ['a'] })),
  ])
  const answerFor = (window: string) => ask(young, 'social/brand-momentum', { category: 'grocery', window }, AS_OF)
  await expect(answerFor('30d')).rejects.toMatchObject({ code: 'NOT_PUBLISHED' })
  // [2026-10-21, 2026-10-28) after [2026-10-14, 2026-10-21).
  expect(await answerFor('7d')).toMatchObject({
    brands: [{ mentions: 42, prior_mentions: 42 }],
    coverage: { sufficient: true },
  })
})

describe('brand-momentum is refused before payment for', () => {
  test.each([
    ['a window that the feed does not cover', { window: '90d' }, /window: 90d is not published for grocery on all/],
    ['a department without posts in the window', { category: 'garden' }, /no window is published there/],
    ['a platform whose feed begins later', { platform: 'youtube', window: '90d' }, /published there: 7d, 30d/],
  ])('%s', async (_, given, message) => {
    await expect(momentum(given)).rejects.toMatchObject({
      code: 'NOT_PUBLISHED',
      message: expect.stringMatching(message),
      details: { published_windows: { all: expect.any(Array), tiktok: expect.any(Array), youtube: expect.any(Array) } },
    })
  })

  test('any window, if the feed ended more than 90 days ago', async () => {
    await expect(momentum({}, '2027-01-28T00:00:00Z')).resolves.toBeDefined()
    await expect(momentum({}, '2027-01-31T00:00:00Z')).rejects.toMatchObject({ code: 'NOT_PUBLISHED' })
  })

  test('an aisle, naming its department', async () => {
    await expect(momentum({ category: 'coffee' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'category: "grocery/coffee" is an aisle; send its department "grocery"',
      details: { parameter: 'category', category_root: 'grocery' },
    })
  })

  test('an unknown category and invalid values', async () => {
    await expect(momentum({ category: 'zzzz' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(momentum({ window: '14d' })).rejects.toMatchObject({ details: { parameter: 'window' } })
    await expect(momentum({ status: 'flat' })).rejects.toMatchObject({ details: { parameter: 'status' } })
    await expect(momentum({ limit: 101 })).rejects.toMatchObject({ details: { parameter: 'limit' } })
  })
})

test('brand-momentum without rows is refused with the number of brands of any status', async () => {
  await expect(momentum({ platform: 'tiktok', status: 'falling' })).rejects.toMatchObject({
    code: 'NO_RESULTS',
    message: 'No falling brand was found in grocery from 2026-09-01 to 2026-10-31.',
    details: { status: 'falling', brands_of_any_status: 1 },
  })
})
