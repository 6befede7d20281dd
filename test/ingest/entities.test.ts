import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { brandNorm } from '../../engine/index.ts'
import { barcode } from '../support/rows.ts'
import { entitiesOf, joinsOf, type Listing, refreshOffers } from './entity-feeds.ts'

const vectors = new URL('../../../shared/vectors/gtin.json', import.meta.url)

const uidOf = (anchor: string): string => {
  const bits = [...createHash('sha256').update(anchor).digest().subarray(0, 10)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const digits = bits.match(/.{5}/g)!.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)])
  return `e_${digits.join('')}`
}

const scenarios: (readonly Listing[])[] = []
let entities: Record<string, string>

/** Adds listings to the one refresh of all scenarios; the entity of each by its name. */
const entitiesIn = (...listings: readonly Listing[]): (() => Record<string, string>) => {
  const at = scenarios.push(listings) - 1
  return () => Object.fromEntries(listings.map(({ name }) => [name, entities[name.replace(' ', ` ${at}-`)]!]))
}

/** As `entitiesIn`, for the names of listings that are joined. */
const joinsIn = (...listings: readonly Listing[]): (() => string[]) => {
  const entities = entitiesIn(...listings)
  return () => joinsOf(entities())
}

beforeAll(async () => {
  // Listings are compared by barcode and, within a brand, by title: scenarios that share neither are independent.
  const identifiers = scenarios.flatMap((listings) => [
    ...new Set(listings.flatMap(({ gtin, brand }) => [gtin ?? [], brandNorm(brand ?? '') ?? []].flat())),
  ])
  const shared = identifiers.filter((one, index) => identifiers.indexOf(one) !== index)
  expect(shared).toEqual([])
  const all = scenarios.flatMap((listings, index) =>
    listings.map((listing) => ({ ...listing, name: listing.name.replace(' ', ` ${index}-`) })),
  )
  entities = await entitiesOf(await refreshOffers(all))
})

describe('a barcode', () => {
  const spelt = entitiesIn(
    { name: 'a 1', gtin: '036000291452', title: 'Tissues', brand: 'Kleenex' },
    { name: 'b 1', gtin: '00036000291452', title: 'Something else' },
    { name: 'c 1', gtin: '0036000291452', country: 'ca' },
    { name: 'd 1', gtin: '4006381333931' },
  )
  test('joins listings of any retailer, country and spelling in an entity whose uid is derived from it', () => {
    const uid = uidOf('barcode|00036000291452')
    expect(spelt()).toEqual({ 'a 1': uid, 'b 1': uid, 'c 1': uid, 'd 1': uidOf('barcode|04006381333931') })
  })

  const inCase = joinsIn({ name: 'a 1', gtin: '042000000013' }, { name: 'b 1', gtin: '10042000000010' })
  test('of a case is a different product from the one inside', () => {
    expect(inCase()).toEqual([])
  })

  const invalid = {
    'wrong check digit': '036000291453',
    restricted: '212345678992',
    coupon: '520000000003',
    refund: '9800000000007',
    serial: '9771234567003',
    'variable measure': '90012345678908',
    repeated: '111111111117',
    zeros: '000000000000',
    rounded: '3.6E+10',
  }
  const invalidTwice = Object.values(invalid).flatMap((gtin, index) => [
    { name: `a ${index}`, gtin },
    { name: `b ${index}`, gtin },
  ])
  const invalidJoins = joinsIn(...invalidTwice)
  test('that is invalid joins nothing', () => {
    expect(invalidJoins()).toEqual([])
  })

  test('is an anchor exactly where the shared vectors say so', async ({ skip }) => {
    skip(!existsSync(vectors), 'no ../shared/vectors/gtin.json beside the repository')
    const codes = JSON.parse(readFileSync(vectors, 'utf8')) as {
      input: string
      gtin14: string | null
      anchor: boolean
    }[]
    const twice = codes.flatMap(({ input }, index): Listing[] => [
      { name: `a ${index}`, gtin: input },
      { name: `b ${index}`, gtin: input },
    ])
    const entities = await entitiesOf(await refreshOffers(twice))
    // A text is read as a list where it has commas, so only codes that are one are compared.
    for (const [index, { input, gtin14, anchor }] of codes.entries()) {
      const alone = [entities[`a ${index}`], entities[`b ${index}`]]
      if (anchor) expect(alone, input).toEqual(Array(2).fill(uidOf(`barcode|${gtin14}`)))
      else expect(alone[0], input).not.toBe(alone[1])
    }
  })

  const conditions = ['new', 'new', 'refurbished', 'refurbished', 'used', 'open_box']
  const byCondition = joinsIn(
    ...conditions.map((condition, index) => ({ name: `shop${index} 1`, gtin: barcode(1), condition })),
  )
  test('joins listings only if their condition is the same', () => {
    expect(byCondition()).toEqual(['shop0 1 = shop1 1', 'shop2 1 = shop3 1'])
  })
})

