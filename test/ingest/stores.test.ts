import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { renderReport } from '../../ingest/cli/render.ts'
import { csv, newFolder, query, runDescribed, runFiles, table } from './feeds.ts'

const constants = { platform: 'acme', country: 'us', observed_at: '2026-02-03' }

test('a store makes a listing of its own of each branch, at the same retailer', async () => {
  const content = 'branch,sku,name,price\nNorth,A1,Tea,1.50\nSouth,A1,Tea,1.60\n,A1,Tea,1.70\n'
  const lake = await runDescribed({
    'a.csv': [content, { constants, columns: { listing_id: 'sku', product_name: 'name' }, store: 'branch' }],
  })
  const listings = `SELECT product_id, price FROM ${table(lake, 'listings')} ORDER BY price`
  expect(await query(listings)).toEqual([
    { product_id: 'North:A1', price: 150 },
    { product_id: 'South:A1', price: 160 },
    { product_id: 'A1', price: 170 },
  ])
})

test('a store is part of an identity that is made of columns', async () => {
  const content = 'branch,name,price\nNorth,Tea,1.50\nSouth,Tea,1.60\n'
  const described = { constants, columns: { product_name: 'name' }, listing_id_from: ['name'], store: 'branch' }
  const lake = await runDescribed({ 'a.csv': [content, described] })
  expect(await query(`SELECT count(*)::INTEGER AS n FROM ${table(lake, 'listings')}`)).toEqual([{ n: 2 }])
})

test('a re-delivery says how many observations it replaced', async () => {
  const first = await runFiles({
    'price_observations/a.csv': csv('acme,us,1,2026-01-05,1.00,USD', 'acme,us,2,2026-01-05,2.00,USD'),
  })
  expect(first.replaced).toBe(0)
  const { lake } = first
  const again = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05,1.20,USD', 'acme,us,2,2026-01-05,2.00,USD') }
  const second = await runFiles(again, { lake })
  expect(second.replaced).toBe(1)
  expect(renderReport(second, lake)).toContain('1 observation of the lake had a newer one of the same day in place')
})

test('columns of Parquet become rows, whatever types of numbers they have', async () => {
  const folder = await newFolder()
  await query(`COPY (SELECT 'A' || i AS kota, 14000 + i AS beras, CASE WHEN i > 0 THEN 18000.5 END::DOUBLE AS gula
    FROM range(3) AS t(i)) TO '${folder}/a.parquet' (FORMAT parquet)`)
  const unpivot = { columns: ['beras', 'gula'], name_to: 'product_name', value_to: 'price' }
  const described = { unpivot, constants: { ...constants, country: 'id', currency: 'IDR' }, decimals: 1 }
  const lake = await runDescribed({
    'a.parquet': [await readFile(`${folder}/a.parquet`), { ...described, listing_id_from: ['kota', 'product_name'] }],
  })
  expect(lake.files).toMatchObject([{ rows_read: 5, kept: 5, empty_cells: 1 }])
  expect(await query(`SELECT price FROM ${table(lake, 'listings')} ORDER BY price`)).toEqual(
    [140_000, 140_010, 140_020, 180_005, 180_005].map((price) => ({ price })),
  )
})
