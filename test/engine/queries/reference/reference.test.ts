import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, EngineError } from '../../../../engine/index.ts'
import { ask, askFiles, type Given } from '../../../support/ask.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import { browseOf, crosswalkOf, referenceFeeds, release, releaseOf } from '../../../support/reference.ts'
import { feedRow, listing } from '../../../support/rows.ts'

const as_of = new Date('2026-03-01')
const observed = feedRow({ listing: listing('a'), observed_at: '2026-02-20T10:00:00Z', price: 999 })
const coffee = { code: '50202600', title: 'Coffee', level: 'class' }
const ofCoffee = { segment: 'Food/Beverage', family: 'Beverages', class: 'Coffee' }
const bricks = [
  { code: '10000115', title: 'Coffee - Instant', level: 'brick' },
  { code: '10008178', title: 'Coffee - Beans', level: 'brick' },
  { code: '10008179', title: 'Coffee - Ground', level: 'brick' },
]

let engine: Engine
const refused = (given: Record<string, string>, name = 'classify') =>
  ask(engine, `reference/${name}`, given).then(
    () => null,
    (error: EngineError) => ({ code: error.code, ...error.details }),
  )

beforeAll(async () => {
  const { lake } = await ensureLake({
    observations: [{ ...observed, browse_ids: ['4'] }],
    files: {
      ...referenceFeeds,
      // The release before had a brick more.
      'gpc_release/v20250101.json': releaseOf([
        {
          code: '50000000',
          title: 'Food',
          below: [
            {
              code: '50200000',
              title: 'Beverages',
              below: [{ ...coffee, below: [{ code: '10000999', title: 'Coffee Substitutes' }] }],
            },
          ],
        },
      ]),
    },
  })
  engine = await openEngine(lake, { as_of })
})

describe('classify', () => {
  test('answers each browse node in the given order: mapped, inherited or with the reason why not', async () => {
    // us:3 is mapped; 4 inherits its exact match; 5 is an accessory shelf; 2 is right below the department, 1 is it;
    // 77 is mapped, but in no tree; 9 is nowhere; 3 again.
    const answer = await ask(engine, 'reference/classify', { browse_id: '3,4,5,2,1,77,9,3' })
    expect(answer).toMatchObject({ gpc_release: 'v20260201', map_version: 'map-20260201.1', schema_version: '1.0' })
    expect(answer.results.map((result: { browse_id: string }) => result.browse_id)).toEqual(
      '3,4,5,2,1,77,9,3'.split(','),
    )
    expect(answer.results[0]).toEqual({
      browse_id: '3',
      phrase: null,
      browse_node: { browse_id: '3', name: 'Coffee', path: 'Grocery > Beverages > Coffee', in_serving_catalog: false },
      gpc: { ...coffee, ...ofCoffee, brick: null },
      match_precision: 'exactMatch',
      match_source: 'self',
      inherited_from: null,
      assurance_state: 'curated',
      attribute_count: 0,
      miss: null,
      forms: bricks,
    })
    expect(answer.results[1]).toMatchObject({
      browse_node: { path: 'Grocery > Beverages > Coffee > Ground Coffee', in_serving_catalog: true },
      gpc: coffee,
      match_precision: 'broadMatch',
      match_source: 'inherited',
      inherited_from: '3',
      assurance_state: 'derived',
    })
    const [, , accessory, below, root, treeless, unknown, again] = answer.results
    for (const { gpc, miss, forms } of [accessory, below, root])
      expect({ gpc, reason: miss.reason, forms }).toEqual({ gpc: null, reason: 'unmapped_node', forms: [] })
    expect(accessory.miss.detail).toMatch(/accessories/)
    expect(treeless).toMatchObject({
      browse_node: { name: null, path: null, in_serving_catalog: false },
      gpc: { code: '10000116' },
      match_precision: 'closeMatch',
      assurance_state: 'verified',
    })
    expect(unknown).toMatchObject({ gpc: null, miss: { reason: 'unknown_node' } })
    expect(again).toEqual(answer.results[0])
  })

  test('answers each phrase from the lexicon alone, with certainty or with a reason', async () => {
    const { results } = await ask(engine, 'reference/classify', {
      q: 'Ground Coffee, COFFEES, kids, tea, coffee drinks, hose, nonsense',
    })
    const [ground, coffees, kids, tea, drinks, hose, nonsense] = results
    expect(ground).toMatchObject({
      browse_id: null,
      phrase: 'Ground Coffee',
      browse_node: null,
      gpc: { ...bricks[2], ...ofCoffee, brick: 'Coffee - Ground' },
      match_precision: 'exactMatch',
      match_source: 'self',
      assurance_state: 'curated',
      attribute_count: 1,
      miss: null,
      forms: [],
    })
    expect(coffees).toMatchObject({ gpc: null, miss: { reason: 'ambiguous', candidates: bricks } })
    expect(coffees.miss.try).toEqual(['ground coffees', 'coffee drinks'])
    expect(kids).toMatchObject({ gpc: null, miss: { reason: 'need_type', candidates: [] } })
    // The class Tea has one brick of its own title, which answers for it.
    expect(tea.gpc).toMatchObject({ code: '10000116', level: 'brick', brick: 'Tea' })
    expect(drinks).toMatchObject({ gpc: coffee, forms: bricks })
    // One brick is called hoses, and still nothing is guessed.
    for (const blank of [hose, nonsense])
      expect(blank).toMatchObject({ gpc: null, match_source: null, miss: { reason: 'unmatched_phrase' } })
  })

  test('requires either browse_id or q, with at most a hundred values', async () => {
    expect(await refused({})).toMatchObject({ code: 'INVALID_PARAMS', parameter: 'browse_id' })
    expect(await refused({ q: 'tea', browse_id: '3' })).toMatchObject({ code: 'INVALID_PARAMS', parameter: 'q' })
    for (const browse_id of ['3,', '3,x', '3,123456789012345678901', '3;4'])
      expect(await refused({ browse_id }), browse_id).toMatchObject({ parameter: 'browse_id' })
    expect(await refused({ browse_id: Array(101).fill('3').join() })).toMatchObject({ parameter: 'browse_id' })
    const { results } = await ask(engine, 'reference/classify', { browse_id: Array(100).fill('3').join() })
    expect(results).toHaveLength(100)
  })
})

