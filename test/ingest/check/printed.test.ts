import { expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

test('reads prices with words, ranges, signs within the number and markup, and months of a language', async () => {
  const rows = [
    'Arroz;1€10;20 de febrero de 2026',
    'Leche;desde 1,25 €;5 de enero de 2026',
    'Pan;2,10 € - 2,60 €;12 de marzo de 2026',
    'Huevos;2,85 € IVA incl.;1 de diciembre de 2025',
    'Sal;<b>0,80 €</b>;3 de agosto de 2025',
    'Queso;12,- €;4 de agosto de 2025',
    'Vino;9,50 € -20% 7,60 €;5 de agosto de 2025',
  ]
  const content = `producto;precio;fecha\n${rows.join('\n')}\n`
  const checked = await check({ paths: [await givenFiles({ 'es.csv': content })] })
  const read = checked.rows.map(({ values: { product_name, price, observed_at } }) => [
    product_name,
    price,
    observed_at,
  ])
  expect(read.sort()).toEqual([
    ['Arroz', '1.10', '2026-02-20T00:00:00.000Z'],
    ['Huevos', '2.85', '2025-12-01T00:00:00.000Z'],
    ['Leche', '1.25', '2026-01-05T00:00:00.000Z'],
    ['Pan', '2.10', '2026-03-12T00:00:00.000Z'],
    ['Queso', '12.00', '2025-08-04T00:00:00.000Z'],
    ['Sal', '0.80', '2025-08-03T00:00:00.000Z'],
    ['Vino', '7.60', '2025-08-05T00:00:00.000Z'],
  ])
})
