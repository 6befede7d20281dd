import { describe, expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

/** What a check proposes for one file, the columns that it reads, and what it says. */
const checked = async (name: string, text: string) => {
  const result = await check({ paths: [await givenFiles({ [name]: text })] })
  const [group] = result.groups
  const columns = Object.fromEntries(group?.columns.map(({ column, source }) => [column, source]) ?? [])
  return { ...result, columns, entry: result.mapping?.price_observations, assumed: group?.stand_ins ?? [] }
}

const csv = (...rows: readonly string[]): string => `${rows.join('\n')}\n`

describe('prices', () => {
  test.each([
    ['Cena netto', 'Cena brutto', 'Cena brutto'],
    ['price_excl_vat', 'price_incl_vat', 'price_incl_vat'],
    ['Netto', 'Preis', 'Preis'],
    ['Prix HT', 'Prix TTC', 'Prix TTC'],
  ])('of %s and %s are those of %s', async (net, gross, price) => {
    const { columns, notes } = await checked('a.csv', csv(`sku,${net},${gross}`, 'A1,10.00,12.00', 'A2,20.00,24.00'))
    expect(columns.price).toBe(price)
    expect(notes.join()).not.toContain('without tax')
  })

  test.each([
    ['Cena sprzedaży (netto)', 'Cena zakupu (netto)'],
    ['Ceny netto ważne wyłącznie na rynku polskim (VAT +23%)', 'Opis 1'],
    ['Цена за ед.изделия руб. без НДС и транспортных расходов', 'ЕИ'],
  ])('are those of %s where no column has them with tax', async (net, other) => {
    const rows = ['Mleko UHT 1 l,8.10,8.00', 'Chleb razowy,19.90,9.00', 'Sok owocowy,5.50,5.00', 'Herbata zielona,7,6']
    const { columns, entry, notes } = await checked('a.csv', csv(`nazwa,"${net}","${other}"`, ...rows))
    expect(entry?.unpivot).toBeUndefined()
    expect(columns.price).toBe(net)
    expect(notes.join()).toContain('without tax')
  })

  test('are the lowest of a day rather than the highest', async () => {
    const rows = [
      '2026-03-16,2.058,2.110,2.209,Globus',
      '2026-03-17,2.027,2.128,2.249,HEM',
      '2026-03-18,2.03,2.13,2.26,Aral',
    ]
    const { columns } = await checked('a.csv', csv('timestamp,min_price,avg_price,max_price,station', ...rows))
    expect(columns.price).toBe('min_price')
  })

  test.each([
    ['PRECIOS DE COMBUSTIBLES EN QUETZALES', 'GTQ', 'gt'],
    ['Fuel prices (PLN)', 'PLN', 'pl'],
    ['Top prices of all shops', undefined, 'us'],
  ])('under the title %j have the currency %s', async (title, currency, country) => {
    const rows = ['2026-03-16,A1,2.05', '2026-03-17,A1,2.02', '2026-03-18,B2,2.03']
    const { entry, assumed } = await checked('a.csv', csv(title, '', 'date,sku,price', ...rows))
    expect(entry?.constants?.currency).toBe(currency)
    expect(assumed.find(({ column }) => column === 'country')?.value).toBe(country)
  })

  test('are recommended ones where there are no others', async () => {
    const { columns } = await checked('a.csv', csv('drug_code,product_name,mrp', 'J1,Paracetamol 500 mg,10.50'))
    expect(columns.price).toBe('mrp')
  })

  test('have the currency of their units, and are the most frequent ones of a market', async () => {
    const rows = [
      'Rajkot,Groundnut,2025-08-15,5500,6500,6050,₹/quintal',
      'Pune,Tomato,2025-08-14,600,1200,900,₹/quintal',
    ]
    const { columns, entry, assumed } = await checked('a.csv', csv('market,commodity,date,min,max,modal,unit', ...rows))
    expect(columns.price).toBe('modal')
    expect(entry?.constants?.currency).toBe('INR')
    expect(assumed).toContainEqual({ column: 'country', value: 'in', isSuggested: true })
  })

  test('of fractions of the smallest unit are stored with their decimals beside thousands with points', async () => {
    const { entry, refusals } = await checked(
      'a.csv',
      csv('nome;prezzo', 'Acqua;0,0015€', 'Auto;10.000,00€', 'Pane;3,20€'),
    )
    expect(entry).toMatchObject({ decimals: 4, decimal_comma: true })
    expect(refusals).toEqual([])
  })
})

describe('a table with a column for each product', () => {
  const fuels = [
    '01.10.2024,377.00,311.00,283.00',
    '05.09.2024,371.00,332.00,307.00',
    '15.07.2024,379.50,344.00,317.00',
  ]

  test('is one beside dates alone, with amounts written as prices, until a person says otherwise', async () => {
    const { entry, decisions } = await checked('a.csv', csv('Date,LP 95,LP 92,LAD', ...fuels))
    expect(entry?.unpivot).toMatchObject({ columns: ['LP 95', 'LP 92', 'LAD'], name_to: 'product_name' })
    expect(decisions.join()).toContain('if the numbers are no prices, do not use this mapping')
  })

  test('is none where the numbers are of another form', async () => {
    const rows = ['2024-10-01,21.37,55.12,1013.44', '2024-10-02,19.98,61.73,1009.81', '2024-10-03,20.64,58.27,1011.03']
    expect((await checked('a.csv', csv('Date,temp,humidity,pressure', ...rows))).mapping).toEqual({})
  })

  test('is of the country whose language names the products', async () => {
    const rows = ['6/25/2023,14625,13000,28750', '6/26/2023,14625,13275,28900', '6/27/2023,14600,13300,29000']
    const text = csv('Date,Beras Pandan Wangi,Gula Pasir Putih,Telur Ayam Ras', ...rows)
    expect((await checked('harga.csv', text)).assumed).toContainEqual(
      expect.objectContaining({ column: 'country', value: 'id', isSuggested: true }),
    )
  })
})

describe('files that are put together', () => {
  test('are sampled by the rows that are as wide as their header', async () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at},S1,Rice ${at},${at}.50,`)
    const after = Array.from({ length: 50 }, (_, at) => `2024-10-01,S${at},Station,e5,new,1.${100 + at}`)
    const text = csv('id,shop,name,price,old_price', ...before, ...after)
    const { columns, problems } = await checked('a.csv', text)
    expect(columns.price).toBe('price')
    expect(problems.join()).toContain('50 are ROW_MALFORMED')
  })

  test('have the names of their products, not that of the whole document', async () => {
    const features = Array.from({ length: 30 }, (_, at) => ({ properties: { nazwa: `Śruba M${at}`, cena: 5 + at } }))
    const { columns } = await checked(
      'a.json',
      JSON.stringify({ type: 'FeatureCollection', name: 'PL_2019', features }),
    )
    expect(columns.product_name).toContain('nazwa')
  })

  test('say that offers of one name would be one listing', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `2026-05-12,${at % 2 ? 'Galaxy S22' : 'iPhone 13'},${300 + at}`)
    const { notes } = await checked('a.csv', csv('date,model,price', ...rows))
    expect(notes.join()).toContain('100 % of the rows have another price for the same "model" and time')
  })
})

test('a feed in YML is read by its form', async () => {
  const offer = (id: number) =>
    `<offer id="${id}" available="true"><url>https://acme.ru/p/${id}</url><price>${90 + id}</price>
     <currencyId>RUR</currencyId><name>Чай ${id}</name><store>true</store><vendor>Acme</vendor></offer>`
  const text = `<?xml version="1.0" encoding="UTF-8"?><yml_catalog date="2026-03-03 13:49"><shop><name>Shop</name>
    <offers>${[1, 2, 3].map(offer).join('')}</offers></shop></yml_catalog>`
  const { columns, entry } = await checked('yandex.yml', text)
  expect(columns).toMatchObject({ listing_id: 'id', product_name: 'name', price: 'price', brand: 'vendor' })
  expect(entry?.constants?.platform).toBe('acme')
})

describe('what looks alike', () => {
  test('is no list price where it is the id of a list', async () => {
    const rows = ['1,Arroz,4.20', '2,Leche,3.50', '3,Pollo,12.00']
    expect((await checked('a.csv', csv('id_lista,producto,precio_soles', ...rows))).columns.list_price).toBeUndefined()
  })

  test('are thousands, not three decimals, where most are round', async () => {
    const won = ['스콘,"7,600"', '식빵,"5,900"', '우유,"2,650"', '두부,"1,980"']
    expect((await checked('a.csv', csv('상품명,가격', ...won))).rows.map(({ values }) => values.price)).toEqual([
      ...['7600', '5900', '2650', '1980'],
    ])
    const fuel = ['Diesel,"1,644"', 'Super,"1,729"', 'E10,"1,669"', 'LPG,"0,989"']
    expect((await checked('a.csv', csv('carburante,prezzo', ...fuel))).entry?.decimal_comma).toBe(true)
  })

  test('are dates with years of two and four digits', async () => {
    const rows = ['Pan blanco,1.50,2025-09-17', 'Leche entera,2.50,25-09-18', 'Arroz largo,3.50,25-09-19']
    expect((await checked('a.csv', csv('producto,precio,fecha', ...rows))).refusals).toEqual([])
  })

  test('is a name that repeats beside the price alone', async () => {
    const rows = ['BX8071512700K,374.98', 'BX8071512700K,375.50', 'BX8071512600K,289.98']
    expect((await checked('a.csv', csv('CPU,Price', ...rows))).columns.product_name).toBe('CPU')
  })
})

test('products of stores with countries are a catalogue without a currency', async () => {
  const rows = ['P1,Rice,Acme,5901234123457,Ukraine', 'P2,Oil,Acme,4006381333931,Ukraine']
  const { entry, mapping } = await checked('a.csv', csv('product_id,name,brand,gtin,country', ...rows))
  expect(entry).toBeUndefined()
  expect(mapping?.product_catalogue?.constants?.currency).toBeUndefined()
})

test('rows without the last field of their header have the names of the others', async () => {
  const rows = ['1630;Lampa Kinkiet;47.97;90', '1631;Lampa Sufitowa;67.65;12', '1632;Plafon Loft;47.90;5']
  const { columns, refusals } = await checked('a.csv', csv('ID;Nazwa;Cena brutto;Ilość;Pozycja', ...rows))
  expect(columns).toMatchObject({ price: 'column3', product_name: 'column2' })
  expect(refusals).toEqual([])
})

test('two columns of prices that are called after shops have a row for each', async () => {
  const rows = ['Щедрий 0.50 л,54.99,', 'Чумак 0.50 л,57.99,', 'Aro 5.00 л,,345.90', 'Олейна 0.50 л,52.99,60.50']
  const { entry } = await checked('a.csv', csv('Назва олії,Ціна Silpo,Ціна Metro', ...rows))
  expect(entry?.unpivot).toMatchObject({ columns: ['Ціна Silpo', 'Ціна Metro'], name_to: 'platform' })
})

test('words in the name of a price may state its currency', async () => {
  const { assumed, entry } = await checked('a.csv', csv('id_producto,precio_soles', '101,3.50', '102,12.00'))
  expect(entry?.constants?.currency).toBe('PEN')
  expect(assumed).toContainEqual(expect.objectContaining({ column: 'country', value: 'pe' }))
})
