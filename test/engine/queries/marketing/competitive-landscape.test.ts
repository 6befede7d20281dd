import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { priced } from '../../../support/rows.ts'

const example = examplesOf('marketing/competitive-landscape', '2026-11-21T00:00:00Z')

// Prices 1.00, 2.00, 4.00 and 8.01: the mean is 3.7525, the median 3.00. On promotion: the flagged and the one 20 % off.
const four = [
  priced(
    '1',
    100,
    { spelling: 'Acme', review_count: 7, star_rating: 4.5, url: 'https://shop.example/1' },
    { promo_flag: true },
  ),
  priced('2', 200, { spelling: 'ACME', review_count: 90, platform: 'beta' }, { in_stock: true, list_price: 150 }),
  priced('3', 400, { spelling: 'N/A', condition: 'used', is_new: false }, { in_stock: false, list_price: 500 }),
  priced('4', 801, { review_count: 0 }, { list_price: 700 }),
].flat()
const summary = {
  brand_count: 1,
  retailer_count: 2,
  avg_price: 3.75,
  median_price: 3,
  min_price: 1,
  max_price: 8.01,
  promo_rate_pct: 50,
}

type Product = { product_id: string }
const idsOf = ({ products }: { products: Product[] }): string[] =>
  products.map(({ product_id }) => product_id.split(' ').at(-1)!)

example('four listings have the fields computed by hand', four, (answer) => {
  expect(answer).toMatchObject({ total_products: 4, limit: 50, offset: 0, summary })
  // Most reviews first; none and none at all by uid.
  expect(idsOf(answer).slice(0, 2)).toEqual(['2', '1'])
  const products = new Map(answer.products.map((product: Product) => [product.product_id.split(' ').at(-1), product]))
  expect(products.get('1')).toEqual({
    product_uid: expect.stringMatching(/^p_[A-Z2-7]{16}$/),
    entity_uid: answer.products[1].entity_uid,
    product_id: 'Shelf 1 1',
    product_name: 'Coffee 1',
    brand: expect.stringMatching(/acme/i),
    retailer: 'alpha',
    price: 1,
    list_price: null,
    discount_pct: null,
    star_rating: 4.5,
    review_count: 7,
    promo_flag: true,
    in_stock: null,
    condition: 'new',
    url: 'https://shop.example/1',
    match_type: expect.stringMatching(/^(title|entity)$/),
    observed_at: '2026-11-10T12:00:00Z',
    scraped_at: '2026-11-10T12:00:00Z',
    recommended_price: null,
    age_days: 10,
    size: null,
    percentile_in_history: null,
    days_since_lower: null,
    previous_price: null,
  })
  expect(products.get('3')).toMatchObject({
    brand: null,
    list_price: 5,
    discount_pct: 20,
    promo_flag: null,
    in_stock: false,
    condition: 'used',
    url: null,
    star_rating: null,
    review_count: null,
  })
  // A list price below the price is no discount.
  expect(products.get('4')).toMatchObject({ list_price: 7, discount_pct: null })
})

example(
  'products can be sorted from the cheapest',
  four,
  (answer) => expect(idsOf(answer)).toEqual(['1', '2', '3', '4']),
  { sort: 'price' },
)
example(
  'products can be sorted from the most expensive',
  four,
  (answer) => expect(idsOf(answer)).toEqual(['4', '3', '2', '1']),
  { sort: '-price' },
)
// A list price below the price is no discount either: the rest follow by uid.
example(
  'products can be sorted from the largest discount',
  four,
  (answer) => {
    expect(idsOf(answer)[0]).toBe('3')
    const uids: string[] = answer.products.slice(1).map(({ product_uid }: { product_uid: string }) => product_uid)
    expect(uids).toEqual(uids.toSorted())
  },
  { sort: 'discount' },
)

example(
  'a page has the total of all pages',
  four,
  (answer) => {
    expect(idsOf(answer)).toEqual(['2', '3'])
    expect(answer).toMatchObject({ total_products: 4, limit: 2, offset: 1, summary })
  },
  { sort: 'price', limit: 2, offset: 1 },
)

example(
  'a page after the last product is empty',
  four,
  (answer) => expect(answer).toMatchObject({ total_products: 4, products: [], summary }),
  { offset: 4 },
)

example(
  'a price exactly as old as days allows is current',
  four,
  (answer) => expect(answer).toMatchObject({ total_products: 4 }),
  { days: 11 },
)