const branded = (gtin: string, ...brands: string[]): Listing[] =>
  brands.map((brand, index) => ({ name: `shop${index} 1`, gtin, brand }))

const priced = (gtin: string, low: Partial<Listing>, high: Partial<Listing>): Listing[] => [
  { name: 'a 1', gtin, price: 5, ...low },
  { name: 'b 1', gtin, price: 50, ...high },
]

describe('a suspect barcode', () => {
  const twoBrands = joinsIn(...branded(barcode(11), 'Charmin', 'Scott'))
  // A placeholder is no brand, and spellings of one are one.
  const twoBrandsSpelt = joinsIn(...branded(barcode(12), 'Bounty', 'BOUNTY ®', 'Brawny', 'n/a'))
  const threeBrands = joinsIn(...branded(barcode(13), 'Viva', 'Sparkle', 'Puffs'))
  test('has at least three brands', () => {
    expect(twoBrands()).toEqual(['shop0 1 = shop1 1'])
    expect(twoBrandsSpelt()).toHaveLength(1)
    expect(threeBrands()).toEqual([])
  })

  const tenfold = joinsIn(...priced(barcode(21), {}, {}))
  const inTwoCountries = joinsIn(...priced(barcode(22), {}, { price: 500, country: 'ca' }))
  const overTenfold = joinsIn(...priced(barcode(23), {}, { price: 50.01 }))
  const inTwoConditions = entitiesIn(...priced(barcode(24), { condition: 'used' }, { price: 500 }))
  test('has prices more than ten times apart in the same country and condition', () => {
    expect(tenfold()).toEqual(['a 1 = b 1'])
    expect(inTwoCountries()).toEqual(['a 1 = b 1'])
    expect(overTenfold()).toEqual([])
    const anchor = `barcode|00${barcode(24)}`
    expect(inTwoConditions()).toEqual({ 'a 1': uidOf(`${anchor}|used`), 'b 1': uidOf(anchor) })
  })

  const sold = (name: string, brand: string, title: string): Listing => ({ name, gtin: barcode(31), brand, title })
  const titled = joinsIn(
    sold('a 1', 'Denon', 'Denon Turntable PS-LX350H'),
    sold('b 1', 'Denon', 'Turntable PSLX350H, black'),
    sold('c 1', 'Yamaha', 'Yamaha Radio'),
    sold('d 1', 'Onkyo', 'Onkyo Tuner'),
  )
  test('does not prevent listings from being joined by their titles', () => {
    expect(titled()).toEqual(['a 1 = b 1'])
  })
})

test('products, what identifies them and suspect barcodes are counted', async () => {
  const scenario = (name: string, listings: readonly Listing[]) =>
    listings.map((listing) => ({ ...listing, name: listing.name.replace(' 1', ` ${name}`) }))
  const report = await refreshOffers([
    ...scenario('joined', [
      { name: 'a 1', gtin: barcode(1) },
      { name: 'b 1', gtin: barcode(1) },
    ]),
    ...scenario('brands', branded(barcode(2), 'Kleenex', 'Scott', 'Puffs')),
    ...scenario('prices', priced(barcode(3), {}, { price: 50.01 })),
    ...scenario('conditions', priced(barcode(4), { condition: 'used' }, { price: 500 })),
  ])
  expect(report.counts).toMatchObject({ listings: 9, unique_products: 8 })
  expect(report.entities).toMatchObject({ unique_products: 8, anchors: { barcode: 4, listing: 5 } })
  expect(report.entities?.suspect_barcodes).toEqual({ brands: 1, price_ratio: 1 })
})

const by =
  (brand: string) =>
  (name: string, title: string, fields: Partial<Listing> = {}): Listing => ({ name, title, brand, ...fields })

