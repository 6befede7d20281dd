import * as Plot from '@observablehq/plot'
import { DAY_MS } from '../../contract/time.ts'
import type { promotionReality } from '../../queries/marketing/promotion-reality.ts'
import type { Answer } from '../../queries/query.ts'
import type { priceReality } from '../../queries/shopper/price-reality.ts'
import { PRIOR_DAYS } from '../../statistics/price-claim.ts'
import { number } from '../text.ts'
import { day } from '../words.ts'
import type { Drawing } from './draw.ts'
import { share } from './format.ts'
import { ACCENT, PAPER, SECOND } from './marks.ts'
import { drawRows } from './row-plot.ts'
import { MAX_ROWS } from './rows.ts'
import { countryOf, moneyOf, moneyTick, subject, unitLine, windowDays } from './scope.ts'
import { shareTick } from './shares.ts'
import { drawSteps, type PostedPrice } from './steps.ts'

type Reality = Answer<typeof priceReality>

const verdictTexts: Record<Reality['verdict'], string> = {
  no_claim: 'no earlier price is claimed',
  above_prior_low: 'it was cheaper in the days before',
  supported: 'the days before support the earlier price',
  insufficient_history: 'too few days before are known to say',
}

/** The posted prices of the cheapest listing, the earlier price that it claims, and the days that claim is judged by. */
export const priceRealityPlots = (answer: Reality): Drawing[] => {
  const { offers, window, meta, retailer, verdict, prior_low, claim_from, current_price, list_price } = answer
  const changes = offers[0]!.changes
  const from = Date.parse(window.from)
  const to = Math.ceil(Date.parse(meta.computed_at) / DAY_MS) * DAY_MS
  const money = moneyOf(answer)
  const stepsOf = (priceOf: (change: (typeof changes)[number]) => number | null): PostedPrice[] =>
    changes.map((change) => ({
      at: Date.parse(change.date),
      price: priceOf(change),
      isPromoted: false,
      isInStock: change.in_stock !== false,
    }))
  const posted = stepsOf(({ price }) => price)
  const claimed = stepsOf(({ price, list_price }) => (list_price !== null && list_price > price! ? list_price : null))
  const seen = posted.filter(({ price }) => price !== null)
  const lowest = seen.reduce((a, b) => (b.price! < a.price! ? b : a))
  const prior = prior_low === null || claim_from === null ? null : { at: Date.parse(claim_from), price: prior_low }
  return [
    {
      title: `Price of ${answer.product_name ?? answer.query} at ${retailer}`,
      unit: unitLine(`${answer.currency}, ${countryOf(answer)}`, 'each price stands until the next observation'),
      key: [
        { mark: 'line', colour: 'accent', text: 'posted price' },
        ...(list_price === null ? [] : [{ mark: 'line', colour: 'second', text: 'earlier price as claimed' } as const]),
        { mark: 'dashed', colour: 'second', text: prior ? `lowest of the ${PRIOR_DAYS} days before` : 'lowest' },
      ],
      note:
        verdict === 'no_claim'
          ? 'The retailer claims no earlier price.'
          : `Claimed ${share(answer.claimed_pct)} off ${money(list_price)}; from the lowest price of the ${PRIOR_DAYS} days before, which are hatched, it is ${answer.real_pct === null ? 'unknown' : share(answer.real_pct)}.`,
      finding: `Step lines, ${windowDays(answer)}. The price is ${money(current_price)}: ${verdictTexts[verdict]}.`,
      draw: drawSteps({
        lines: [
          { prices: posted, endText: `${retailer}\n${money(current_price)} now` },
          ...(list_price === null ? [] : [{ prices: claimed, endText: `was ${money(list_price)}` }]),
        ],
        others: [],
        from,
        to,
        hatched: prior && [prior.at - PRIOR_DAYS * DAY_MS, prior.at],
        lowest: prior
          ? { ...prior, text: `Lowest before\n${money(prior.price)}` }
          : {
              at: lowest.at,
              price: lowest.price!,
              text: `Lowest ${money(lowest.price)}\n${day(lowest.at)}`,
            },
        tickFormat: moneyTick(answer),
        granularity: 'daily',
      }),
    },
  ]
}

/** What is claimed and what is real, as a line between two dots for each retailer or brand. */
export const promotionRealityPlots = (answer: Answer<typeof promotionReality>): Drawing[] => {
  const all = (answer.brands ?? answer.retailers ?? []).filter(({ median_real_pct }) => median_real_pct !== null)
  if (all.length === 0) return []
  const rows = all.slice(0, MAX_ROWS).map((row, y) => ({
    y,
    name: (answer.aggregate_by === 'brand' ? row.brand : row.retailer) ?? 'all',
    figure: share(row.median_real_pct),
    remark: number(row.above_prior_low_count + row.supported_count),
    claimed: row.median_claimed_pct!,
    real: row.median_real_pct!,
  }))
  const values = rows.flatMap(({ claimed, real }) => [claimed, real])
  const plot = { shape: 'dots', rowHeight: 28, values, tickFormat: shareTick, isRemarkOptional: true } as const
  const dot = { y: 'y', r: 4.5, strokeWidth: 1.75 } as const
  return [
    {
      title: `Discounts in ${subject(answer)}: claimed and real`,
      unit: unitLine('Median discount, per cent; judged claims in grey', countryOf(answer), windowDays(answer)),
      key: [
        { mark: 'hollow', colour: 'second', text: 'claimed' },
        { mark: 'dot', colour: 'accent', text: `from the lowest price of the ${PRIOR_DAYS} days before` },
      ],
      note: `Of ${number(answer.claim_count)} claims ${number(answer.insufficient_history_count)} have too few known days before them to be judged.${all.length > MAX_ROWS ? ` The first ${MAX_ROWS} of ${all.length}.` : ''}`,
      finding: `Dot plot of ${answer.aggregate_by}s. The median claim is ${share(answer.median_claimed_pct)}, the median of what is real ${share(answer.median_real_pct)}.`,
      draw: drawRows(rows, plot, [
        Plot.ruleY(rows, { x1: 'claimed', x2: 'real', y: 'y', stroke: ACCENT, strokeOpacity: 0.35, strokeWidth: 4 }),
        Plot.dot(rows, { ...dot, x: 'claimed', fill: PAPER, stroke: SECOND }),
        Plot.dot(rows, { ...dot, x: 'real', fill: ACCENT, stroke: ACCENT }),
      ]),
    },
  ]
}
