import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseOwnMapping } from '../../ingest/feeds/mapping.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { sized } from '../support/full-size.ts'
import { postsOf, type Sighting, sighting } from '../support/posts.ts'
import { csv, givenFiles, type Lake, newFolder, query, refusedRows, run, runFiles, single } from './feeds.ts'

const prices = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05T00:00:00Z,1.00,USD') }
const lines = (posts: readonly object[]): string => posts.map((post) => `${JSON.stringify(post)}\n`).join('')

/** A refresh of posts, with a price beside them since a lake needs one. */
const refreshed = (posts: readonly Partial<Sighting>[], lake?: string): Promise<Lake> =>
  runFiles({ ...prices, 'social_posts/a.jsonl': lines(posts) }, lake ? { lake } : {})

const socialFile = (report: Lake) => report.files.find(({ feed }) => feed === 'social_posts')!

const TABLES = ['social_days', 'social_brand_days', 'social_theme_days', 'social_theme_types', 'social_brands']
const contentsOf = async (report: Lake) =>
  Object.fromEntries(
    await Promise.all(TABLES.map(async (name) => [name, await query(`FROM ${single(report, name)} ORDER BY ALL`)])),
  )

/** A post of a department, of which each test has its own. */
const said = (department: string, post: Partial<Sighting> = {}) =>
  sighting(department, '2026-03-01', { category_root: department, ...post })

// 100 views at first sight, 150 two days later, then 120 (a decrease adds nothing), then 180: 100 + 50 + 30.
const VISITS = [
  ['2026-03-02T08:00:00Z', 100],
  ['2026-03-04T08:00:00Z', 150],
  ['2026-03-05T08:00:00Z', 120],
  ['2026-03-06T08:00:00Z', 180],
] as const
const good = said('broken')
const DEPARTMENTS: Readonly<Record<string, readonly object[]>> = {
  views: VISITS.map(([collected_at, views]) => said('views', { collected_at, views, brand_norms: ['acme'] })),
  late: [said('late', { collected_at: '2026-03-03T08:00:00Z', theme: 'late', is_ad: true })],
  undated: ['2026-03-04T08:00:00Z', '2026-03-02T08:00:00Z'].map((collected_at) =>
    said('undated', { posted_at: undefined, collected_at }),
  ),
  noise: [said('noise', { is_noise: true, theme: 'x', brand_norms: ['acme'] })],
  brands: [said('brands', { brand_norms: ["L'Oréal", 'LOREAL', 'Tiffany & Co.', 'N/A'] })],
  broken: [
    good,
    { ...good, platform: 'facebook' },
    { ...good, post_id: '' },
    { ...good, post_id: '#NOME?' },
    { ...good, category_root: 'grocery/coffee' },
    { ...good, collected_at: 'soon' },
    { ...good, collected_at: '' },
    { ...good, posted_at: 'then' },
    { ...good, posted_at: '2026-04-01T00:00:00Z' },
  ],
  partial: [{ ...said('partial'), views: '-5', is_ad: 'perhaps', gpc_codes: ['10000115', 'coffee'] }],
  repeated: ['2026-03-01T13:00:00Z', '2026-03-01T13:00:00Z', '2026-03-01T15:00:00Z', '2026-03-02T15:00:00Z'].map(
    (collected_at) => said('repeated', { collected_at }),
  ),
}

/** A refresh of all departments, each as a file. */
const departments = (): Promise<Lake> => {
  const files = Object.entries(DEPARTMENTS).map(([name, posts]) => [
    `social_posts/${name}.jsonl`,
    `${lines(posts)}${name === 'broken' ? 'not json of Jane Doe\n' : ''}`,
  ])
  return runFiles({ ...prices, ...Object.fromEntries(files) })
}

const fileOf = ({ files }: RefreshReport, department: string) =>
  files.find(({ file }) => file === `social_posts/${department}.jsonl`)!

