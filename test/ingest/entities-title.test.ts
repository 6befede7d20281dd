import { describe, expect, test } from 'vitest'
import { packOf, sizeOf } from '../../engine/search/sizes.ts'
import { codesIn, readPartNumber } from '../../ingest/entities/codes.ts'
import { readTitle } from '../../ingest/entities/titles.ts'

const NOTHING_STATED = { brand: null, mpn: null, model: null, size: null, pack: null, is_bundle: false }
const read = (title: string, fields: Partial<typeof NOTHING_STATED | Record<string, unknown>> = {}) =>
  readTitle({ ...NOTHING_STATED, ...fields, title })

describe('the model codes of a title', () => {
  test.each([
    ['Sony Turntable - PSLX350H', ['pslx350h']],
    ['Sony PS-LX350H Belt-Drive Turntable', ['pslx350h']],
    ['Apple iPod nano 16GB - MB913LL/A', ['mb913lla']],
    ['Logitech Cordless Desktop Wave - 920-000264', ['920000264']],
    ['64GB USB 3.0 drive, 7200rpm, 1080p, 16-mile, 2-part, 802.11n, DDR3-1600', []],
    ['Corn Flakes 500 g, 12-pack, 2019', []],
    ['70-300mm f/4.5-5.6 lens, 1920x1080', []],
    ['Mouse', []],
  ])('are found in "%s"', (title, codes) => expect(codesIn(title)).toEqual(codes))

  test.each([
    ['those of what it is for', 'Sony Floating Strap STP-FSA1 for Sony DSC-W55', ['stpfsa1']],
    ['those of what it is for, even without others', 'Carry case for Sony DSC-W55', []],
    ['those of what it is for, up to a dash', "Hard Shell Case For 13' MacBook - MB13CLR", ['mb13clr']],
    ['those of what comes with it', 'Nikon D3100K camera with SB600X flash', ['d3100k']],
    ['nothing of what comes with it, if there are no others', 'Headphones with XBS RP-HT21', ['rpht21']],
  ])('exclude %s', (_, title, codes) => expect(read(title).codes).toEqual(codes))
})

test.each([
  ['DCS-1100', 'D-Link', 'dcs1100'],
  ['HP CH566A', 'HP', 'ch566a'],
  ['910-001752', 'Logitech', '910001752'],
  ['5029', null, '5029'],
  ['Matte White', null, null],
  ['N/A', null, null],
  ['000000', null, null],
  ['4BR', null, null],
  [null, 'HP', null],
])('the part number %s of the brand %s is read as %s', (text, brand, code) =>
  expect(readPartNumber(text, brand)).toBe(code),
)

test.each([
  ['Cola 6 x 330 ml', null, 6],
  ['Cola, 12-pack', null, 12],
  ['Cups 200ct', null, 200],
  ['Pack of 4 mugs', null, 4],
  ['Film, twin pack', null, 2],
  ['Speakers (pair)', null, 2],
  ['Switch, 8 ports', null, 1],
  ['Cola, 12-pack', '6', 6],
  ['Cola, 12-pack', 'a few', 12],
  ['Labels, 0 pack', null, 1],
])('the pack of "%s" with the field %s is %i', (title, field, count) => expect(packOf(title, field)).toBe(count))

test.each([
  ['Flakes 18 oz (510 g)', '510 g'],
  ['Flakes 1.5 kg', '1500 g'],
  ['Milk 2 l', '2000 ml'],
  ['Juice 12 fl. oz.', '355 ml'],
  ['Phone 64GB', '64 gb'],
  ['Phone 4GB/64GB', null],
  ['Coffee 1,5 kg', '1500 g'],
  ['LG 55UK6300', null],
  ['', null],
])('the size of %s is %s', (text, size) => expect(sizeOf(text)).toBe(size))

describe('a title', () => {
  test.each([
    ['The Sony Turntable', null, 'sony'],
    ['New-HON bookcase', null, 'hon'],
    ['Turntable', 'Griffin Technology', 'griffin'],
    ['...', null, null],
  ])('"%s" of the brand %s has the brand key %s', (title, brand, first) =>
    expect(read(title, { brand }).brand).toBe(first),
  )

  test.each([
    ['Camera DSCW55', '1'],
    ['Camera case DSCW55', '1 case'],
    ['Camera DSCW55 with case', '1'],
    ['Camera DSCW55 bundle with case', '1 kit'],
    ['Camera for kids, battery included', '1 power'],
    ['Processor i7-4770K tray', '1 bulk'],
    ['Filters FX1234, 3 pack', '3 part'],
  ])('%s is of the kind %s', (title, kind) => expect(read(title).kind).toBe(kind))

  test('identifies a product by three words besides the brand, one with a number', () => {
    const words = (title: string, fields = {}) => read(title, { brand: 'Kiln', ...fields }).words
    expect(words('Kiln Blue Mug 300 ml')).toBe('300ml blue mug')
    expect(words('Kiln 300ml mug, blue')).toBe('300ml blue mug')
    expect(words('Kiln Blue Mug Large')).toBeNull()
    expect(words('Kiln Blue Mug Large', { size: '300 ml' })).toBe('blue large mug')
    expect(words('Kiln Mug 300 ml')).toBeNull()
    expect(read('Kiln Blue Mug 300 ml').words).toBeNull()
  })

  test('is overridden by the size, pack and model fields', () => {
    expect(read('Milk 1 l', { size: '2 l' }).size).toBe('2000 ml')
    expect(read('Milk 1 l', { size: 'large' }).size).toBe('1000 ml')
    expect(read('Eggs', { size: '6 ct' }).pack).toBe(6)
    expect(read('Phone', { model: 'SM-G960F' }).part_number).toBe('smg960f')
    expect(read('Phone', { model: 'Galaxy S9' }).part_number).toBeNull()
    expect(read('Camera', { is_bundle: true }).kind).toBe('1 kit')
  })
})
