import { readdirSync, readlinkSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine, EngineError, queryId, readCurrentManifest, snapshotFolder } from '../../engine/index.ts'
import { writeAsEarlier } from '../ingest/small-lake.ts'
import { type Given, planOf } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { openEngine, sampleLake, temporaryFolder } from '../support/given.ts'
import { samplePaths } from '../support/http.ts'

const countries = ['us', 'ca'] as const

let options: { as_of: Date }
let lake: string
let inMemory: Engine
let inFiles: Engine

/** A warm engine whose listings are read from the files of the index. */
const openBeyondBudget = () => openEngine(lake, { ...options, warm: true, memory_budget: 1 })

beforeAll(async () => {
  const { lake: folder, as_of } = await sampleLake()
  lake = folder
  options = { as_of: new Date(as_of) }
  inMemory = await openEngine(lake, { ...options, warm: true })
  inFiles = await openBeyondBudget()
})

/** A plan and its answer, or the refusal, as bytes. */
const resultOf = async (engine: Engine, id: string, given: Given): Promise<string> => {
  try {
    const plan = await planOf(engine, id, given)
    return JSON.stringify([plan, await engine.run(plan)])
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return JSON.stringify([error.code, error.message, error.details])
  }
}

const expectSame = async (id: string, given: Given): Promise<void> => {
  const [files, memory] = [await resultOf(inFiles, id, given), await resultOf(inMemory, id, given)]
  expect(files, `${id} ${JSON.stringify(given)}`).toBe(memory)
}

/** All listings of a country, most popular first. */
const listingsOf = async (engine: Engine, country: 'us' | 'ca') => {
  const { places, listing } = await (await engine.catalog()).search(country)
  return Array.from(places.row, (_, number) => listing(number))
}

test('prices are in memory within the budget only', async () => {
  const [memory, files] = await Promise.all([inMemory.catalog(), inFiles.catalog()])
  for (const country of countries) {
    expect(memory.prices(country)).not.toBeNull()
    expect(files.prices(country)).toBeNull()
    expect((await files.listings(country)).in_memory).toBeNull()
  }
  expect([inMemory.has_listings_in_memory, inFiles.has_listings_in_memory]).toEqual([true, false])
})

describe('beyond the budget as from memory come', () => {
  test.each(countries)('all listings of %s', async (country) => {
    const listings = await listingsOf(inFiles, country)
    expect(listings.length).toBeGreaterThan(100)
    expect(listings).toEqual(await listingsOf(inMemory, country))
  })

  test.each(countries)('all rows of %s in turn', async (country) => {
    const catalogs = await Promise.all([inMemory.catalog(), inFiles.catalog()])
    const [memory, files] = await Promise.all([catalogs[0].listings(country), catalogs[1].listings(country)])
    const { length } = memory.columns.category_id
    for (const [first, last] of [
      [0, length],
      [100, 300],
      [127, 128],
      [5, 5],
    ] as const) {
      const ids = [...files.slices(first, last)].flatMap((slice) => [
        ...slice.listings.listing_id.subarray(slice.begin, slice.end),
      ])
      expect(ids).toEqual([...memory.in_memory!.listing_id.subarray(first, last)])
    }
  })

  test('the plan and the answer of every query', async () => {
    for (const { query, path } of samplePaths()) {
      const given = Object.fromEntries(new URL(path, 'http://localhost').searchParams)
      await expectSame(queryId(query), given)
    }
  })

  test.each([undefined, 'coffee', 'laptops'])('the deals of %s', async (category) => {
    const { brands } = await inMemory.catalog()
    for (const brand of [undefined, ...[...brands.keys()].slice(0, sized(10, 100))])
      for (const min_discount_pct of [1, 20, 60])
        await expectSame('shopper/deal-finder', { category, brand, min_discount_pct })
  })

  test('every listing by its uid, entity, id, address and name', async () => {
    for (const country of countries) {
      const listings = await listingsOf(inMemory, country)
      for (const { product_uid, entity_uid, product_id, url, product_name } of listings.slice(0, sized(15, 300))) {
        await expectSame('shopper/best-price', { product_uid, country })
        if (entity_uid) await expectSame('shopper/price-history', { entity_uid, country })
        for (const q of [product_id, url, product_name]) if (q) await expectSame('shopper/best-price', { q, country })
      }
    }
  })

  test('the listings that any text finds', async () => {
    const listings = await listingsOf(inMemory, 'us')
    const words = [...new Set(listings.flatMap(({ product_name }) => product_name?.split(' ') ?? []))]
    /** A word of the catalogue, as it is, cut short, or with a letter replaced or left out. */
    const word = fc
      .tuple(fc.constantFrom(...words), fc.nat(11), fc.constantFrom('whole', 'cut', 'replaced', 'left out'))
      .map(([text, position, change]) => {
        if (change === 'cut') return text.slice(0, position + 1)
        if (change === 'replaced') return `${text.slice(0, position)}z${text.slice(position + 1)}`
        return change === 'whole' ? text : text.slice(0, position) + text.slice(position + 1)
      })
    const text = fc
      .array(fc.oneof({ weight: 9, arbitrary: word }, fc.string({ maxLength: 8, unit: 'grapheme' })), {
        minLength: 1,
        maxLength: 7,
      })
      .map((parts) => parts.join(' '))
      .filter((q) => q.trim() !== '')
    const retailers = [...(await inMemory.catalog()).retailers.keys()]
    const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 2, nil: undefined })
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...countries),
        optional(retailers),
        optional(['coffee', 'grocery', 'laptops']),
        (q, country, retailer, category) => expectSame('shopper/best-price', { q, country, retailer, category }),
      ),
      { numRuns: sized(150, 2000) },
    )
  })
})