describe('a post', () => {
  let report: Lake
  beforeAll(async () => {
    report = await departments()
  })
  const rowsOf = (table: string, columns: string, department: string) =>
    query(`SELECT ${columns} FROM ${single(report, table)} WHERE category_root = '${department}' ORDER BY ALL`)

  test('counts once on the day it was posted, and its views on the days on which they were collected', async () => {
    expect(await rowsOf('social_brand_days', 'day::VARCHAR AS day, mentions, reach', 'views')).toEqual([
      { day: '2026-03-01', mentions: 1, reach: '100' },
      { day: '2026-03-04', mentions: 0, reach: '50' },
      { day: '2026-03-06', mentions: 0, reach: '30' },
    ])
  })

  test('has the attributes of its first sighting, even if that arrives last', async () => {
    const later = await refreshed([said('late', { theme: 'early' })], report.lake)
    const themes = `SELECT theme, is_ad, posts FROM ${single(later, 'social_theme_days')}
      WHERE posts > 0 AND category_root = 'late'`
    expect(await query(themes)).toEqual([{ theme: 'early', is_ad: false, posts: 1 }])
  })

  test('without a time of posting counts on the day it was first collected', async () => {
    const days = await rowsOf('social_days', 'day::VARCHAR AS day, posts', 'undated')
    expect(days.filter(({ posts }) => Number(posts) > 0)).toEqual([{ day: '2026-03-02', posts: 1 }])
  })

  test('that is noise is counted separately and adds nothing else', async () => {
    expect(await rowsOf('social_days', 'posts, noise_posts', 'noise')).toEqual([{ posts: 0, noise_posts: 1 }])
    expect(await rowsOf('social_brand_days', '*', 'noise')).toEqual([])
    expect(await rowsOf('social_theme_days', '*', 'noise')).toEqual([])
  })

  test('mentions each of its brands once, however spelt, and no placeholders', async () => {
    const brands = [{ brand_norm: 'loreal' }, { brand_norm: 'tiffany' }]
    expect(await rowsOf('social_brand_days', 'brand_norm', 'brands')).toEqual(brands)
  })
})

describe('rows of posts', () => {
  let report: Lake
  beforeAll(async () => {
    report = await departments()
  })

  test('that break a rule are refused with their field, and the others are kept', async () => {
    expect(fileOf(report, 'broken')).toMatchObject({
      rows_read: 10,
      kept: 1,
      quarantined: {
        PLATFORM_INVALID: 1,
        POST_ID_MISSING: 1,
        POST_ID_INVALID: 1,
        CATEGORY_ROOT_INVALID: 1,
        COLLECTED_AT_INVALID: 1,
        COLLECTED_AT_MISSING: 1,
        POSTED_AT_INVALID: 1,
        POSTED_AFTER_COLLECTED: 1,
        ROW_MALFORMED: 1,
      },
    })
    const refused = await readFile(report.quarantine!, 'utf8')
    expect(refused).toContain('"line":4,"code":"POST_ID_INVALID","field":"post_id","value":"#NOME?"')
    // What cannot be split may hold what somebody wrote.
    expect(refused).not.toContain('Jane')
  })

  test('keep their valid values, and the invalid ones are counted', () => {
    expect(fileOf(report, 'partial')).toMatchObject({
      kept: 1,
      dropped_values: [
        { field: 'gpc_codes', reason: 'not_a_code', count: 1 },
        { field: 'is_ad', reason: 'unknown', count: 1 },
        { field: 'views', reason: 'not_a_count', count: 1 },
      ],
    })
  })

  test('that are repeated are duplicates, and the latest sighting of a day is kept', () => {
    const duplicates = { same_key: 0, same_day: 2 }
    expect(fileOf(report, 'repeated')).toMatchObject({ rows_read: 4, kept: 2, duplicates })
  })
})