describe('a listing without a barcode', () => {
  const sony = by('Sony')
  const withBarcode = entitiesIn(
    sony('a 1', 'Sony Turntable - PSLX350H', { gtin: barcode(41) }),
    sony('b 1', 'Sony PS-LX350H Belt-Drive Turntable'),
    sony('c 1', 'Turntable', { mpn: 'PS-LX350H' }),
  )
  test('joins the entity of a barcode with the same brand and model', () => {
    expect(new Set(Object.values(withBarcode()))).toEqual(new Set([uidOf(`barcode|00${barcode(41)}`)]))
  })

  const [akai, sharp, heinz] = [by('Akai'), by('Sharp'), by('Heinz')]
  const byModel = joinsIn(akai('a 1', 'Akai Turntable - PSLX350H'), akai('b 1', 'PS-LX350H turntable'))
  const byPartNumber = joinsIn(
    sharp('a 1', 'Walkman', { mpn: 'NW-E394' }),
    sharp('b 1', 'Sharp MP3 Player', { mpn: 'NWE394' }),
  )
  const byWords = joinsIn(heinz('a 1', 'Heinz Tomato Ketchup, 500 g'), heinz('b 1', 'Ketchup Tomato 500g'))
  test('joins other listings without a barcode', () => {
    expect(byModel()).toEqual(['a 1 = b 1'])
    expect(byPartNumber()).toEqual(['a 1 = b 1'])
    expect(byWords()).toEqual(['a 1 = b 1'])
  })

  type Said = readonly [title: string, fields?: Partial<Listing>]
  const differing: Readonly<Record<string, readonly [Said, Said]>> = {
    brand: [['Turntable PSLX350H'], ['Turntable PSLX350H', { brand: 'Bose' }]],
    model: [['Turntable PSLX350H'], ['Turntable PSLX250H']],
    'no model': [['Turntable, Belt Drive'], ['Turntable PSLX350H']],
    'part number': [
      ['Walkman 8GB red', { mpn: 'NWE394R' }],
      ['Walkman 8GB red', { mpn: 'NWE394B' }],
    ],
    pack: [['Tape T120VX'], ['Tape T120VX, 4 pack']],
    'pack in a field': [['Tape T120VX'], ['Tape T120VX', { pack: '4' }]],
    size: [['Phone XZ1C88 32GB'], ['Phone XZ1C88 64 GB']],
    'size in a field': [
      ['Gel tape 12 m', { size: '100 ml' }],
      ['Gel tape 12 m', { size: '200 ml' }],
    ],
    accessory: [['Camera DSCW55'], ['Leather case for Sony DSC-W55 camera']],
    'accessory without for': [['Camera DSCW55'], ['Camera case DSCW55']],
    bundle: [['Camera DSCW55'], ['Camera DSCW55 bundle with card']],
    condition: [['Camera DSCW55'], ['Camera DSCW55 refurbished']],
    'price over five times as high': [['Camera DSCW55'], ['Camera DSCW55', { price: 50.01 }]],
    'words without a number': [['Red Leather Carry Strap'], ['Red Leather Carry Strap']],
  }
  // Every case has a brand of its own, so that one scenario does for all.
  const differingEntities = entitiesIn(
    ...Object.values(differing).flatMap(([one, two], index) =>
      [one, two].map(([title, fields], shop) => ({
        name: `${'ab'[shop]} ${index}`,
        title,
        brand: `Maker${index}`,
        ...fields,
      })),
    ),
  )
  test('remains separate from a listing that differs in any of these', () => {
    const entities = differingEntities()
    const joined = Object.keys(differing).filter((_, index) => entities[`a ${index}`] === entities[`b ${index}`])
    expect(joined).toEqual([])
  })

  const [canon, nikon] = [by('Canon'), by('Nikon')]
  const twoProducts = joinsIn(
    canon('a 1', 'Camera DSCW55 silver'),
    canon('a 2', 'Camera DSCW55 black'),
    canon('b 1', 'Camera DSCW55'),
  )
  // Two listings of one barcode are one product.
  const oneProduct = joinsIn(
    nikon('a 1', 'Camera DSCW55 silver', { gtin: barcode(51) }),
    nikon('a 2', 'Camera DSCW55 black', { gtin: barcode(51) }),
    nikon('b 1', 'Camera DSCW55'),
  )
  test('remains separate where a shop has two products of that title', () => {
    expect(twoProducts()).toEqual([])
    expect(oneProduct()).toEqual(['a 1 = a 2 = b 1'])
  })

  const leica = by('Leica')
  const twoBarcodes = joinsIn(
    leica('a 1', 'Camera DSCW55', { gtin: barcode(61) }),
    leica('b 1', 'Camera DSCW55', { gtin: barcode(62) }),
    leica('c 1', 'Camera DSCW55'),
  )
  test('remains separate where two barcodes have its title', () => {
    expect(twoBarcodes()).toEqual([])
  })

  const mouse = by('Logitech')
  const mice = joinsIn(
    mouse('a 1', 'Logitech MX470 Blue Mouse - 910-000298'),
    mouse('b 1', 'MX470 Mouse 910000298'),
    mouse('c 1', 'MX470 Mouse - 910-000692'),
    mouse('d 1', 'MX470 Mouse White 910000692'),
  )
  test('is joined by the rarest of the shared model codes, as the others may name a series', () => {
    expect(mice()).toEqual(['a 1 = b 1', 'c 1 = d 1'])
  })

  test('keeps its uid when another listing joins it', async () => {
    const first = await refreshOffers([sony('a 1', 'Camera DSCW55')])
    const second = await refreshOffers([sony('b 1', 'Sony DSC-W55 camera')], { lake: first.lake })
    const entities = await entitiesOf(second)
    expect(entities['a 1']).toBe((await entitiesOf(first))['a 1'])
    expect(joinsOf(entities)).toEqual(['a 1 = b 1'])
    expect(second.entities?.changes).toEqual({})
  })
})
