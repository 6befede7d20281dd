import type { priceDispersion } from '../../queries/analyst/price-dispersion.ts'
import type { Answer } from '../../queries/query.ts'
import { counted, number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { drawHistogram, type Percentile } from './histogram.ts'
import { countryOf, moneyOf, moneyTick, subject, unitLine } from './scope.ts'

type Dispersion = Answer<typeof priceDispersion>

/** The histogram of current prices; none where no price is left or all are equal. */
export const dispersionPlots = (answer: Dispersion): Drawing[] => {
  const { price_histogram, percentiles, product_count, min_price, max_price } = answer
  if (price_histogram.length < 2) return []
  const money = moneyOf(answer)
  const excluded = Object.values(answer.excluded).reduce((sum, count) => sum + count, 0)
  const buckets = price_histogram.map(({ bin, count }) => {
    const [from = 0, to = 0] = bin.split('-').map(Number)
    return { from, to, count }
  })
  const marked = Object.entries(percentiles).flatMap(([name, value]): Percentile[] =>
    value === null ? [] : [{ name, value, text: money(value) }],
  )
  return [
    {
      title: `Current prices of ${subject(answer)}`,
      unit: unitLine(
        `Listings by price, ${answer.currency}, ${countryOf(answer)}`,
        `${buckets.length} buckets of equal width`,
      ),
      key: [
        { mark: 'bar', colour: 'accent', text: 'listings in a bucket' },
        { mark: 'band', colour: 'accent', text: 'middle half, p25 to p75' },
      ],
      note:
        'p10 to p90: prices that 10, 25, 50, 75 and 90% of the listings are below.' +
        (excluded > 0 ? ` Left out as not representative: ${counted(excluded, 'listing')}.` : ''),
      finding: `Histogram of ${number(product_count)} prices from ${money(min_price)} to ${money(max_price)}. The median is ${money(percentiles.p50)}, the middle half ${money(percentiles.p25)} to ${money(percentiles.p75)}.`,
      draw: drawHistogram(buckets, marked, moneyTick(answer)),
    },
  ]
}
