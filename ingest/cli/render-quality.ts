import type { Quality } from '../facts/quality.ts'
import { alignColumns, formatCount } from './table.ts'

const COLUMNS = [
  ...['retailer', 'country', 'month', 'rows', 'listings', 'coverage', 'price ratio', 'matched', 'quarantined', 'new'],
  'vanished',
  'sizes differ',
  'unread prices',
  'certain',
  'likely',
]
const TEXT_COLUMNS = 3

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

const cellsOf = (row: Quality): string[] => [
  row.retailer,
  row.country,
  row.month,
  formatCount(row.rows),
  formatCount(row.listings),
  row.rows_before === null ? '-' : percent(row.rows / row.rows_before),
  row.price_ratio === null ? '-' : row.price_ratio.toFixed(3),
  formatCount(row.matched_listings),
  percent(row.quarantined_share),
  formatCount(row.new_listings),
  formatCount(row.vanished_listings),
  formatCount(row.different_sizes),
  formatCount(row.unread_prices),
  formatCount(row.certain_matches),
  formatCount(row.likely_matches),
]

/**
 * The quality table. Coverage is the month's rows divided by those of the month before; the price ratio is the median,
 * over the matched listings, of the price divided by the listing's last price. Unread are list and recommended prices;
 * `certain` and `likely` are the listings that other retailers offer too, by tier.
 */
export const renderQuality = (quality: readonly Quality[]): string[] =>
  quality.length === 0 ? [] : alignColumns([COLUMNS, ...quality.map(cellsOf)], TEXT_COLUMNS)
