import { describe, expect, test } from 'vitest'
import { lexiconOf, referenceFeeds, release, releaseOf } from '../support/reference.ts'
import { csv, query, runFiles, single, table } from './feeds.ts'

const prices = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD') }
const v2026 = { 'gpc_release/GPC v20260201 GB.json': releaseOf(release) }

describe('a lake', () => {
  test('keeps its reference data when prices arrive, and its prices when reference data arrives', async () => {
    const first = await runFiles({ ...prices, ...referenceFeeds })
    const later = { 'price_observations/b.csv': csv('acme,us,1,2026-02-05T10:00:00Z,11.00,USD') }
    const second = await runFiles(later, { lake: first.lake })
    expect(second).toMatchObject({ status: 'published', counts: { observations: 2, lexicon: 5, gpc_nodes: 12 } })
    for (const name of ['gpc_nodes', 'gpc_attributes', 'browse_nodes', 'lexicon', 'crosswalk'])
      expect(await query(`FROM ${single(second, name)}`), name).toEqual(await query(`FROM ${single(first, name)}`))

    const third = await runFiles({ 'lexicon/l.csv': lexiconOf('tea,hit,10000116,,,,,') }, { lake: first.lake })
    expect(third).toMatchObject({ status: 'published', counts: { observations: 2, lexicon: 1, crosswalk: 2 } })
    expect(await runFiles(referenceFeeds, { lake: first.lake, dry_run: true })).toMatchObject({ digest: second.digest })
  })

  test('cannot be created from reference data without prices', async () => {
    expect(await runFiles(v2026)).toMatchObject({
      status: 'refused',
      reasons: [expect.stringContaining('no row is kept')],
    })
  })
})

test('the type of a listing is that of its retailer, else of its browse node, else of its shelf', async () => {
  const line = (id: string, path: string, gpc_code = '', browse_ids = '') =>
    `acme,us,${id},2026-01-05T10:00:00Z,10.00,USD,${path},${gpc_code},${browse_ids}`
  const rows = [
    line('stated', 'Grocery > Teas', '10008179'),
    line('retired', 'Grocery > Teas', '10000999'),
    line('browsed', 'Grocery > Teas', '', '4'),
    line('shelved', 'Grocery > Teas'),
    line('below', 'Grocery > Teas > Loose'),
    line('accessory', 'Grocery > Teas > Tea Accessories > Strainers'),
    line('untyped', 'Garden > Gnomes'),
  ]
  const report = await runFiles({
    ...referenceFeeds,
    'price_observations/a.csv': `platform,country,listing_id,observed_at,price,currency,category_path,gpc_code,browse_ids\n${rows.join('\n')}\n`,
  })
  const types = await query(
    `SELECT product_id, concat_ws(' ', code, gpc_precision, gpc_source) AS type FROM ${table(report, 'listings')} AS listing
     LEFT JOIN ${single(report, 'gpc_nodes')} AS node USING (gpc_id)`,
  )
  expect(Object.fromEntries(types.map(({ product_id, type }) => [product_id, type]))).toEqual({
    stated: '10008179 exactMatch listing',
    retired: '10000116 closeMatch lexicon',
    browsed: '50202600 broadMatch browse_node',
    shelved: '10000116 closeMatch lexicon',
    below: '10000116 broadMatch lexicon',
    accessory: '',
    untyped: '',
  })
  expect(report.reference?.product_types).toEqual({
    listing: 1,
    browse_node: 1,
    category: 0,
    lexicon: 3,
    none: 2,
    agreement: { same: 0, broader: 0, other: 1 },
  })
})
