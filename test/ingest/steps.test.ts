import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../ingest/check/check.ts'
import { STEPS, VARIABLES } from '../../ingest/database.ts'
import { writeIceberg } from '../../ingest/iceberg/iceberg.ts'
import { refresh, withdraw } from '../../ingest/refresh.ts'
import { referenceFeeds } from '../support/reference.ts'
import { csv, givenFiles, query, run, runFiles } from './feeds.ts'
import { toFormat3 } from './format-3.ts'
import { byTypeScript, createdIn, insertedIn, readIn, stepFiles, variablesIn } from './step-files.ts'
import { type Watched, watchSteps } from './watched-steps.ts'

const variables = VARIABLES.map((name) => `$${name}`)

const isFile = (name: string): boolean => /\.(?:parquet|jsonl)$/.test(name)

describe('the first line of a step', () => {
  test.each(stepFiles)('of $path lists exactly what it reads and creates', ({ firstLine, code, ...step }) => {
    expect(firstLine).toMatch(/^-- in:(?: \$?\w+,?)* out:(?: [\w$/*.]+,?)*$/)
    const own = createdIn(code)
    const { read, set } = variablesIn(code)
    const inputs = [
      ...readIn(code).filter((name) => !own.includes(name)),
      ...read.filter((name) => !set.includes(name)),
    ]
    expect(inputs.filter((name) => !step.in.includes(name) && !step.out.includes(name))).toEqual([])
    expect(step.in.filter((name) => !inputs.includes(name))).toEqual([])
    const filled = [...own, ...insertedIn(code), ...set]
    expect(step.out.filter((name) => !isFile(name) && !filled.includes(name))).toEqual([])
    expect(insertedIn(code).filter((name) => !own.includes(name) && !step.out.includes(name))).toEqual([])
    for (const name of step.out.filter(isFile)) expect(code).toContain(name.replace(/^.*\*|\.(?:parquet|jsonl)$/g, ''))
  })

  test.each(stepFiles)(
    'of $path lists as read only what another step or TypeScript provides',
    ({ path, in: inputs }) => {
      const others = stepFiles.flatMap((other) => (other.path === path ? [] : other.out))
      const provided = new Set([...others, ...byTypeScript.created])
      expect(inputs.filter((name) => !provided.has(name) && !variables.includes(name))).toEqual([])
    },
  )

  test.each(stepFiles)('of $path lists as created only what another step reads', ({ path, out, room }) => {
    const others = stepFiles.flatMap((other) => (other.path === path ? [] : [...other.in, ...readIn(other.code)]))
    const read = new Set([...others, ...byTypeScript.read])
    expect(out.filter((name) => !isFile(name) && !read.has(name) && room !== 'ingest')).toEqual([])
  })
})

test('every SQL file is a step', () => {
  expect(typeof refresh).toBe('function')
  expect([...STEPS.keys()].sort()).toEqual(stepFiles.map(({ path }) => path).sort())
})

/** Listings that link two months of an index. */
const enough = Array.from({ length: 10 }, (_, i) => `index ${i}`)

/** Feeds of every kind, such that each query returns rows, at the first refresh of a lake and at the next. */
const feedsOf = (day: string) => ({
  ...referenceFeeds,
  'price_observations/prices.csv': csv(
    `acme,us,1,${day}T10:00:00Z,10.00,USD`,
    `acme,us,2,${day}T10:00:00Z,20.00,USD`,
    `acme,us,3,${day}T10:00:00Z,ten,USD`,
    `acme,us,4,${day}T10:00:00Z,39.00,USD`,
    `other,us,5,${day}T10:00:00Z,38.00,USD`,
    `other,ca,1,${day}T10:00:00Z,12.00,CAD`,
    `other,pt,1,${day}T10:00:00Z,11.00,EUR`,
    ...enough.flatMap((id) =>
      ['2025-11-05', '2025-12-05', day].map((own) => `acme,us,${id},${own}T10:00:00Z,30.00,USD`),
    ),
  ),
  'product_catalogue/catalogue.csv': [
    'platform,country,listing_id,product_name,brand,gtin,condition,category_path,browse_ids,gpc_code',
    `acme,us,1,Acme Roasters Ground Coffee ${day < '2026-02' ? 12 : 11} oz,Acme Roasters,4006381333931,new,Grocery > Coffee,3,10008179`,
    'acme,us,2,Acme Roasters Coffee Beans 2 lb refurbished,Acme Roasters,,,Grocery > Coffee,4,',
    'acme,us,4,Chambord French Press 8 cup chrome,,,,Grocery > Coffee,,',
    'other,us,5,Chambord French Press coffee maker 8 cup,,,,Grocery > Coffee,,',
    ...enough.map((id) => `acme,us,${id},,,,,Grocery > Coffee,,`),
    'other,ca,1,Acme Roasters Ground Coffee 12 oz,Acme Roasters,4006381333931,used,Grocery > Coffee,3,',
  ].join('\n'),
  'category_taxonomy/taxonomy.csv': 'path,name,gpc_codes\ngrocery,Grocery,\ngrocery/coffee,Coffee,50202600\n',
  'social_posts/posts.csv': [
    'platform,post_id,collected_at,category_root,brand_norms,gpc_codes,theme,views,likes',
    `tiktok,a,${day}T10:00:00Z,grocery,acme roasters,10008179,cold brew,100,5`,
    `youtube,b,${day}T11:00:00Z,grocery,,,,10,`,
  ].join('\n'),
  'official_series/figures.csv': `source,series,country,period,value,released_on\nbls,APU1,us,2026-01,4.5,${day}\n`,
})

/** A catalogue in Parquet, with a row that breaks a rule. */
const parquetFeeds = async (): Promise<string> => {
  const feeds = await givenFiles({ 'price_observations/a.csv': csv('acme,us,1,2026-02-09T10:00:00Z,10.00,USD') })
  await mkdir(join(feeds, 'product_catalogue'))
  await query(`COPY (SELECT unnest(['us', 'xx']) AS country, 'acme' AS platform, '1' AS listing_id)
    TO '${feeds}/product_catalogue/a.parquet' (FORMAT parquet)`)
  return feeds
}

describe('refreshes of every kind of feed', () => {
  let watched: Watched
  beforeAll(async () => {
    watched = watchSteps()
    const first = await runFiles(feedsOf('2026-01-05'))
    expect(first.status).toBe('published')
    await toFormat3(first.lake)
    const second = await runFiles(feedsOf('2026-02-05'), { lake: first.lake })
    expect(second.status).toBe('published')
    // What is not fed again stays as the lake has it.
    const others = Object.entries(feedsOf('2026-02-06')).filter(
      ([name]) => !/^(?:lexicon|browse_node_gpc_map)/.test(name),
    )
    expect((await runFiles(Object.fromEntries(others), { lake: first.lake })).status).toBe('published')
    const points = { 'price_observations/feed.json': '{"kind": "change_points"}', ...feedsOf('2026-02-08') }
    expect((await runFiles(points, { lake: first.lake })).status).toBe('published')
    expect((await run(await parquetFeeds(), { lake: first.lake })).status).toBe('published')
    expect((await withdraw({ lake: first.lake }, { platform: 'other' })).status).toBe('published')
    expect((await writeIceberg(first.lake)).tables).not.toEqual([])
    const checked = await check({
      paths: [await givenFiles({ 'a.csv': 'sku,price,date\n1,1.00,2026-01-05\n2,x,2026-01-05\n' })],
    })
    expect(checked.refusals).toHaveLength(1)
  })

  test('run every step', () => {
    expect(stepFiles.filter(({ path }) => !watched.ran.has(path)).map(({ path }) => path)).toEqual([])
    const queries = [...STEPS.values()].filter((step) => 'row' in step).map(({ path }) => path)
    expect(queries.filter((path) => !watched.returned.has(path))).toEqual([])
  })

  test('return exactly the rows that the queries declare', () => {
    expect([...watched.faults]).toEqual([])
  })

  test('append only to tables that a step creates', () => {
    const created = new Set(stepFiles.flatMap(({ out }) => out))
    expect([...watched.appended].filter((table) => !created.has(table))).toEqual([])
  })
})
