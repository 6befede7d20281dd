import { expect, test } from 'vitest'
import { type AnswerValues, headlineOf, subjectOf } from '../../../engine/index.ts'
import { queryNamed } from '../../support/ask.ts'

const headlineIn = (id: string, answer: AnswerValues) => {
  const headline = headlineOf(queryNamed(id), answer)
  if (!headline) return null
  const { field, value, row, interval, population } = headline
  return {
    figure: [field.path, value],
    row: row && [row.field.name, row.value],
    interval: interval && [interval.low.value, interval.high.value, interval.level],
    population: population && [population.field.name, population.value],
  }
}

test('the marked figure has the interval and the first count of its answer', () => {
  const answer = {
    overall_change_pct: 9,
    lfl_change_pct: 2.5,
    lfl_matched: 40,
    lfl_ci: { low: 1, high: 4, level: 0.95 },
    window: { from: '2026-01-01', to: '2026-03-01' },
    category: 'grocery/coffee',
    retailer: null,
    country: 'us',
  }
  expect(headlineIn('analyst/inflation', answer)).toEqual({
    figure: ['lfl_change_pct', 2.5],
    row: null,
    interval: [1, 4, 0.95],
    population: ['lfl_matched', 40],
  })
  expect(subjectOf(answer)).toBe('Coffee, United States, 1 Jan to 28 Feb 2026')
})

test('of a series it is the last period that has the value, which rests on the counts of the period', () => {
  const time_series = [
    { period: '2026-01', matched_price_index: 1.1, product_count: 30, sample_threshold: 50 },
    { period: '2026-02', matched_price_index: 1.2, product_count: 31, sample_threshold: 50 },
    { period: '2026-03', matched_price_index: null, product_count: 32, sample_threshold: 50 },
  ]
  expect(headlineIn('analyst/retailer-index', { time_series, sample_threshold: 50 })).toEqual({
    figure: ['time_series[].matched_price_index', 1.2],
    row: ['period', '2026-02'],
    interval: null,
    population: ['product_count', 31],
  })
})

test('of a marked table it is the share in its first row, which rests on the counts of the answer', () => {
  const brands = [{ brand: 'Wilwood', product_count: 4, share_pct: 40 }]
  expect(headlineIn('marketing/share-of-shelf', { total_products: 10, brands })).toEqual({
    figure: ['brands[].share_pct', 40],
    row: ['brand', 'Wilwood'],
    interval: null,
    population: ['total_products', 10],
  })
})

test('of a marked record it is the price', () => {
  expect(headlineIn('shopper/best-price', { best_price: { price: 4.99, discount_pct: 10 } })).toMatchObject({
    figure: ['best_price.price', 4.99],
  })
})

test('an answer without a marked figure, or whose table is empty, has none', () => {
  expect(headlineIn('public/stats', { brands: { total: 3 } })).toBe(null)
  expect(headlineIn('shopper/deal-finder', { deals: [] })).toBe(null)
})
