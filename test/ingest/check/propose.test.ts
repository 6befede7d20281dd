import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import type { Proposal } from '../../../ingest/check/propose/propose.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { sniff } from '../../../ingest/check/read/sniff.ts'
import * as foreign from './foreign-files.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const latin1 = (text: string): Uint8Array => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)))

const sampledText = (path: string, text: string | Uint8Array): SampledFile => {
  const { format, options, columns } = sniff(
    path,
    typeof text === 'string' ? new TextEncoder().encode(text) : text,
    true,
  )
  return { path, format: format!, options, columns }
}

const unusedOf = (files: Proposal['columns']): string[] =>
  files.flatMap(({ columns }) => columns).flatMap(({ name, read_as }) => (read_as.length === 0 ? name : []))

const proposed = (...files: SampledFile[]) => proposeChecked(connection, files)

describe('a proposed mapping reads', () => {
  test('a Google Merchant feed with sale prices and currencies after the numbers', async () => {
    const { mapping, decisions, columns } = await proposed(sampledText('feed.tsv', foreign.merchantFeed))
    const sale = "regexp_matches(sale_price, '[1-9]')"
    expect(mapping).toEqual({
      price_observations: {
        files: ['feed.tsv'],
        constants: { currency: 'USD', platform: 'example' },
        price_text: true,
        columns: {
          listing_id: 'id',
          product_name: 'title',
          url: 'link',
          category_path: 'product_type',
          price: { sql: `CASE WHEN ${sale} THEN sale_price ELSE price END` },
          list_price: { sql: `CASE WHEN ${sale} THEN price END` },
        },
      },
    })
    expect(decisions).toEqual([
      'observed_at: no column and no file name has a date. Add "constants": {"observed_at": "2024-MM-DD"} for each file.',
      'country: no column has the country (prices have USD). Add "constants": {"country": "us"}.',
    ])
    expect(unusedOf(columns)).toEqual(['description', 'image_link'])
  })

  test('schema.org products with nested records', async () => {
    const { mapping, decisions } = await proposed(sampledText('products.json', foreign.schemaOrg))
    expect(mapping.price_observations).toMatchObject({
      json_path: 'itemListElement[]',
      columns: {
        listing_id: 'sku',
        product_name: 'name',
        gtin: 'gtin13',
        brand: { sql: `"brand"->>'$.name'` },
        price: { sql: `"offers"->>'$.price'` },
        currency: { sql: `"offers"->>'$.priceCurrency'` },
        availability: { sql: `"offers"->>'$.availability'` },
        star_rating: { sql: `"aggregateRating"->>'$.ratingValue'` },
        review_count: { sql: `"aggregateRating"->>'$.reviewCount'` },
      },
    })
    expect(decisions).toContain(
      'country: no column has the country ("offers.priceCurrency" is CAD; URLs end in .ca). Add "constants": {"country": "ca"}.',
    )
  })

  test('a French list in Latin-1 with semicolons and decimal commas', async () => {
    const { mapping } = await proposed(sampledText('releve.csv', latin1(foreign.frenchList)))
    expect(mapping.price_observations).toMatchObject({
      encoding: 'latin-1',
      delimiter: ';',
      price_text: true,
      decimal_comma: true,
      timestamp_format: '%d/%m/%Y',
      columns: {
        observed_at: 'Date relevé',
        listing_id: 'Code produit',
        price: 'Prix',
        list_price: 'Prix régulier',
        product_name: 'Libellé',
        brand: 'Marque',
        category_path: { join: ['Rayon', 'Sous-catégorie'] },
        availability: 'Disponibilité',
        platform: {
          sql: "left(trim(regexp_replace(lower(strip_accents(Magasin)), '[^a-z0-9]+', '-', 'g'), '-'), 64)",
        },
      },
      values: { availability: { 'En stock': 'in_stock', 'Rupture de stock': 'out_of_stock' } },
    })
  })

  test('a breadcrumb separated by bars', async () => {
    const { mapping, columns } = await proposed(sampledText('shop.csv', foreign.shopScrape))
    expect(mapping.price_observations!.columns).toEqual({
      price: 'Sale Price',
      list_price: 'List Price',
      observed_at: 'Crawl Timestamp',
      listing_id: 'Item Number',
      availability: 'Available',
      product_name: 'Product Name',
      url: 'Product Url',
      size_value: 'Package Size',
      category_path: { sql: String.raw`regexp_replace(Category, '\s*\|\s*', ' > ', 'g')` },
    })
    expect(unusedOf(columns)).toEqual(['Uniq Id', 'Description', 'Postal Code'])
  })

  test('a shop’s export without a retailer, whose vendor is the brand', async () => {
    const { mapping } = await proposed(sampledText('export.csv', foreign.shopExport))
    expect(mapping.price_observations!.columns).toMatchObject({
      product_name: { sql: "coalesce(nullif(Title, ''), replace(Handle, '-', ' '))" },
      brand: 'Vendor',
      price: 'Variant Price',
      list_price: 'Variant Compare At Price',
      gtin: 'Variant Barcode',
      availability: 'Variant Inventory Qty',
      category_path: 'Type',
    })
  })

  test('deal prices and a breadcrumb of records', async () => {
    const { mapping } = await proposed(sampledText('deals.json', foreign.dealRecords))
    expect(mapping.price_observations).toMatchObject({
      json_path: 'products[]',
      price_text: true,
      columns: {
        listing_id: 'id',
        observed_at: 'lastUpdatedDate',
        price: { sql: "CASE WHEN regexp_matches(dealPrice, '[1-9]') THEN dealPrice ELSE price END" },
        list_price: { sql: "CASE WHEN regexp_matches(dealPrice, '[1-9]') THEN price END" },
        category_path: { sql: "array_to_string(json_extract_string(categoryPath, '$[*].name'), ' > ')" },
      },
    })
  })

  test('prices in cents and times in seconds since 1970', async () => {
    const { mapping } = await proposed(sampledText('prices.jsonl', foreign.centLines))
    expect(mapping.price_observations!.columns).toMatchObject({
      price: { sql: '"priceInCents"::DECIMAL(12, 0) / 100' },
      observed_at: { sql: 'make_timestamp((ts::DOUBLE * 1000000)::BIGINT)' },
      listing_id: 'itemId',
    })
  })

  test('list and sale prices in cents', async () => {
    const row = (at: number) => [`A${at}`, `${1999 + at}`, at % 2 ? `${1499 + at}` : '', `${2499 + at}`, '2025-11-01']
    const listed = table('a.csv', ['sku', 'price_cents', '', 'list_price_cents', 'date'], row)
    const { mapping } = await proposed(listed)
    expect(mapping.price_observations!.columns).toMatchObject({
      price: { sql: '"price_cents"::DECIMAL(12, 0) / 100' },
      list_price: { sql: '"list_price_cents"::DECIMAL(12, 0) / 100' },
    })
    const reduced = await proposed(table('a.csv', ['sku', 'price_cents', 'sale_price_cents', '', 'date'], row))
    const [full, sale] = ['"price_cents"::DECIMAL(12, 0) / 100', '"sale_price_cents"::DECIMAL(12, 0) / 100']
    expect(reduced.mapping.price_observations!.columns).toMatchObject({
      price: { sql: `CASE WHEN ${sale} > 0 THEN ${sale} ELSE ${full} END` },
    })
  })

  test('dates of two possible formats, as a decision for the user, and products without an id', async () => {
    const { mapping, decisions } = await proposed(sampledText('prices.csv', foreign.ambiguousDates))
    expect(decisions).toContain(
      'observed_at: every value of "date" fits more than one date format (01/01/2024); %d/%m/%Y is assumed. ' +
        'Write "timestamp_format": "%d/%m/%Y" or "%m/%d/%Y".',
    )
    expect(mapping.price_observations).toMatchObject({ listing_id_from: ['product'], timestamp_format: '%d/%m/%Y' })
  })

  test('posts', async () => {
    const { mapping, decisions } = await proposed(sampledText('youtube/posts.csv', foreign.posts))
    expect(mapping).toEqual({
      social_posts: {
        files: ['youtube/posts.csv'],
        columns: {
          post_id: 'video_id',
          collected_at: 'trending_date',
          posted_at: 'publishedAt',
          category_root: 'categoryId',
          views: 'view_count',
          comments: 'comment_count',
        },
        brand_texts: ['title', 'tags'],
      },
    })
    expect(decisions).toContain(
      'platform: no column names the network, tiktok or youtube (the file name contains youtube). Add "constants": {"platform": "youtube"}.',
    )
  })

  test('counts with commas, and prices with the sign of another currency', async () => {
    const { mapping, decisions } = await proposed(sampledText('cables.csv', foreign.foreignCurrency))
    expect(decisions).toContain(
      'country: no column has the country (prices have ₹). Add "constants": {"country": "in"}.',
    )
    expect(mapping.price_observations).toMatchObject({
      constants: { currency: 'INR' },
      price_text: true,
      columns: { review_count: { sql: "replace(rating_count, ',', '')" } },
    })
  })
})
