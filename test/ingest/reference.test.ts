import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { browseOf, crosswalkOf, lexiconOf, release, releaseOf, SSSOM_HEADING } from '../support/reference.ts'
import { csv, query, runFiles, single } from './feeds.ts'

const prices = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD') }
const v2026 = { 'gpc_release/GPC v20260201 GB.json': releaseOf(release) }
const refusal = async (files: Record<string, string>) => {
  const { status, reasons } = await runFiles({ ...prices, ...files })
  expect(status).toBe('refused')
  return reasons
}

describe('a GPC release', () => {
  test('gives nodes numbered depth first and the attributes of its bricks', async () => {
    const report = await runFiles({ ...prices, ...v2026 })
    expect(report.reference?.gpc_release).toBe('v20260201')
    expect(await query(`SELECT gpc_id, gpc_last, code, level, class_code FROM ${single(report, 'gpc_nodes')}`)).toEqual(
      [
        { gpc_id: 1, gpc_last: 8, code: '50000000', level: 'segment', class_code: null },
        { gpc_id: 2, gpc_last: 8, code: '50200000', level: 'family', class_code: null },
        { gpc_id: 3, gpc_last: 6, code: '50202600', level: 'class', class_code: '50202600' },
        { gpc_id: 4, gpc_last: 4, code: '10000115', level: 'brick', class_code: '50202600' },
        { gpc_id: 5, gpc_last: 5, code: '10008178', level: 'brick', class_code: '50202600' },
        { gpc_id: 6, gpc_last: 6, code: '10008179', level: 'brick', class_code: '50202600' },
        { gpc_id: 7, gpc_last: 8, code: '50202700', level: 'class', class_code: '50202700' },
        { gpc_id: 8, gpc_last: 8, code: '10000116', level: 'brick', class_code: '50202700' },
        { gpc_id: 9, gpc_last: 12, code: '81000000', level: 'segment', class_code: null },
        { gpc_id: 10, gpc_last: 12, code: '81010000', level: 'family', class_code: null },
        { gpc_id: 11, gpc_last: 12, code: '81010100', level: 'class', class_code: '81010100' },
        { gpc_id: 12, gpc_last: 12, code: '10003387', level: 'brick', class_code: '81010100' },
      ],
    )
    const attributes = `SELECT brick_code, title, value_titles FROM ${single(report, 'gpc_attributes')}`
    expect(await query(attributes)).toEqual([
      { brick_code: '10008178', title: 'Roast', value_titles: ['DARK', 'LIGHT'] },
      { brick_code: '10008179', title: 'Roast', value_titles: ['DARK', 'LIGHT'] },
    ])
    // 12 nodes, and an attribute of two values at each of two bricks.
    expect(report.files.find(({ feed }) => feed === 'gpc_release')).toMatchObject({ rows_read: 18, kept: 18 })
  })

  test('reports the codes retired since the previous release, in whatever order releases arrive', async () => {
    const older = releaseOf([...release, { code: '99000000', title: 'Gone' }])
    const together = await runFiles({ ...prices, ...v2026, 'gpc_release/v20250101.json': older })
    const first = await runFiles({ ...prices, 'gpc_release/v20250101.json': older })
    const second = await runFiles(v2026, { lake: first.lake })
    for (const report of [together, second]) {
      expect(report.reference?.gpc_release).toBe('v20260201')
      const gone = `SELECT code, release, gpc_id FROM ${single(report, 'gpc_nodes')} WHERE NOT active`
      expect(await query(gone)).toEqual([{ code: '99000000', release: 'v20250101', gpc_id: null }])
    }
    expect(second.digest).toBe(together.digest)
    expect(await runFiles({ 'gpc_release/v20250101.json': older }, { lake: second.lake })).toMatchObject({
      status: 'unchanged',
    })
  })

  test('may be compressed and labelled by --release', async () => {
    const files = { ...prices, 'gpc_release/EN.json.gz': gzipSync(releaseOf(release)) }
    expect((await runFiles(files, { release: 'v20260201' })).reference?.gpc_release).toBe('v20260201')
    await expect(runFiles(files)).rejects.toThrow(/EN\.json\.gz: the name has no release label;.*--release v20251127/)
  })

  test('gives the same nodes from the official XML', async () => {
    const dark = '<attValue code="30000001" text="DARK &amp; STRONG" definition=""/>'
    const xml = `<?xml version="1.0"?><schema languageCode="EN" dateUtc="01/02/2026"><!-- <segment code="1"/> -->
      <segment code="50000000" text="Food/Beverage" definition="">
        <family code="50200000" text="Beverages" definition=""><class code="50202600" text="Coffee" definition="">
          <brick code="10008179" text='Coffee - "Ground"' definition="a &gt; b" definitionExcludes="c">
            <attType code="20000903" text="Roast" definition="">${dark}</attType>
          </brick></class></family></segment></schema>`
    const value = { code: '30000001', title: 'DARK & STRONG' }
    const brick = {
      code: '10008179',
      title: 'Coffee - "Ground"',
      below: [{ code: '20000903', title: 'Roast', below: [value] }],
    }
    const family = {
      code: '50200000',
      title: 'Beverages',
      below: [{ code: '50202600', title: 'Coffee', below: [brick] }],
    }
    const json = releaseOf([{ code: '50000000', title: 'Food/Beverage', below: [family] }])
    const fromXml = await runFiles({ ...prices, 'gpc_release/v20260201.xml': xml })
    const fromJson = await runFiles({ ...prices, 'gpc_release/v20260201.json': json })
    const nodes = 'SELECT * EXCLUDE (definition, excludes) FROM'
    expect(await query(`${nodes} ${single(fromXml, 'gpc_nodes')}`)).toEqual(
      await query(`${nodes} ${single(fromJson, 'gpc_nodes')}`),
    )
    expect(await query(`FROM ${single(fromXml, 'gpc_attributes')}`)).toEqual(
      await query(`FROM ${single(fromJson, 'gpc_attributes')}`),
    )
    const texts = `SELECT definition, excludes FROM ${single(fromXml, 'gpc_nodes')} WHERE level = 'brick'`
    expect(await query(texts)).toEqual([{ definition: 'a > b', excludes: 'c' }])
  })

  test.each([
    ['{', /is not a GPC release/],
    [
      JSON.stringify({ Schema: [{ Level: 'x' }] }),
      /is not a GPC release: below Schema: Level: expected a whole number/,
    ],
    ['[]', /is not a GPC release: the file: expected an object/],
    [JSON.stringify({ Schema: [{ Level: 4, Code: 10000115, Title: 'Coffee' }] }), /brick 10000115 has no parent class/],
    [releaseOf([{ code: '123', title: 'Short' }]), /segment "Short": code: expected 8 digits, got 123/],
    [releaseOf([{ code: '50000000', title: '' }]), /segment 50000000 has no title/],
  ])('that is malformed is refused with its node: %#', async (text, reason) => {
    await expect(runFiles({ ...prices, 'gpc_release/v20260201.json': text })).rejects.toThrow(reason)
  })
})

