import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeSample } from '../../data/sample/sample.ts'
import { brandNorm, isPlaceholder } from '../../engine/catalog/brand.ts'
import { slug } from '../../engine/contract/text.ts'
import { releaseNodes } from './release-nodes.ts'
import { openDatabase, scratchFolder } from './scratch.ts'

const out = join(scratchFolder(), 'feeds')
const query = await openDatabase()
const count = async (sql: string): Promise<number> =>
  (await query<{ count: number }>(`SELECT count(*)::INTEGER AS count FROM ${sql}`))[0]!.count

beforeAll(async () => {
  await writeSample({ out, listings: 1_000, months: 3, until: '2026-10-14', threads: 2 })
  await query(`CREATE TABLE listing AS FROM '${out}/product_catalogue/*.jsonl'`)
  await query(`CREATE TABLE category AS FROM read_csv('${out}/category_taxonomy/*.csv', all_varchar = true)`)
  await query(`CREATE TABLE browse_node AS FROM read_csv('${out}/browse_nodes/*.csv', all_varchar = true)`)
  await query(
    `CREATE TABLE mapping AS FROM read_csv('${out}/browse_node_gpc_map/*.tsv', all_varchar = true, comment = '#')`,
  )
  await query(`CREATE TABLE phrase AS FROM read_csv('${out}/lexicon/*.csv', all_varchar = true)`)
  await query(`CREATE TABLE post AS FROM '${out}/social_posts/*.jsonl'`)
  await query(`CREATE TABLE gpc AS ${releaseNodes(`${out}/gpc_release/sample-gpc-v20260101.json`)}`)
})

describe('the feed product_catalogue', () => {
  it('has one row per listing of at least twelve retailers in two countries', async () => {
    expect(await count('listing')).toBe(1_000)
    expect(await count('(SELECT DISTINCT platform, country, listing_id FROM listing)')).toBe(1_000)
    expect(await count('(SELECT DISTINCT platform FROM listing)')).toBeGreaterThanOrEqual(12)
    expect(await query('SELECT DISTINCT country FROM listing ORDER BY country')).toEqual([
      { country: 'ca' },
      { country: 'us' },
    ])
    expect(await count('listing WHERE product_name IS NULL OR product_name = $$$$')).toBe(0)
  })

  it('has products with the same barcode, in different lengths, at several retailers', async () => {
    const products = `(SELECT lpad(gtin[1], 14, '0') AS gtin14 FROM listing WHERE len(gtin) > 0
      GROUP BY gtin14 HAVING count(DISTINCT platform) > 1)`
    expect(await count(products)).toBeGreaterThan(50)
    expect(
      await query('SELECT DISTINCT len(gtin[1])::INTEGER AS digits FROM listing WHERE len(gtin[1]) > 11 ORDER BY 1'),
    ).toEqual([{ digits: 12 }, { digits: 13 }, { digits: 14 }])
  })

  it('has brands in several spellings and some placeholders', async () => {
    const rows = await query<{ brand: string; listings: number }>(
      'SELECT brand, count(*)::INTEGER AS listings FROM listing GROUP BY brand',
    )
    const isReal = (key: string) => key !== '' && !isPlaceholder(key, 'us')
    const real = rows.map(({ brand }) => brandNorm(brand) ?? '').filter(isReal)
    expect(new Set(real).size).toBeGreaterThan(100)
    expect(real.length - new Set(real).size).toBeGreaterThan(20)
    const unbranded = rows.filter(({ brand }) => !isReal(brandNorm(brand) ?? ''))
    expect(unbranded.length).toBeGreaterThan(3)
    expect(unbranded.reduce((sum, { listings }) => sum + listings, 0)).toBeGreaterThan(30)
    expect(unbranded.reduce((sum, { listings }) => sum + listings, 0)).toBeLessThan(100)
  })

  it('has a few listings that are not new, some only according to their titles', async () => {
    const named_in_title = `regexp_matches(product_name, 'Refurbished|Renewed|\\(Used|Open Box|Pre-Owned')`
    const resold = await count(`listing WHERE condition <> 'new' OR ${named_in_title}`)
    expect(resold).toBeGreaterThan(10)
    expect(resold).toBeLessThan(60)
    expect(await count(`listing WHERE condition IS NULL AND ${named_in_title}`)).toBeGreaterThan(0)
  })
})

