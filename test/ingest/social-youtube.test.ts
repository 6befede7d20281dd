import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine } from '../../engine/index.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { ask } from '../support/ask.ts'
import { csv, query, run, runFiles, single } from './feeds.ts'

const videos = new URL('../../../shared/data/social_youtube', import.meta.url).pathname
const isThere = existsSync(videos)
if (!isThere) console.warn(`skipped: no trending videos in ${videos}`)

const shelf = 'Beauty & Personal Care > Makeup'
const prices = `${csv().trim()},category_path\nshop,us,1,2017-09-01T00:00:00Z,36.00,USD,${shelf}\n`

describe.skipIf(!isThere)('lists of trending videos', () => {
  let report: RefreshReport & { lake: string }
  beforeAll(async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': prices })
    const mapping = new URL('../../data/mappings/social_youtube.json', import.meta.url).pathname
    report = await run(videos, { lake, mappings: [mapping], max_quarantine: 0.01 })
  })

  test('are read completely, with days without a year, repeated videos and invalid ids', async () => {
    const [canada, states] = report.files.filter(({ feed }) => feed === 'social_posts')
    expect(canada).toMatchObject({ rows_read: 40_881, kept: 40_361, quarantined: { POST_ID_INVALID: 520 } })
    expect(states).toMatchObject({ rows_read: 7_992, kept: 7_987, duplicates: { same_key: 5, same_day: 0 } })
    const days = `SELECT min(day)::VARCHAR AS first, max(day)::VARCHAR AS last, sum(posts)::INTEGER AS posts FROM ${single(report, 'social_days')}`
    expect(await query(days)).toEqual([{ first: '2017-09-13', last: '2018-06-14', posts: 26_470 }])
  })

  test('reveal a launch, as the new brand with the most mentions was first sold on 2017-09-08', async () => {
    const engine = await Engine.open(report.lake)
    const params = { category: 'beauty-and-personal-care', status: 'new' }
    const { brands, coverage } = await ask(engine, 'social/brand-momentum', params, '2017-10-13T00:00:00Z')
    engine.close()
    expect(brands[0]).toMatchObject({ brand: 'Fenty Beauty', mentions: 18, prior_mentions: 0, status: 'new' })
    expect(coverage.note).toContain('The feed begins 30 days into the prior window')
  })
})