describe('the same posts give the same roll-ups', () => {
  const posts = postsOf(11)

  test('in any order, in one refresh or several, and repeated posts change nothing', async () => {
    const whole = await refreshed(posts)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...posts], { minLength: posts.length }),
        fc.nat(posts.length),
        async (shuffled, cut) => {
          const { lake } = await refreshed(shuffled.slice(0, cut))
          const report = await refreshed(shuffled.slice(cut), lake)
          expect(await contentsOf(report)).toEqual(await contentsOf(whole))
          expect(report.digest).toBe(whole.digest)
          const { rows_read, kept, duplicates, ...file } = socialFile(whole)
          expect(rows_read).toBe(kept + duplicates.same_key + duplicates.same_day + refusedRows({ ...file } as never))
          const again = await refreshed(posts, lake)
          expect(again.status).toBe('unchanged')
          expect(socialFile(again).kept).toBe(0)
        },
      ),
      { seed: 11, numRuns: sized(1, 4) },
    )
  })

  test('and keep them in a refresh with prices alone, as prices are kept in one with posts alone', async () => {
    const { lake, digest } = await refreshed(posts)
    const expensive = csv('acme,us,1,2026-01-06T00:00:00Z,2.00,USD')
    const priced = await runFiles({ 'price_observations/b.csv': expensive }, { lake })
    expect(priced).toMatchObject({ status: 'published', counts: { observations: 2 } })
    const more = await runFiles({ 'social_posts/b.jsonl': lines([sighting('more', '2026-10-05')]) }, { lake })
    expect(more).toMatchObject({ status: 'published', counts: { observations: 2 } })
    expect(more.counts.social_sightings).toBe(priced.counts.social_sightings! + 1)
    expect(new Set([digest, priced.digest, more.digest]).size).toBe(3)
  })
})

test('a folder with posts alone gives a lake with the departments of its taxonomy', async () => {
  const report = await runFiles({
    'social_posts/a.jsonl': lines([sighting('1', '2026-03-01')]),
    'category_taxonomy/t.csv': 'path,name\nbeauty,Beauty\n',
  })
  expect(report).toMatchObject({ status: 'published', counts: { observations: 0, social_sightings: 1 } })
  expect(await query(`SELECT path FROM ${single(report, 'categories')}`)).toEqual([{ path: 'beauty' }])
})

test('the lake contains neither texts nor authors of posts', async () => {
  const feeds = await givenFiles({
    ...prices,
    'social_posts/feed.json': JSON.stringify({ brand_texts: ['title'], brands: { 'Fenty Beauty': [] } }),
    'social_posts/a.jsonl': `${JSON.stringify({
      ...sighting('handle-of-jane', '2026-03-01'),
      title: 'Fenty Beauty by Jane Doe',
      channel_title: 'Jane Doe',
      author_hash: 'deadbeefdeadbeef',
    })}\n`,
  })
  const report = await run(feeds, { lake: join(await newFolder(), 'lake') })
  expect(await query(`SELECT brand_norm FROM ${single(report, 'social_brand_days')}`)).toEqual([
    { brand_norm: 'fentybeauty' },
  ])
  const written = (await readdir(report.lake, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  for (const { parentPath, name } of written) {
    const bytes = await readFile(join(parentPath, name), 'latin1')
    for (const secret of ['Jane', 'handle-of', 'deadbeef'])
      expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false)
  }
})

test('a mapping can set the year of times without one', async () => {
  const report = await runFiles({
    ...prices,
    'social_posts/feed.json': JSON.stringify({
      timestamp_format: '%d.%m',
      year: 2017,
      columns: { collected_at: 'date' },
    }),
    'social_posts/a.csv': 'platform,post_id,date,category_root\nyoutube,a,13.09,music\nyoutube,b,31.09,music\n',
  })
  expect(socialFile(report)).toMatchObject({ kept: 1, quarantined: { COLLECTED_AT_INVALID: 1 } })
  expect(await query(`SELECT day::VARCHAR AS day FROM ${single(report, 'social_days')}`)).toEqual([
    { day: '2017-09-13' },
  ])
})

test.each([
  [{ brands: { '...': [] } }, /brands/],
  [{ year: 17 }, /year/],
])('a mapping with %j is wrong usage', (mapping, message) => {
  expect(() => parseOwnMapping('feed.json', JSON.stringify(mapping), 'social_posts')).toThrow(message)
})
