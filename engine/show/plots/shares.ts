import type { availability } from '../../queries/analyst/availability.ts'
import type { categorySummary } from '../../queries/analyst/category-summary.ts'
import type { brandBreakdown } from '../../queries/marketing/brand-breakdown.ts'
import type { promoIntelligence } from '../../queries/marketing/promo-intelligence.ts'
import type { shareOfShelf } from '../../queries/marketing/share-of-shelf.ts'
import type { Answer } from '../../queries/query.ts'
import { counted, number } from '../text.ts'
import { capitalised, categoryName } from '../words.ts'
import type { BarRow } from './bars.ts'
import type { Drawing } from './draw.ts'
import { share } from './format.ts'
import { ranking } from './ranked.ts'
import { MAX_ROWS } from './rows.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

export const shareTick = (tick: number, digits: number): string => `${number(tick, digits)}%`

type BrandShare = { brand: string; product_count: number; share_pct: number }
const shareRows = (brands: readonly BrandShare[]): BarRow[] =>
  brands.map(({ brand, share_pct, product_count }) => ({
    name: brand,
    value: share_pct,
    figure: share(share_pct),
    remark: number(product_count),
  }))

const SHARE_UNIT = 'Share of branded listings, per cent; number of listings in grey'

export const shelfPlots = (answer: Answer<typeof shareOfShelf>): Drawing[] => {
  const { brands, total_products } = answer
  const others = brands.slice(MAX_ROWS)
  const rest = others.reduce((sum, { product_count }) => sum + product_count, 0)
  const restText =
    others.length > 0
      ? `The other ${others.length} have ${counted(rest, 'listing')}, ${share((100 * rest) / total_products)}. `
      : ''
  return ranking({
    title: `Brands on the shelf of ${subject(answer)}`,
    unit: unitLine(SHARE_UNIT, countryOf(answer)),
    rows: shareRows(brands),
    things: 'brands',
    tickFormat: shareTick,
    note: `${restText}Shares are of listings, not of sales; ${counted(answer.unbranded_products, 'listing')} without a brand left out.`,
    finding:
      brands[0] &&
      `${brands[0].brand} leads with ${share(brands[0].share_pct)} of ${number(total_products)} branded listings; the four largest have ${share(answer.cr4_pct)}.`,
  })
}

export const summaryPlots = (answer: Answer<typeof categorySummary>): Drawing[] =>
  ranking({
    title: `Largest brands of ${subject(answer)}`,
    unit: unitLine(SHARE_UNIT, countryOf(answer)),
    rows: shareRows(answer.top_brands),
    things: 'brands',
    total: answer.brand_count,
    tickFormat: shareTick,
    note: 'Shares are of listings, not of sales.',
  })

export const breakdownPlots = (answer: Answer<typeof brandBreakdown>): Drawing[] =>
  ranking({
    title: `Listings of ${answer.brand} by department`,
    unit: unitLine('Listings with a current price', countryOf(answer)),
    rows: answer.breakdown.map(({ category_root, product_count }) => ({
      name: capitalised(categoryName(category_root)),
      value: product_count,
      figure: number(product_count),
    })),
    things: 'departments',
    tickFormat: (tick) => number(tick),
    isCount: true,
  })

export const promotionPlots = (answer: Answer<typeof promoIntelligence>): Drawing[] => {
  const rows = answer.brands ?? answer.retailers ?? []
  const nameOf = (row: (typeof rows)[number]) => (answer.aggregate_by === 'brand' ? row.brand : row.retailer)
  return ranking({
    title: `How often ${subject({ ...answer, brand: answer.brand })} is on promotion, by ${answer.aggregate_by}`,
    unit: unitLine(
      'Share of listing-days on promotion, per cent; mean discount in grey',
      countryOf(answer),
      windowDays(answer),
    ),
    rows: rows.map((row) => ({
      name: nameOf(row) ?? 'all',
      value: row.promo_frequency_pct,
      figure: share(row.promo_frequency_pct),
      remark: share(row.avg_promo_depth_pct),
    })),
    things: `${answer.aggregate_by}s`,
    tickFormat: shareTick,
  })
}

export const availabilityPlots = (answer: Answer<typeof availability>): Drawing[] =>
  ranking({
    title: `How often ${subject(answer)} is out of stock`,
    unit: unitLine(
      'Share of stated listing-days, per cent; their number in grey',
      countryOf(answer),
      windowDays(answer),
    ),
    rows: answer.retailers.map(({ retailer, out_of_stock_pct, stated_days }) => ({
      name: retailer,
      value: out_of_stock_pct,
      figure: share(out_of_stock_pct),
      remark: number(stated_days),
    })),
    things: 'retailers',
    tickFormat: shareTick,
    note: `${counted(answer.episode_count, 'episode')} out of stock, ${number(answer.back_count)} of which ended in the window. Retailers that state no availability are left out.`,
  })
