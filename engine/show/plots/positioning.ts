import type { pricePositioning } from '../../queries/marketing/price-positioning.ts'
import type { Answer } from '../../queries/query.ts'
import { number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { drawForest, type ForestRow } from './forest.ts'
import { index } from './format.ts'
import { ranking } from './ranked.ts'
import { indexTick } from './retailer-index.ts'
import { countryOf, moneyOf, moneyTick, subject, unitLine } from './scope.ts'

type Positioning = Answer<typeof pricePositioning>

const indexRow = (name: string, value: number | null, listings: number, isOwn: boolean): ForestRow => ({
  name,
  value,
  figure: index(value),
  remark: number(listings),
  colour: isOwn ? 'accent' : 'grey',
})

/** The brand among its competitors, by price level. */
const competitorPlot = (answer: Positioning): Drawing => {
  const { brand, product_count, price_index, competitors } = answer
  const rows = [
    indexRow(brand, price_index, product_count, true),
    ...competitors.map((other) => indexRow(other.brand, other.price_index, other.product_count, false)),
  ].sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const what = subject({ ...answer, brand: null })
  return {
    title: `Price level of ${brand} in ${what}`,
    unit: unitLine(`Mean price by that of ${what}; 1.00 is the same`, countryOf(answer), 'number of listings in grey'),
    key: [
      { mark: 'hollow', colour: 'accent', text: brand },
      { mark: 'hollow', colour: 'grey', text: 'other brands with most listings' },
    ],
    note: 'No interval is published for these indexes. A brand’s mean depends on which products it sells.',
    finding: `Dot plot of ${rows.length} brands. ${brand} is at ${index(price_index)} of the mean price of ${what}.`,
    draw: drawForest(rows, 1, indexTick),
  }
}

const retailerPlots = (answer: Positioning): Drawing[] => {
  const money = moneyOf(answer)
  if (answer.retailers.length < 2) return []
  return ranking({
    title: `Mean price of ${answer.brand} by retailer`,
    unit: unitLine(`${answer.currency} per listing, ${countryOf(answer)}`, 'number of listings in grey'),
    rows: answer.retailers.map(({ retailer, avg_price, product_count }) => ({
      name: retailer,
      value: avg_price,
      figure: money(avg_price),
      remark: number(product_count),
    })),
    things: 'retailers',
    tickFormat: moneyTick(answer),
    note: 'Retailers sell different products of the brand.',
  })
}

export const positioningPlots = (answer: Positioning): Drawing[] => [
  ...(answer.price_index !== null && answer.competitors.length > 0 ? [competitorPlot(answer)] : []),
  ...retailerPlots(answer),
]