/** A copy of the lake, and the files of the index in it. */
const copiedLake = async () => {
  const copy = join(await temporaryFolder(), 'lake')
  await cp(lake, copy, { recursive: true })
  const { snapshot_id, files } = (await readCurrentManifest(copy))!
  const index = files.map(({ path }) => path).filter((path) => path.endsWith('.arrow'))
  return { copy, index: index.map((path) => join(snapshotFolder(copy, snapshot_id), path)) }
}

describe('a file of the index', () => {
  const spoil: [string, (path: string) => void][] = [
    ['cut short', (path) => truncateSync(path, 0)],
    ['overwritten', (path) => writeFileSync(path, '#'.repeat(statSync(path).size))],
  ]

  test.each(spoil)('that is %s while it is open makes the snapshot a damaged one', async (_, change) => {
    const { copy, index } = await copiedLake()
    const engine = await openEngine(copy, { ...options, warm: true, memory_budget: 1 })
    for (const path of index.filter((path) => path.includes('listing_texts/country=us'))) change(path)
    // It was not read before: batches that were are in memory.
    const last = (await listingsOf(inMemory, 'us')).at(-1)
    const failure = await planOf(engine, 'shopper/best-price', { product_uid: last?.product_uid }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({
      code: 'NOT_READY',
      details: { file: 'listing_texts/country=us/part-0.arrow' },
    })
  })

  test.each([1, undefined])(
    'with the hash of another table is refused, within a budget of %s',
    async (memory_budget) => {
      const { copy } = await copiedLake()
      const { snapshot_id, files, ...manifest } = (await readCurrentManifest(copy))!
      const [from, to] = ['search_keys', 'search_postings'].map((table) =>
        files.find(({ path }) => path.startsWith(`${table}/country=us`)),
      )
      await cp(join(snapshotFolder(copy, snapshot_id), from!.path), join(snapshotFolder(copy, snapshot_id), to!.path))
      const others = files.map((file) => (file === to ? { ...from!, path: to.path } : file))
      await writeAsEarlier(copy, snapshot_id, JSON.stringify({ ...manifest, snapshot_id, files: others }))
      await expect(Engine.open(copy, { ...options, warm: true, memory_budget })).rejects.toMatchObject({
        code: 'NOT_READY',
        message: expect.stringContaining('search_postings/country=us/part-0.arrow: its columns are key Uint64'),
      })
    },
  )

  test.runIf(process.platform === 'linux')('is closed with its engine', async () => {
    const { copy } = await copiedLake()
    const open = (): string[] =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return (
            readlinkSync(`/proc/self/fd/${fd}`).startsWith(copy) &&
            readlinkSync(`/proc/self/fd/${fd}`).endsWith('.arrow')
          )
        } catch {
          return false
        }
      })
    const engine = await Engine.open(copy, { ...options, warm: true, memory_budget: 1 })
    expect(open().length).toBeGreaterThan(5)
    const index = await (await engine.catalog()).search('us')
    engine.close()
    expect(() => index.withKey('p_0')).toThrow('The snapshot is closed.')
    await expect.poll(open).toEqual([])
  })
})
