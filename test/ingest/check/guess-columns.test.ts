import { describe, expect, test } from 'vitest'
import { guessColumns } from '../../../ingest/check/columns/roles.ts'
import type { Column, Feed } from '../../../ingest/feeds/columns.ts'

/** Values that suit most columns of a kind. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  price: ['1.99', '2.49', '13.00'],
  number: ['3', '14', '159'],
  time: ['2024-01-02T10:00:00Z', '2024-01-03T10:00:00Z', '2024-01-04T10:00:00Z'],
  id: ['A-1001', 'A-1002', 'A-1003'],
  title: ['Green tea, loose', 'Black tea in bags', 'Red bush tea'],
  word: ['Alpha', 'Beta', 'Gamma'],
  url: ['https://example.com/a', 'https://example.com/b', 'https://example.com/c'],
  barcode: ['00036000291452', '036000291452', '36000291452'],
  rating: ['4.5', '3.0', '5'],
  stock: ['In stock', 'Out of stock', 'In stock'],
  unit: ['g', 'ml', 'oz'],
  size: ['375g', '12 x 355 mL', '2 L'],
  bool: ['true', 'false', 'true'],
  currency: ['CAD', 'CAD', 'CAD'],
  country: ['Canada', 'USA', 'Canada'],
}

const column = (name: string, kind: keyof typeof VALUES) => ({ name, values: VALUES[kind]! })

const guessOf = (name: string, kind: keyof typeof VALUES, feed: Feed = 'price_observations') =>
  guessColumns([column(name, kind)], feed)[0]?.column

describe('a single column is guessed from its name and values:', () => {
  test.each<[name: string, kind: keyof typeof VALUES, expected: Column | undefined]>([
    ['Price', 'price', 'price'],
    ['currentPrice', 'price', 'price'],
    ['PRODUCT_PRICE', 'price', 'price'],
    ['price_usd', 'price', 'price'],
    ['prix de vente', 'price', 'price'],
    ['offers.price', 'price', 'price'],
    ['price_per_unit', 'price', 'unit_price'],
    ['prix unitaire', 'price', 'unit_price'],
    ['prices_unit_(£)', 'price', 'unit_price'],
    ['own_brand', 'bool', undefined],
    ['shipping_price', 'price', 'shipping_price'],
    ['price', 'title', undefined],
    ['price_range', 'title', undefined],
    ['Regular Price', 'price', 'price'],
    ['compare_at_price', 'price', 'price'],
    ['retailer', 'word', 'platform'],
    ['Store Name', 'word', 'platform'],
    ['magasin', 'word', 'platform'],
    ['store_id', 'number', undefined],
    ['SKU', 'id', 'listing_id'],
    ['productConcreteSku', 'id', 'listing_id'],
    ['No. article', 'id', 'listing_id'],
    ['ASIN', 'id', 'listing_id'],
    ['category_id', 'id', undefined],
    ['scraped_at', 'time', 'observed_at'],
    ['Scraped on', 'time', 'observed_at'],
    ['nowtime', 'time', 'observed_at'],
    ['Date relevé', 'time', 'observed_at'],
    ['release_date', 'time', undefined],
    ['whenever', 'time', 'observed_at'],
    ['title', 'title', 'product_name'],
    ['Libellé', 'title', 'product_name'],
    ['brand_name', 'word', 'brand'],
    ['Marque', 'word', 'brand'],
    ['brand', 'number', undefined],
    ['UPC', 'barcode', 'gtin'],
    ['Code-barres', 'barcode', 'gtin'],
    ['upc', 'number', 'listing_id'],
    ['x17', 'barcode', 'gtin'],
    ['product_link', 'url', 'url'],
    ['image_url', 'url', undefined],
    ['y', 'url', 'url'],
    ['averageRating', 'rating', 'star_rating'],
    ['nombre d\u2019avis', 'number', 'review_count'],
    ['stock_status', 'stock', 'availability'],
    ['Disponibilité', 'stock', 'availability'],
    ['units', 'size', 'size_value'],
    ['unit', 'unit', 'size_unit'],
    ['unitSize', 'number', 'pack_count'],
    ['on_sale', 'bool', 'promo_flag'],
    ['priceCurrency', 'currency', 'currency'],
    ['country_of_origin', 'country', undefined],
    ['pays', 'country', 'country'],
    ['notes', 'title', undefined],
  ])('%s with values of %s is %s', (name, kind, expected) => {
    expect(guessOf(name, kind)).toBe(expected)
  })

  test.each<[name: string, kind: keyof typeof VALUES, expected: Column]>([
    ['videoId', 'id', 'post_id'],
    ['trending_date', 'time', 'collected_at'],
    ['publishedAt', 'time', 'collected_at'],
    ['viewCount', 'number', 'views'],
    ['diggCount', 'number', 'likes'],
    ['comment_total', 'number', 'comments'],
  ])('%s with values of %s in posts is %s', (name, kind, expected) => {
    expect(guessOf(name, kind, 'social_posts')).toBe(expected)
  })
})

describe('several columns', () => {
  const named = (guesses: ReturnType<typeof guessColumns>) =>
    Object.fromEntries(guesses.map(({ column, source }) => [column, source]))

  test('are each guessed as what they fit best', () => {
    const guesses = guessColumns([
      column('id', 'number'),
      column('sku', 'id'),
      column('name', 'title'),
      column('description', 'title'),
      column('sale_price', 'price'),
      column('regular_price', 'price'),
      column('created_at', 'time'),
      column('published_at', 'time'),
    ])
    expect(named(guesses)).toEqual({
      listing_id: 'sku',
      product_name: 'name',
      price: 'sale_price',
      list_price: 'regular_price',
      observed_at: 'created_at',
    })
    for (const { score, reason } of guesses) {
      expect(score).toBeGreaterThan(0.3)
      expect(score).toBeLessThanOrEqual(1)
      expect(reason).toMatch(/^its name, and /)
    }
  })

  test('do not have a sale price as the price where it is mostly empty', () => {
    const seldom = { name: 'promo_price', values: ['', '', '', '', '', '', '', '', '', '1.00'] }
    const regular = { name: 'regular_price', values: Array.from({ length: 10 }, () => '2.00') }
    expect(named(guessColumns([seldom, regular]))).toEqual({ price: 'regular_price' })
  })

  test('have the score 1 for an exact name with suitable values', () => {
    expect(guessColumns([column('price', 'price')])).toEqual([
      { column: 'price', source: 'price', score: 1, reason: 'its name, and 100 % prices above 0' },
    ])
  })
})
