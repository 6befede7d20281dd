import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { type Answers, guessNotes, withAnswers } from '../../../ingest/check/show/questions.ts'
import { renderCheck } from '../../../ingest/check/show/render.ts'
import { sized } from '../../support/full-size.ts'
import { givenFiles, newFolder, run } from '../feeds.ts'

/** Refreshes a lake with a proposed mapping, answered by its defaults and these. */
const refreshed = async (checked: CheckResult, answers: Answers = {}) => {
  const defaults = Object.fromEntries(checked.questions.map(({ key, default: preset }) => [key, preset]))
  const mapping = withAnswers(checked.mapping!, checked.groups, { ...defaults, ...answers })
  const path = join(await newFolder(), 'mapping.json')
  await writeFile(path, JSON.stringify(mapping))
  return run(checked.root, { mappings: [path] })
}

const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index)).join('\n')

const cell = (reference: string, text: string | number): string =>
  typeof text === 'number'
    ? `<c r="${reference}"><v>${text}</v></c>`
    : `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`

/** A workbook with sheets of these names. */
const namedWorkbook = (sheetsByName: Readonly<Record<string, string>>): Uint8Array => {
  const sheets = Object.values(sheetsByName)
  const numbered = (write: (number: number) => string) => sheets.map((_, index) => write(index + 1)).join('')
  const named = Object.keys(sheetsByName)
  const names = numbered((n) => `<sheet name="${named[n - 1]}" sheetId="${n}" r:id="rId${n}"/>`)
  const targets = numbered((n) => `<Relationship Id="rId${n}" Target="worksheets/sheet${n}.xml"/>`)
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${names}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${targets}</Relationships>`),
    'xl/styles.xml': strToU8('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'),
    ...Object.fromEntries(
      sheets.map((sheet, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
      ]),
    ),
  })
}

/** A workbook with sheets named Prices 1, Prices 2 ... */
const workbook = (...sheets: readonly string[]): Uint8Array =>
  namedWorkbook(Object.fromEntries(sheets.map((sheet, index) => [`Prices ${index + 1}`, sheet])))

describe('a file of strangers is proposed and refreshed', () => {
  test('with a title above the header, semicolons and decimal commas', async () => {
    const content = `Preise vom 1. März\n\nArtikelnummer;Artikelname;Verkaufspreis;Datum\n${rows(30, (at) => `A${at};Kaffee Sorte ${at};${3 + at},49 €;01.03.2026`)}\n`
    const checked = await check({ paths: [await givenFiles({ 'kaffeehaus.csv': content })] })
    expect(checked.mapping!.price_observations).toMatchObject({
      skip_rows: 2,
      columns: { price: 'Verkaufspreis', product_name: 'Artikelname', observed_at: 'Datum' },
      constants: { currency: 'EUR' },
    })
    expect(checked.questions.map(({ key, default: preset }) => [key, preset])).toEqual([
      ['place', 'de'],
      ['platform', 'kaffeehaus'],
    ])
    expect(checked.files).toMatchObject([{ rows_read: 30, kept: 30, lines: 33, header_lines: 3, blank_lines: 0 }])
    expect(await refreshed(checked)).toMatchObject({ status: 'published', files: [{ kept: 30 }] })
  })

  test('without a header', async () => {
    const content = `${rows(30, (at) => `Green tea number ${at};${3 + at}.90;https://tea.example.com/p/${at}`)}\n`
    const checked = await check({ paths: [await givenFiles({ 'tea.csv': content })] })
    expect(checked.mapping!.price_observations).toMatchObject({
      header: false,
      columns: { price: 'column2', product_name: 'column1', url: 'column3' },
    })
    expect(await refreshed(checked)).toMatchObject({ status: 'published', files: [{ rows_read: 30, kept: 30 }] })
  })

  test('with a column for each product, of which an empty one is no price', async () => {
    const content = `tanggal,kota,Beras,Gula,Telur\n${rows(20, (at) => `2026-01-${10 + at},Aceh,${14000 + at},18${100 + at},${at % 4 ? 26000 + at : ''}`)}\n`
    const checked = await check({ paths: [await givenFiles({ 'harga.csv': content })] })
    expect(checked.mapping!.price_observations!.unpivot).toEqual({
      columns: ['Beras', 'Gula', 'Telur'],
      name_to: 'product_name',
      value_to: 'price',
    })
    expect(await refreshed(checked)).toMatchObject({ status: 'published', files: [{ rows_read: 55, kept: 55 }] })
  })

  test('with shops as members of objects, all of which are read', async () => {
    const shop = (at: number) =>
      Array.from({ length: 9 }, (_, n) => ({ name: `Milk number ${n}`, price: 2 + at + n / 10 }))
    const content = JSON.stringify({ updated: '2026-02-03', stores: { Bravo: shop(0), Araz: shop(1), Oba: shop(2) } })
    const checked = await check({ paths: [await givenFiles({ 'milk.json': content })] })
    expect(checked.mapping!.price_observations!.json_path).toBe('stores.{store}[]')
    expect(checked.files).toMatchObject([{ rows_read: 27, kept: 27 }])
  })

  test('in XML, whose entities are not expanded', async () => {
    const items = rows(
      20,
      (at) => `<item><sku>A${at}</sku><title>Tea &amp; &big; ${at}</title><price>${1 + at}.50</price></item>`,
    )
    const content = `<?xml version="1.0"?><!DOCTYPE shop [<!ENTITY big "xxxxxxxxxx">]><shop><date>2026-02-03</date><items>${items}</items></shop>`
    const checked = await check({ paths: [await givenFiles({ 'shop.xml': content })] })
    expect(checked.mapping!.price_observations).toMatchObject({ record: 'shop.items.item' })
    expect(checked.rows[0]!.values).toMatchObject({
      product_name: 'Tea & &big; 0',
      observed_at: '2026-02-03T00:00:00.000Z',
    })
    expect(await refreshed(checked, { platform: 'acme', place: 'us' })).toMatchObject({
      status: 'published',
      files: [{ rows_read: 20, kept: 20 }],
    })
  })

  test('as a workbook with a title and dates', async () => {
    const data = rows(20, (at) => {
      const row = at + 3
      return `<row r="${row}">${cell(`A${row}`, `A${at}`)}${cell(`B${row}`, `Tea &amp; more, ${at}`)}${cell(`C${row}`, 1.5 + at)}<c r="D${row}" s="1"><v>${46000 + at}</v></c></row>`
    })
    const sheet = `<row r="1">${cell('A1', 'Our prices')}</row><row r="2">${cell('A2', 'sku')}${cell('B2', 'title')}${cell('C2', 'price')}${cell('D2', 'date')}</row>${data}`
    const feeds = await givenFiles({ 'prices.xlsx': workbook(sheet) })
    const checked = await check({ paths: [feeds] })
    expect(checked.mapping!.price_observations).toMatchObject({ skip_rows: 1, columns: { listing_id: 'sku' } })
    expect(checked.rows[0]!.values).toMatchObject({
      product_name: 'Tea & more, 0',
      price: '1.50',
      observed_at: '2025-12-09T00:00:00.000Z',
    })
    expect(await refreshed(checked, { platform: 'acme', place: 'us' })).toMatchObject({ files: [{ kept: 20 }] })
  })
})

test('sheets that are named by dates are read one below the other, digits of any script too', async () => {
  const sheetOf = (week: number) =>
    rows(4, (at) => {
      const [name, price] = at === 0 ? ['اسم المنتج', 'السعر'] : [`شاي ${at}`, `${'٠١٢٣٤٥٦٧٨٩'[at + week]}٫٥٠`]
      return `<row r="${at + 1}">${cell(`A${at + 1}`, name!)}${cell(`B${at + 1}`, price!)}</row>`
    })
  const sheets = { '02.03.2026': sheetOf(0), '19.03.2026': sheetOf(1), notes: `<row r="1">${cell('A1', 'x')}</row>` }
  const checked = await check({ paths: [await givenFiles({ 'prices.xlsx': namedWorkbook(sheets) })] })
  expect(checked.mapping!.price_observations).toMatchObject({
    sheet: ['02.03.2026', '19.03.2026'],
    columns: { observed_at: 'sheet', price: 'السعر' },
    timestamp_format: '%d.%m.%Y',
  })
  expect(checked.files).toMatchObject([{ rows_read: 6, kept: 6 }])
  expect(checked.rows.map(({ values: { observed_at, price } }) => [observed_at, price])).toEqual([
    ...['1.50', '2.50', '3.50'].map((price) => ['2026-03-02T00:00:00.000Z', price]),
    ...['2.50', '3.50', '4.50'].map((price) => ['2026-03-19T00:00:00.000Z', price]),
  ])
})

test('the sheets of a workbook that are not read are named, and a mapping reads them', async () => {
  const sheetOf = (letter: string) =>
    rows(21, (at) => {
      const [sku, price] = at === 0 ? ['sku', 'price'] : [`${letter}${at}`, at]
      return `<row r="${at + 1}">${cell(`A${at + 1}`, sku!)}${cell(`B${at + 1}`, price!)}</row>`
    })
  const feeds = await givenFiles({ 'prices.xlsx': workbook(sheetOf('A'), sheetOf('B')) })
  const checked = await check({ paths: [feeds] })
  expect(checked.notes).toContain(
    'sheet: the workbook also has the sheet "Prices 2", which is not read. To read it instead, write "sheet": "Prices 2".',
  )
  const path = join(await newFolder(), 'mapping.json')
  const entry = { ...checked.mapping!.price_observations, sheet: 'Prices 2' }
  const constants = { platform: 'acme', country: 'us', observed_at: '2026-02-03' }
  await writeFile(path, JSON.stringify({ price_observations: { ...entry, constants } }))
  const second = await check({ paths: [feeds], mappings: [path] })
  expect(second.rows[0]!.values).toMatchObject({ listing_id: 'B1', price: '1.00' })
})

describe('a file that cannot be read is refused', () => {
  test.each<[name: string, content: Uint8Array | string, reason: RegExp]>([
    ['deep.xml', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /nested deeper than/],
    ['cut.xml', '<shop><item><sku>A1</sku><price>1</price></item><item><sku>A2', /truncated|not well-formed/],
    ['names.xml', `<shop>${rows(100_001, (at) => `<a${at}/>`)}</shop>`, /more than 100000 names/],
    [
      'text.xml',
      `<shop>${`${'x'.repeat(100)}<item><a>1</a><b>2</b></item>`.repeat(50_000)}</shop>`,
      /the text of shop is longer than/,
    ],
    ['open.xlsx', workbook(`<row r="1">${cell('A1', 'sku')}</row>${'<row><c>'.repeat(500_000)}`), /no rows/],
    ['huge.xml', `<shop>${'<a '.padEnd(5_000_000, 'x')}`, /longer than/],
    ['no.xlsx', 'not a workbook', /cannot be read as a workbook/],
    ['wide.xlsx', workbook(`<row r="1">${cell('ZZZ1', 'sku')}</row>`), /more than 16384 columns/],
    ['cut.xlsx', zipSync({ 'xl/workbook.xml': strToU8('<workbook><sheets>') }), /ends before its last tag/],
    ['long.xlsx', workbook(`<row r="1">${' '.repeat(17 * 1024 * 1024)}</row>`), /longer than/],
  ])('%s', async (name, content, reason) => {
    const checked = await check({ paths: [await givenFiles({ [name]: content })] })
    expect(checked.unread).toEqual([{ file: name, reason: expect.stringMatching(reason) }])
  })
})

test('every column is printed where nothing says which one is a price', async () => {
  const content = `a,b,c\n${rows(20, (at) => `${at},Town ${at % 3},${at * 7}`)}\n`
  const checked = await check({ paths: [await givenFiles({ 'numbers.csv': content })] })
  expect(checked.mapping).toEqual({})
  expect(checked.columns).toMatchObject([{ columns: [{ name: 'a' }, { name: 'b', distinct: 3 }, { name: 'c' }] }])
  const text = renderCheck(checked)
  expect(text).toMatch(/^ {2}b +Town 0 \| Town 1 \| Town 2 +- /m)
  expect(text).toContain('"price": "')
})

test('a country that nothing suggests is a guess, which the saved mapping says', async () => {
  const content = `sku,date,price\n${rows(30, (at) => `A${at},2026-02-03,${1 + at}.50`)}\n`
  const { root, mapping, groups, questions } = await check({ paths: [await givenFiles({ 'a.csv': content })] })
  expect(questions).toMatchObject([
    { key: 'place', default: 'us', is_guess: true },
    { key: 'platform', is_guess: true },
  ])
  const answers = { place: 'us', platform: 'acme' }
  const path = join(await newFolder(), 'mapping.json')
  const saved = withAnswers(mapping!, groups, answers, guessNotes(questions))
  expect(saved.price_observations!.notes![0]).toMatch(/: us is a guess, nothing in the files decides it$/)
  await writeFile(path, JSON.stringify(saved))
  expect(await run(root, { mappings: [path] })).toMatchObject({ status: 'published', files: [{ kept: 30 }] })
})

test('a mapping accepts files without rows', async () => {
  const feeds = await givenFiles({
    'a.csv': 'sku,price\nA1,1.50\n',
    'b.csv': 'sku,price\n',
  })
  const mapping = (more: object) => ({
    price_observations: {
      files: ['*.csv'],
      columns: { listing_id: 'sku' },
      constants: { platform: 'acme', country: 'us', observed_at: '2026-02-03' },
      ...more,
    },
  })
  const path = join(await newFolder(), 'mapping.json')
  await writeFile(path, JSON.stringify(mapping({})))
  const refused = await run(feeds, { mappings: [path] })
  expect(refused).toMatchObject({ status: 'refused' })
  expect(JSON.stringify(refused)).toContain('empty_files')
  await writeFile(path, JSON.stringify(mapping({ empty_files: 'accept' })))
  expect(await run(feeds, { mappings: [path] })).toMatchObject({ status: 'published' })
})

const shared = new URL('../../../../shared/data/', import.meta.url).pathname

describe.skipIf(!existsSync(join(shared, 'shapes')))('real files are proposed and refreshed', () => {
  const folders = [
    ['shapes/01-it-fuel', 298],
    ['shapes/36-id-wide', 2380],
    ['standard_feeds/google-rss', 24],
    ['shapes/15-az-basket', 67],
    ['standard_feeds/shopify', 24],
    ['standard_feeds/acp', 24],
  ] as const
  test.each(sized(folders.slice(0, 3), [...folders]))('of %s %i rows are kept', async (folder, kept) => {
    const checked = await check({ paths: [join(shared, folder)] })
    expect(checked.columns.length).toBeGreaterThan(0)
    expect(await refreshed(checked)).toMatchObject({ status: 'published', files: [{ kept }] })
  })
})