describe('reverse', () => {
  test('lists the nodes of each code and distinguishes unmapped, retired and unknown codes', async () => {
    const { results, ids_per_code_cap } = await ask(engine, 'reference/reverse', {
      gpc_code: '50202600,10008179,10000999,12345678',
    })
    expect(ids_per_code_cap).toBe(50)
    const [coffees, ground, retired, unknown] = results
    expect(coffees).toMatchObject({ gpc: coffee, browse_node_count: 2, browse_ids: ['3', '4'], miss: null })
    expect(coffees.browse_nodes[1]).toEqual({
      browse_id: '4',
      name: 'Ground Coffee',
      path: 'Grocery > Beverages > Coffee > Ground Coffee',
      in_serving_catalog: true,
    })
    expect(ground).toMatchObject({ browse_node_count: 0, browse_ids: [], browse_nodes: [], miss: null })
    expect(retired).toMatchObject({
      gpc: null,
      browse_node_count: 0,
      miss: { reason: 'retired_code', try: ['50202600'] },
    })
    expect(unknown).toMatchObject({ gpc: null, miss: { reason: 'unknown_code' } })
  })

  test('counts every node but lists at most fifty', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => String(100 + i))
    const { lake } = await ensureLake({
      observations: [observed],
      files: {
        'gpc_release/v20260201.json': releaseOf(release),
        'browse_nodes/n.csv': browseOf(
          'us,1,Grocery,,1',
          'us,2,Tea,1,1|2',
          ...ids.map((id) => `us,${id},Tea ${id},2,1|2|${id}`),
        ),
        'browse_node_gpc_map/m.tsv': crosswalkOf([{ subject: 'us:2', object: '50202700' }]),
      },
    })
    const { results } = await ask(await openEngine(lake, { as_of }), 'reference/reverse', { gpc_code: '10000116' })
    expect(results[0].browse_node_count).toBe(121)
    expect(results[0].browse_ids).toEqual(['2', ...ids.slice(0, 49)])
  })
})

test('brick-attributes lists the attributes of a brick with their allowed values', async () => {
  const { results } = await ask(engine, 'reference/brick-attributes', {
    gpc_code: '10008179,10000115,50202700,10000999',
  })
  const [ground, instant, tea, retired] = results
  expect(ground).toEqual({
    gpc_code: '10008179',
    gpc: { ...bricks[2], ...ofCoffee, brick: 'Coffee - Ground' },
    attributes: [{ name: 'Roast', allowed_values: ['DARK', 'LIGHT'], value_count: 2 }],
    miss: null,
  })
  expect(instant).toMatchObject({ attributes: [], miss: null })
  expect(tea).toMatchObject({ gpc_code: '50202700', gpc: { code: '10000116' }, attributes: [] })
  expect(retired).toMatchObject({ gpc: null, attributes: [], miss: { reason: 'retired_code' } })
})

test('every reference query is refused without a GPC release, naming the feed to load', async () => {
  const { lake } = await ensureLake({ observations: [observed] })
  const bare = await openEngine(lake, { as_of })
  for (const [name, given] of [
    ['classify', { q: 'tea' }],
    ['reverse', { gpc_code: '10000116' }],
    ['brick-attributes', { gpc_code: '10000116' }],
  ] as const) {
    const refusal = await ask(bare, `reference/${name}`, given).catch((error: EngineError) => error)
    expect(refusal).toBeInstanceOf(EngineError)
    expect(refusal).toMatchObject({ code: 'NOT_PUBLISHED', message: expect.stringContaining('gpc_release') })
  }
  expect(bare.versions).toEqual({ gpc_release: null, map_version: null })
})

test.each<[name: string, given: Given]>([
  ['classify', { browse_id: '3,4,5,2,1,77,9,3' }],
  ['classify', { q: 'coffee,beans' }],
  ['reverse', { gpc_code: '10008178,50202600,50202600,10000115' }],
  ['brick-attributes', { gpc_code: '10008178,10000115,10000999,10008178' }],
])('%s with %o is the same from memory and from files', async (name, given) => {
  const answer = JSON.stringify(await ask(engine, `reference/${name}`, given))
  expect(JSON.stringify(await askFiles(engine, `reference/${name}`, given))).toBe(answer)
})
