import { groupBy } from '../../catalog/group-by.ts'
import { COUNTRY_CHOICES } from '../../contract/places.ts'
import type { brands } from '../../queries/public/brands.ts'
import type { categories } from '../../queries/public/categories.ts'
import type { coverage } from '../../queries/public/coverage.ts'
import type { retailers } from '../../queries/public/retailers.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import { countryName } from '../words.ts'
import { agePlots } from './ages.ts'
import type { Drawing } from './draw.ts'
import { ranking } from './ranked.ts'

type CountedEntry = { name: string; count: number }

const counts = (title: string, things: string, rows: readonly CountedEntry[], unit: string, note = ''): Drawing[] =>
  ranking({
    title,
    unit,
    rows: rows
      .toSorted((a, b) => b.count - a.count)
      .map(({ name, count }) => ({ name, value: count, figure: number(count) })),
    things,
    tickFormat: (tick) => number(tick),
    isCount: true,
    note,
  })

/** Whether a page leaves out entries of its list. */
const pageNote = ({ items, total }: { items: readonly unknown[]; total: number }, things: string): string =>
  items.length < total ? `This page has ${number(items.length)} of ${number(total)} ${things}.` : ''

export const brandPlots = (answer: Answer<typeof brands>): Drawing[] =>
  counts(
    'Brands with most listings',
    'brands',
    answer.items.map(({ brand, product_count }) => ({ name: brand, count: product_count })),
    'Listings of the catalogue',
    pageNote(answer, 'brands'),
  )

/** The categories of the highest level in the answer: those below are part of them. */
export const categoryPlots = (answer: Answer<typeof categories>): Drawing[] => {
  const depth = Math.min(...answer.items.map((item) => item.depth))
  return counts(
    depth === 1 ? 'Listings by department' : 'Listings by category',
    'categories',
    answer.items
      .filter((item) => item.depth === depth)
      .map(({ name, product_count }) => ({ name, count: product_count })),
    'Listings of the catalogue, those of categories below included',
    pageNote(answer, 'categories'),
  )
}

export const retailerPlots = (answer: Answer<typeof retailers>): Drawing[] => [
  ...counts(
    'Listings by retailer',
    'retailers',
    answer.items.map(({ platform, product_count }) => ({ name: platform, count: product_count })),
    'Listings of the catalogue, all countries',
    pageNote(answer, 'retailers'),
  ),
  ...agePlots(answer.items.map(({ platform, last_observed_at }) => ({ name: platform, last_observed_at }))),
]

type ShelfCell = Answer<typeof coverage>['items'][number]

const latestOf = (cells: readonly ShelfCell[]): string | null =>
  cells.reduce<string | null>(
    (latest, { last_observed_at: at }) => (at && (!latest || at > latest) ? at : latest),
    null,
  )

const countryPlots = (answer: Answer<typeof coverage>, country: string): Drawing[] => {
  const cells = groupBy(
    answer.items.filter((cell) => cell.country === country),
    ({ platform }) => platform,
  )
  return counts(
    `Listings with a current price, ${countryName(country)}`,
    'retailers',
    [...cells].map(([name, of]) => ({
      name,
      count: of.reduce((sum, { recent_priced_product_count }) => sum + recent_priced_product_count, 0),
    })),
    'Listings priced in the last 90 days, by retailer',
    pageNote(answer, 'shelves'),
  )
}

export const coveragePlots = (answer: Answer<typeof coverage>): Drawing[] => {
  const byRetailer = groupBy(answer.items, ({ platform }) => platform)
  return [
    ...[...new Set([...COUNTRY_CHOICES, ...answer.items.map(({ country }) => country).sort()])].flatMap((country) =>
      countryPlots(answer, country),
    ),
    ...agePlots([...byRetailer].map(([name, cells]) => ({ name, last_observed_at: latestOf(cells) }))),
  ]
}
