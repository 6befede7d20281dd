import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine, EngineError, queryId } from '../../engine/index.ts'
import { type Given, planOf } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { openEngine, sampleLake, temporaryFolder } from '../support/given.ts'
import { samplePaths } from '../support/http.ts'

const countries = ['us', 'ca'] as const

let options: { as_of: Date }
let lake: string
let inMemory: Engine
let inFiles: Engine

/** A warm engine whose listings are in temporary files. */
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

describe('from temporary files as from memory come', () => {
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

test('a folder that does not exist is refused with its name', async () => {
  const temporary_folder = join(await temporaryFolder(), 'missing')
  const opened = Engine.open(lake, { ...options, warm: true, memory_budget: 1, temporary_folder })
  await expect(opened).rejects.toThrow(`Cannot use the folder for temporary files, ${temporary_folder}: ENOENT.`)
})

test('temporary files have no names, so that nothing is left of them', async () => {
  const temporary_folder = await temporaryFolder()
  const engine = await openEngine(lake, { ...options, warm: true, memory_budget: 1, temporary_folder })
  expect(await resultOf(engine, 'shopper/best-price', { q: 'coffee' })).toContain('"prices"')
  expect(readdirSync(temporary_folder)).toEqual([])
})

/** The descriptors of files that were removed from a folder, as Linux lists them. */
const descriptorsIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => `/proc/self/fd/${fd}`)
    .filter((path) => {
      try {
        return readlinkSync(path).startsWith(folder)
      } catch {
        return false
      }
    })

describe.runIf(process.platform === 'linux')('a temporary file', () => {
  const spoil: [string, (path: string) => void, RegExp][] = [
    ['cut short', (path) => truncateSync(path, 0), /cannot be read \(it ends early\); it is made again/],
    ['overwritten', (path) => writeFileSync(path, '#'.repeat(10_000_000)), /cannot be read \(its checksum is wrong\)/],
  ]

  test.each(spoil)('that is %s refuses queries until it is made again', async (_, change, message) => {
    const temporary_folder = await temporaryFolder()
    const engine = await openEngine(lake, { ...options, warm: true, memory_budget: 1, temporary_folder })
    const descriptors = descriptorsIn(temporary_folder)
    expect(descriptors.length).toBeGreaterThan(5)
    for (const path of descriptors) change(path)
    // Neither of them was read before: blocks that were are in memory.
    const last = (await listingsOf(inMemory, 'us')).at(-1)
    const given = { product_uid: last?.product_uid }
    const failure = await planOf(engine, 'shopper/best-price', given).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'NOT_READY', message: expect.stringMatching(message) })
    expect(await resultOf(engine, 'shopper/best-price', given)).toBe(
      await resultOf(inMemory, 'shopper/best-price', given),
    )
  })

  test('is closed with its engine', async () => {
    const temporary_folder = await temporaryFolder()
    const engine = await Engine.open(lake, { ...options, warm: true, memory_budget: 1, temporary_folder })
    const catalog = await engine.catalog()
    expect(descriptorsIn(temporary_folder).length).toBeGreaterThan(5)
    const index = await catalog.search('us')
    engine.close()
    expect(() => index.withKey('p_0')).toThrow('The snapshot is closed.')
    await expect.poll(() => descriptorsIn(temporary_folder)).toEqual([])
  })
})