describe('a crosswalk', () => {
  const mapped = (lines: Parameters<typeof crosswalkOf>[0], nodes = 'us,1,Grocery,,1') => ({
    ...v2026,
    'browse_nodes/n.csv': browseOf(...nodes.split('\n')),
    'browse_node_gpc_map/m.sssom.tsv': crosswalkOf(lines),
  })

  test('that contradicts itself is refused with the lines', async () => {
    const reasons = await refusal(
      mapped([
        { subject: 'us:3', object: '50202600' },
        { subject: 'us:3', object: '10000116', predicate: 'closeMatch' },
        { subject: 'ca:3', object: '10000116' },
        { subject: 'us:4', object: '10000115' },
        { subject: 'us:4', object: '10000115', not: true },
        { subject: 'us:5', object: '10000115', state: 'candidate' },
        { subject: 'us:5', object: '10000116' },
        { subject: 'us:6', object: '12345678' },
      ]),
    )
    const file = 'browse_node_gpc_map/m.sssom.tsv'
    expect(reasons).toEqual([
      `amzn-us:3 has conflicting mappings: 50202600 at ${file}:3, 10000116 at ${file}:4`,
      `amzn-us:4 has conflicting mappings: 10000115 at ${file}:6, not 10000115 at ${file}:7`,
      `${file}:10: gpc:12345678 is not in release v20260201`,
    ])
  })

  test('that is malformed or lacks a version or a release is refused', async () => {
    const line = 'amzn-usa:3\t\tskos:exactMatch\t\tgpc:50202600\tsemapv:MappingReview\t'
    const [reason] = await refusal({
      ...v2026,
      'browse_node_gpc_map/m.tsv': `# mapping_set_version: 1\n${SSSOM_HEADING}\n${line}\n`,
    })
    expect(reason).toMatch(/^browse_node_gpc_map\/m\.tsv:3: subject_id: expected amzn-us:.*, got "amzn-usa:3"$/)
    expect(await refusal({ ...v2026, 'browse_node_gpc_map/m.tsv': `${SSSOM_HEADING}\n` })).toEqual([
      'browse_node_gpc_map/m.tsv: mapping_set_version is missing; add a line # mapping_set_version: map-YYYYMMDD.N',
    ])
    const [needy] = await refusal({ 'browse_node_gpc_map/m.tsv': crosswalkOf([]) })
    expect(needy).toMatch(/needs a GPC release/)
  })

  test('is inherited down to the nodes that stop it', async () => {
    const tree = [
      'us,1,Grocery,,1',
      'us,2,Beverages,1,1|2',
      'us,3,Coffee,2,1|2|3',
      ...[4, 5, 6, 7, 8].map(
        (id) =>
          `us,${id},Level ${id},${id - 1},1|2|3${[4, 5, 6, 7, 8]
            .filter((at) => at <= id)
            .map((at) => `|${at}`)
            .join('')}`,
      ),
      'us,20,Coffee Deals,3,1|2|3|20',
      'us,21,Cold Brew,20,1|2|3|20|21',
      'us,22,Brands,3,1|2|3|22',
      'us,23,Acme,22,1|2|3|22|23',
      'us,24,Chicory,3,1|2|3|24',
      'us,25,Roots,24,1|2|3|24|25',
      'us,30,Tea,2,1|2|30',
      'us,31,Green,30,1|2|30|31',
      'us,40,Water,2,1|2|40',
      'us,41,Still,40,1|2|40|41',
    ].join('\n')
    const report = await runFiles({
      ...prices,
      ...mapped(
        [
          { subject: 'us:1', object: '50000000' },
          { subject: 'us:3', object: '50202600' },
          { subject: 'us:24', object: 'none' },
          { subject: 'us:30', object: '10000116', predicate: 'closeMatch' },
          { subject: 'us:40', object: '50200000', predicate: 'broadMatch', state: 'candidate' },
        ],
        tree,
      ),
    })
    const rows = await query(
      `SELECT browse_id, coalesce(gpc_code || ' ' || match_precision || ' ' || coalesce(inherited_from, 'self'), stop) AS match
       FROM ${single(report, 'browse_nodes')} ORDER BY browse_id::INTEGER`,
    )
    expect(Object.fromEntries(rows.map(({ browse_id, match }) => [browse_id, match]))).toEqual({
      1: '50000000 exactMatch self',
      2: 'department',
      3: '50202600 exactMatch self',
      4: '50202600 broadMatch 3',
      5: '50202600 broadMatch 3',
      6: '50202600 broadMatch 3',
      7: '50202600 broadMatch 3',
      8: 'too_far',
      20: 'deals',
      21: 'deals',
      22: 'brand',
      23: 'brand',
      24: 'negative',
      25: 'negative',
      30: '10000116 closeMatch self',
      31: 'not_inherited',
      40: 'unserved',
      41: 'department',
    })
    expect(report.reference?.browse_nodes).toMatchObject({ self: 3, inherited: 4, negative: 2, unserved: 1 })
  })

  test('keeps a node with several parents once, on its shortest path, with unescaped names', async () => {
    const nodes = [
      'us,1,Home,,1',
      'us,2,Kitchen &amp; Dining,1,1|2',
      'us,9,Mugs,2,1|2|9',
      'us,9,Mugs,1,1|9',
      'us,x,Bad,,',
      'uk,3,Bad,,',
    ]
    const report = await runFiles({ ...prices, ...mapped([], nodes.join('\n')) })
    const rows = `SELECT browse_id, path, parent_ids FROM ${single(report, 'browse_nodes')} ORDER BY ALL`
    expect(await query(rows)).toEqual([
      { browse_id: '1', path: 'Home', parent_ids: [] },
      { browse_id: '2', path: 'Home > Kitchen & Dining', parent_ids: ['1'] },
      { browse_id: '9', path: 'Home > Mugs', parent_ids: ['1', '2'] },
    ])
    expect(report.files.find(({ feed }) => feed === 'browse_nodes')).toMatchObject({
      rows_read: 6,
      kept: 4,
      quarantined: { BROWSE_ID_INVALID: 1, MARKETPLACE_UNKNOWN: 1 },
    })
  })
})

test('a lexicon with unknown codes, repeated phrases or incomplete lines is refused with the lines', async () => {
  const lexicon = lexiconOf(
    'teas,hit,10000116,,,,,',
    'TEA,hit,10000116,,,,,',
    'x,hit,12345678,,,,,',
    'y,miss,,,,,,',
    'z,maybe,,,,,,',
  )
  expect(await refusal({ ...v2026, 'lexicon/l.csv': lexicon })).toEqual([
    'lexicon/l.csv:5: reason: expected the reason of a miss, got null',
    'lexicon/l.csv:6: outcome: expected hit or miss, got "maybe"',
    'lexicon/l.csv:3: "TEA" repeats lexicon/l.csv:2: both are read as "tea"',
    'lexicon/l.csv:4: "x" has the code 12345678, which is not in release v20260201',
  ])
})
