import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entitiesOf, joins, joinsOf, type Listing, refreshOffers } from './entity-feeds.ts'

const vectors = new URL('../../../shared/vectors/gtin.json', import.meta.url)

const uidOf = (anchor: string): string => {
  const bits = [...createHash('sha256').update(anchor).digest().subarray(0, 10)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const digits = bits.match(/.{5}/g)!.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)])
  return `e_${digits.join('')}`
}

describe('a barcode', () => {
  test('joins listings of any retailer, country and spelling in an entity whose uid is derived from it', async () => {
    const report = await refreshOffers([
      { name: 'a 1', gtin: '036000291452', title: 'Tissues', brand: 'Kleenex' },
      { name: 'b 1', gtin: '00036000291452', title: 'Something else' },
      { name: 'c 1', gtin: '0036000291452', country: 'ca' },
      { name: 'd 1', gtin: '4006381333931' },
    ])
    const entities = await entitiesOf(report)
    const uid = uidOf('barcode|00036000291452')
    expect(entities).toEqual({ 'a 1': uid, 'b 1': uid, 'c 1': uid, 'd 1': uidOf('barcode|04006381333931') })
    expect(report.counts).toMatchObject({ listings: 4, unique_products: 2 })
    expect(report.entities).toMatchObject({ unique_products: 2, anchors: { barcode: 4 }, suspect_barcodes: {} })
  })

  test('of a case is a different product from the one inside', async () => {
    expect(await joins({ name: 'a 1', gtin: '036000291452' }, { name: 'b 1', gtin: '10036000291459' })).toEqual([])
  })

  test('that is invalid joins nothing', async () => {
    const none = {
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
    const twice = Object.values(none).flatMap((gtin, at) => [
      { name: `a ${at}`, gtin },
      { name: `b ${at}`, gtin },
    ])
    expect(await joins(...twice)).toEqual([])
  })

  test('is an anchor exactly where the shared vectors say so', async ({ skip }) => {
    skip(!existsSync(vectors), 'no ../shared/vectors/gtin.json beside the repository')
    const codes = JSON.parse(readFileSync(vectors, 'utf8')) as {
      input: string
      gtin14: string | null
      anchor: boolean
    }[]
    const twice = codes.flatMap(({ input }, at): Listing[] => [
      { name: `a ${at}`, gtin: input },
      { name: `b ${at}`, gtin: input },
    ])
    const entities = await entitiesOf(await refreshOffers(twice))
    // A text is read as a list where it has commas, so only codes that are one are compared.
    for (const [at, { input, gtin14, anchor }] of codes.entries()) {
      const alone = [entities[`a ${at}`], entities[`b ${at}`]]
      if (anchor) expect(alone, input).toEqual(Array(2).fill(uidOf(`barcode|${gtin14}`)))
      else expect(alone[0], input).not.toBe(alone[1])
    }
  })

  test('joins listings only if their condition is the same', async () => {
    const gtin = '036000291452'
    const conditions = ['new', 'new', 'refurbished', 'refurbished', 'used', 'open_box']
    const listings = conditions.map((condition, at) => ({ name: `shop${at} 1`, gtin, condition }))
    expect(await joins(...listings)).toEqual(['shop0 1 = shop1 1', 'shop2 1 = shop3 1'])
  })
})

describe('a suspect barcode', () => {
  const gtin = '036000291452'

  test('has at least three brands', async () => {
    const branded = (...brands: string[]) => brands.map((brand, at): Listing => ({ name: `shop${at} 1`, gtin, brand }))
    expect(await joins(...branded('Kleenex', 'Scott'))).toEqual(['shop0 1 = shop1 1'])
    // A placeholder is no brand, and spellings of one are one.
    expect(await joins(...branded('Kleenex', 'KLEENEX ®', 'Scott', 'n/a'))).toHaveLength(1)
    const report = await refreshOffers(branded('Kleenex', 'Scott', 'Puffs'))
    expect(joinsOf(await entitiesOf(report))).toEqual([])
    expect(report.entities?.suspect_barcodes).toEqual({ brands: 1 })
  })

  test('has prices more than ten times apart in the same country and condition', async () => {
    const priced = (low: Partial<Listing>, high: Partial<Listing>): Listing[] => [
      { name: 'a 1', gtin, price: 5, ...low },
      { name: 'b 1', gtin, price: 50, ...high },
    ]
    expect(await joins(...priced({}, {}))).toEqual(['a 1 = b 1'])
    expect(await joins(...priced({}, { price: 500, country: 'ca' }))).toEqual(['a 1 = b 1'])
    const report = await refreshOffers(priced({}, { price: 50.01 }))
    expect(joinsOf(await entitiesOf(report))).toEqual([])
    expect(report.entities).toMatchObject({ suspect_barcodes: { price_ratio: 1 }, anchors: { listing: 2 } })
    const used = await refreshOffers(priced({ condition: 'used' }, { price: 500 }))
    expect(used.entities?.suspect_barcodes).toEqual({})
  })

  test('does not prevent listings from being joined by their titles', async () => {
    const sold = (name: string, brand: string, title: string): Listing => ({ name, gtin, brand, title })
    const offers = [
      sold('a 1', 'Sony', 'Sony Turntable PS-LX350H'),
      sold('b 1', 'Sony', 'Turntable PSLX350H, black'),
      sold('c 1', 'Bose', 'Bose Radio'),
      sold('d 1', 'Onkyo', 'Onkyo Tuner'),
    ]
    expect(await joins(...offers)).toEqual(['a 1 = b 1'])
  })
})

describe('a listing without a barcode', () => {
  const gtin = '036000291452'
  const sony = (name: string, title: string, fields: Partial<Listing> = {}): Listing => ({
    name,
    title,
    brand: 'Sony',
    ...fields,
  })

  test('joins the entity of a barcode with the same brand and model', async () => {
    const listings = [
      sony('a 1', 'Sony Turntable - PSLX350H', { gtin }),
      sony('b 1', 'Sony PS-LX350H Belt-Drive Turntable'),
      sony('c 1', 'Turntable', { mpn: 'PS-LX350H' }),
    ]
    const entities = await entitiesOf(await refreshOffers(listings))
    expect(new Set(Object.values(entities))).toEqual(new Set([uidOf(`barcode|00${gtin}`)]))
  })

  test('joins other listings without a barcode', async () => {
    expect(await joins(sony('a 1', 'Sony Turntable - PSLX350H'), sony('b 1', 'PS-LX350H turntable'))).toEqual([
      'a 1 = b 1',
    ])
    expect(
      await joins(sony('a 1', 'Walkman', { mpn: 'NW-E394' }), sony('b 1', 'Sony MP3 Player', { mpn: 'NWE394' })),
    ).toEqual(['a 1 = b 1'])
    expect(
      await joins(
        { name: 'a 1', brand: 'Heinz', title: 'Heinz Tomato Ketchup, 500 g' },
        { name: 'b 1', brand: 'Heinz', title: 'Ketchup Tomato 500g' },
      ),
    ).toEqual(['a 1 = b 1'])
  })

  test('remains separate from a listing that differs in any of these', async () => {
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
    // Every case has a brand of its own, so that one refresh does for all.
    const listings = Object.values(differing).flatMap(([one, two], at) =>
      [one, two].map(([title, fields], shop) => ({
        name: `${'ab'[shop]} ${at}`,
        title,
        brand: `Maker${at}`,
        ...fields,
      })),
    )
    const entities = await entitiesOf(await refreshOffers(listings))
    const joined = Object.keys(differing).filter((_, at) => entities[`a ${at}`] === entities[`b ${at}`])
    expect(joined).toEqual([])
  })

  test('remains separate where a shop has two products of that title', async () => {
    const silver = sony('a 1', 'Camera DSCW55 silver')
    const black = sony('a 2', 'Camera DSCW55 black')
    expect(await joins(silver, black, sony('b 1', 'Camera DSCW55'))).toEqual([])
    // Two listings of one barcode are one product.
    expect(await joins({ ...silver, gtin }, { ...black, gtin }, sony('b 1', 'Camera DSCW55'))).toEqual([
      'a 1 = a 2 = b 1',
    ])
  })

  test('remains separate where two barcodes have its title', async () => {
    const [one, two] = [sony('a 1', 'Camera DSCW55', { gtin }), sony('b 1', 'Camera DSCW55', { gtin: '4006381333931' })]
    expect(await joins(one, two, sony('c 1', 'Camera DSCW55'))).toEqual([])
  })

  test('is joined by the rarest of the shared model codes, as the others may name a series', async () => {
    const mouse = (name: string, title: string): Listing => ({ name, title, brand: 'Logitech' })
    expect(
      await joins(
        mouse('a 1', 'Logitech MX470 Blue Mouse - 910-000298'),
        mouse('b 1', 'MX470 Mouse 910000298'),
        mouse('c 1', 'MX470 Mouse - 910-000692'),
        mouse('d 1', 'MX470 Mouse White 910000692'),
      ),
    ).toEqual(['a 1 = b 1', 'c 1 = d 1'])
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
