import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entitiesOf, joinsOf, type Listing, offers, refreshOffers } from './entity-feeds.ts'
import { joinsExpected } from './entity-oracle.ts'
import { givenFiles, newFolder, query, run, single } from './feeds.ts'

const GTINS = ['036000291452', '4006381333931', '10036000291459', '036000291453', '212345678992', '111111111117']
const BRANDS = ['Sony', 'Sony Corp', 'Bose', 'n/a', 'Heinz']
const NAMES = ['Camera', 'Camera case', 'Tomato Ketchup Classic', 'Turntable black', 'Camera for kids with strap']

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

/** What listings say, so that they join by chance: few barcodes, brands, models, sizes and packs. */
const said = fc
  .record({
    country: fc.constantFrom('us', 'us', 'ca'),
    gtin: maybe(fc.constantFrom(...GTINS)),
    brand: maybe(fc.constantFrom(...BRANDS)),
    mpn: fc.option(fc.constantFrom('DSC-W55', 'DSCW56'), { nil: undefined, freq: 1 }),
    condition: fc.constantFrom('new', 'new', 'new', 'used'),
    price: fc.constantFrom(9, 10, 12, 50, 95),
    title: fc
      .tuple(
        fc.constantFrom(...NAMES),
        maybe(fc.constantFrom('DSCW55', 'DSC-W56', 'PSLX350H')),
        maybe(fc.constantFrom('500 g', '0.5 kg', '1 kg')),
        fc.option(fc.constantFrom('2 pack', '6 x 330 ml'), { nil: undefined, freq: 1 }),
      )
      .map((parts) => parts.filter(Boolean).join(', ')),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

const SHOPS = [...'abcdefgh']

const nameOf = (at: number): string => `${SHOPS[at % SHOPS.length]} ${at}`

const listed = (length: number) =>
  fc
    .array(said, { minLength: length, maxLength: length })
    .map((all) => all.map((fields, index): Listing => ({ ...fields, name: nameOf(index) })))

const SEED = 11

test('random listings are joined exactly as comparing each pair would join them', async () => {
  await fc.assert(
    fc.asyncProperty(listed(200), async (listings) => {
      const report = await refreshOffers(listings, { threads: 2 })
      const turned = await refreshOffers(listings.toReversed(), { threads: 1 })
      expect(turned.digest).toBe(report.digest)
      const joined = joinsOf(await entitiesOf(report))
      expect(joined.length).toBeGreaterThan(3)
      expect(joined).toEqual(joinsExpected(listings))
    }),
    { seed: SEED, numRuns: 20 },
  )
})

test('random months give the same entities one by one in any order and all at once', async () => {
  const months = fc.tuple(...[1, 2, 3, 4, 5].map((month) => listed(60).map((all) => ({ month, all }))))
  await fc.assert(
    fc.asyncProperty(months, fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (drawn, order) => {
      // Each month another two thirds of the listings are seen.
      const files = drawn.map(({ month, all }) =>
        offers(
          all
            .filter((_, index) => index % 3 !== month % 3)
            .map((listing) => ({ ...listing, day: `2026-0${month}-05` })),
        ),
      )
      const lake = `${await newFolder()}/lake`
      let inTurn = await run(await givenFiles({ 'price_observations/a.csv': files[order[0]!]! }), { lake })
      for (const at of order.slice(1))
        inTurn = await run(await givenFiles({ 'price_observations/a.csv': files[at]! }), {
          lake,
          threads: 1 + (at % 2),
        })
      const atOnce = await run(
        await givenFiles(Object.fromEntries(files.map((text, index) => [`price_observations/${index}.csv`, text]))),
      )
      expect(await entitiesOf(inTurn)).toEqual(await entitiesOf(atOnce))
      expect(inTurn.counts.unique_products).toBe(atOnce.counts.unique_products)
      const { anchors, suspect_barcodes } = atOnce.entities!
      expect(inTurn.entities).toMatchObject({ anchors, suspect_barcodes })
      const history = `SELECT count(*)::INTEGER AS changes FROM ${single(inTurn, 'entity_changes')}`
      expect((await query(history))[0]!.changes).toBeGreaterThan(0)
    }),
    { seed: SEED, numRuns: 10 },
  )
})