describe('the feed category_taxonomy', () => {
  it('is a forest of 8 departments, up to 4 levels deep, with the slugs of the engine', async () => {
    const nodes = await query<{ path: string; name: string; parent_path: string | null }>('FROM category')
    const paths = new Set(nodes.map(({ path }) => path))
    expect(nodes.filter(({ parent_path }) => parent_path === null)).toHaveLength(8)
    for (const { path, name, parent_path } of nodes)
      expect(path).toBe(parent_path === null ? slug(name) : `${parent_path}/${slug(name)}`)
    expect(nodes.filter(({ parent_path }) => parent_path !== null && !paths.has(parent_path))).toEqual([])
    expect(Math.max(...nodes.map(({ path }) => path.split('/').length))).toBe(4)
  })

  it('has the usual shelves, accessory shelves and a mixed one', async () => {
    const names = await query<{ name: string }>('SELECT lower(name) AS name FROM category')
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['coffee', 'laptops', 'protein bars', 'headphones', 'dog food']),
    )
    expect(await count('category WHERE is_accessory::BOOLEAN')).toBeGreaterThan(10)
    expect(await query('SELECT name FROM category WHERE is_mixed::BOOLEAN')).toEqual([
      { name: 'Cameras & Accessories' },
    ])
  })

  it('covers the breadcrumbs of the retailers: in full, shortened, with another root or missing', async () => {
    const breadcrumbs = await query<{ parts: string[] | null }>(
      `SELECT DISTINCT string_split(category_path, ' > ') AS parts FROM listing`,
    )
    const nodes = await query<{ name: string; path: string; aliases: string | null }>('FROM category')
    const leaves = new Set(nodes.map(({ name }) => name))
    const roots = new Set(
      nodes.filter(({ path }) => !path.includes('/')).flatMap(({ name, aliases }) => [name, ...aliases!.split('|')]),
    )
    const spoken = breadcrumbs.flatMap(({ parts }) => (parts === null ? [] : [parts]))
    expect(spoken.filter((parts) => !roots.has(parts[0]!) || !leaves.has(parts.at(-1)!))).toEqual([])
    expect(breadcrumbs.length - spoken.length).toBe(1)
  })
})

describe('the feed gpc_release', () => {
  it('has every code that the other feeds use', async () => {
    const strangers = await query(`
      SELECT DISTINCT code FROM (
        SELECT unnest(string_split(gpc_codes, '|')) AS code FROM category
        UNION ALL SELECT gpc_code FROM listing
        UNION ALL SELECT unnest(gpc_codes) FROM post
        UNION ALL SELECT gpc_code FROM phrase
        UNION ALL SELECT unnest(string_split(candidate_codes, '|')) FROM phrase
        UNION ALL SELECT substr(object_id, 5) FROM mapping WHERE object_id LIKE 'gpc:%'
      ) ANTI JOIN gpc USING (code) WHERE code IS NOT NULL`)
    expect(strangers).toEqual([])
  })
})

describe('the feeds browse_nodes and browse_node_gpc_map', () => {
  it('identify each node by its path of ids and names', async () => {
    expect(
      await count(`browse_node
        WHERE NOT regexp_full_match(browse_id, '\\d{1,20}') OR split_part(path_ids, '|', -1) <> browse_id
          OR split_part(path_names, '|', -1) <> name
          OR parent_id IS DISTINCT FROM nullif(split_part(path_ids, '|', -2), '')`),
    ).toBe(0)
    expect(
      await count('(SELECT browse_id FROM browse_node GROUP BY browse_id HAVING count(DISTINCT parent_id) > 1)'),
    ).toBe(2)
    expect(
      await count('(SELECT unnest(browse_ids) AS browse_id FROM listing) ANTI JOIN browse_node USING (browse_id)'),
    ).toBe(0)
  })

  it('map a node to at most one code, or state that there is none', async () => {
    expect(await count('(SELECT subject_id FROM mapping GROUP BY subject_id HAVING count(*) > 1)')).toBe(0)
    expect(
      await count(`mapping ANTI JOIN browse_node ON subject_id = 'amzn-' || marketplace || ':' || browse_id`),
    ).toBe(0)
    expect(await count(`mapping WHERE object_id = 'sssom:NoTermFound'`)).toBeGreaterThan(10)
    expect(await count(`mapping WHERE predicate_modifier = 'Not'`)).toBeGreaterThan(0)
    expect(readFileSync(join(out, 'browse_node_gpc_map/sample.sssom.tsv'), 'utf8')).toMatch(
      /^# mapping_set_version: map-\d{8}\.\d+$/m,
    )
  })
})

describe('the feed lexicon', () => {
  it('has each phrase once, as a hit with a code or a miss with a reason', async () => {
    expect(await count('(SELECT phrase FROM phrase GROUP BY phrase HAVING count(*) > 1)')).toBe(0)
    expect(
      await count(
        `phrase WHERE (outcome = 'hit') <> (gpc_code IS NOT NULL) OR (outcome = 'miss') <> (reason IS NOT NULL)`,
      ),
    ).toBe(0)
    expect(
      await query(`SELECT outcome, reason FROM phrase WHERE phrase IN ('coffee', 'laptops') ORDER BY phrase`),
    ).toEqual([
      { outcome: 'miss', reason: 'ambiguous' },
      { outcome: 'hit', reason: null },
    ])
  })
})

describe('the feed social_posts', () => {
  it('has two platforms, posts collected after they were posted, and some repeated with more views', async () => {
    expect(await query('SELECT DISTINCT platform FROM post ORDER BY platform')).toEqual([
      { platform: 'tiktok' },
      { platform: 'youtube' },
    ])
    expect(await count('post WHERE collected_at <= posted_at')).toBe(0)
    expect(await count('(SELECT post_id FROM post GROUP BY post_id HAVING max(views) > min(views))')).toBeGreaterThan(
      50,
    )
    expect(await count('post ANTI JOIN category ON category_root = path')).toBe(0)
  })

  it('has brands by their keys, and a new theme only at the end', async () => {
    const brands = await query<{ brand: string }>('SELECT DISTINCT unnest(brand_norms) AS brand FROM post')
    expect(brands.filter(({ brand }) => brandNorm(brand) !== brand)).toEqual([])
    expect(await count(`post WHERE theme = 'ai laptops'`)).toBeGreaterThan(0)
    expect(await count(`post WHERE theme = 'ai laptops' AND posted_at < '2026-09-15'`)).toBe(0)
  })
})
