import { expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const FILES: Record<string, string> = {
  // Words, ranges, signs within the number, and months of a language.
  'es.csv':
    'producto;precio;fecha\nArroz;1€10;20 de febrero de 2026\nLeche;desde 1,25 €;5 de enero de 2026\nPan;2,10 € - 2,60 €;12 de marzo de 2026\nHuevos;2,85 € IVA incl.;1 de diciembre de 2025\n',
  'tr.csv': 'urun,fiyat,tarih\nEkmek,"15,00 TL",6 Ağustos 2025\nPeynir,"75,00 TL - 82,00 TL",1 Ocak 2026\n',
  // Markup.
  'html.csv': 'name,price\nMilk,<b>$1.99</b>\nBread,<b>$2.49</b>\n',
  // An amount in two columns.
  'parts.csv': 'title,asin,price_whole,price_fraction\nKettle,B0A1,"1,029",90\nToaster,B0A2,45,00\n',
  // Shops as columns, with a currency or with list prices, or a header that is repeated.
  'shops.csv': `date,acme_eur,bravo_eur,zulu_eur\n${[1, 2, 3, 4].map((day) => `2026-05-0${day},199.99,205.00,19${day}.00`).join('\n')}\n`,
  'lists.csv':
    'name,price_acme,list_acme,price_bravo,list_bravo,price_zulu,list_zulu\nMilk,1.99,2.49,2.05,2.5,1.89,\nJam,3.99,4.49,4.05,4.5,3.89,\n'.repeat(
      2,
    ),
  'again.csv':
    `date,product,price,shop\n${Array.from({ length: 20 }, (_, at) => `2026-05-01,Item ${at},${at}.99,acme`).join('\n')}\n`.repeat(
      2,
    ),
  // One product, and ids that only together identify one.
  'log.csv': `date,price\n${[1, 2, 3].map((day) => `2026-05-0${day},9.9${day}`).join('\n')}\n`,
  'ids.csv': `id_type,id_maker,price\n${Array.from({ length: 30 }, (_, at) => `${at % 5},${at % 6},${at}.50`).join('\n')}\n`,
}

test('prices and dates as they are printed in the world', async () => {
  const { mapping, files, rows } = await check({ paths: [await givenFiles(FILES)] })
  const first = (file: string) => rows.find((row) => row.file === file)!.values
  expect(Object.fromEntries(files.map(({ file, rows_read, kept }) => [file, [rows_read, kept]]))).toEqual({
    'again.csv': [41, 40],
    'es.csv': [4, 4],
    'html.csv': [2, 2],
    'ids.csv': [30, 30],
    'lists.csv': [5, 5],
    'log.csv': [3, 3],
    'parts.csv': [2, 2],
    'shops.csv': [12, 12],
    'tr.csv': [2, 2],
  })
  expect(first('es.csv')).toMatchObject({ price: '1.10', observed_at: '2026-02-20T00:00:00.000Z' })
  expect(first('tr.csv')).toMatchObject({ price: '15.00', observed_at: '2025-08-06T00:00:00.000Z' })
  expect(first('html.csv')).toMatchObject({ price: '1.99', product_name: 'Milk' })
  expect(first('parts.csv')).toMatchObject({ price: '1029.90' })
  expect(first('shops.csv')).toMatchObject({ platform: 'acme', price: '199.99', listing_id: 'shops' })
  expect(first('lists.csv')).toMatchObject({ platform: 'acme', price: '1.99', list_price: '2.49' })
  expect(first('log.csv')).toMatchObject({ listing_id: 'log', price: '9.91' })
  const settings = mapping.price_observations!.files as Record<string, object>
  expect(settings['again.csv']).toMatchObject({ max_quarantine: 0.05 })
  expect(settings['ids.csv']).toMatchObject({ listing_id_from: ['id_type', 'id_maker'] })
})
