import type { priceLeadership } from '../../queries/analyst/price-leadership.ts'
import type { retailerLevels } from '../../queries/analyst/retailer-levels.ts'
import type { assortment } from '../../queries/marketing/assortment.ts'
import type { Answer } from '../../queries/query.ts'
import { counted, number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { drawForest } from './forest.ts'
import { index, share } from './format.ts'
import { ranking } from './ranked.ts'
import { MAX_ROWS } from './rows.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'
import { shareTick } from './shares.ts'

type Joined = { listing_count: number; joined_pct: number }

const joinedNote = ({ listing_count, joined_pct }: Joined): string =>
  `${share(joined_pct)} of ${counted(listing_count, 'new listing')} are of a product that another retailer is known to sell.`

/** The level of each retailer, and how often pairs of them ask one price. */
export const retailerLevelPlots = (answer: Answer<typeof retailerLevels>): Drawing[] => {
  const rows = answer.retailers.filter(({ level }) => level !== null)
  if (rows.length === 0) return []
  const [first, last] = [rows[0]!, rows.at(-1)!]
  return [
    {
      title: `Price levels of retailers in ${subject(answer)}`,
      unit: unitLine('Of the same products, 1 is their mean; number of shared products in grey', countryOf(answer)),
      key: [],
      note: `${joinedNote(answer)}${rows.length > MAX_ROWS ? ` The first ${MAX_ROWS} of ${rows.length} retailers.` : ''}`,
      finding: `Dot plot of retailers. Most expensive is ${first.retailer} with ${index(first.level)}, cheapest ${last.retailer} with ${index(last.level)}.`,
      draw: drawForest(
        rows.slice(0, MAX_ROWS).map(({ retailer, level, shared_products }) => ({
          name: retailer,
          value: level,
          figure: index(level),
          remark: number(shared_products),
          isFilled: true,
        })),
        1,
        (tick, digits) => number(tick, digits),
      ),
    },
    ...ranking({
      title: `How often retailers ask the same price in ${subject(answer)}`,
      unit: unitLine('Share of shared products, per cent; their number in grey', countryOf(answer)),
      rows: answer.pairs
        .filter(({ identical_pct }) => identical_pct !== null)
        .map(({ retailer, other_retailer, shared_products, identical_pct }) => ({
          name: `${retailer}, ${other_retailer}`,
          value: identical_pct,
          figure: share(identical_pct),
          remark: number(shared_products),
        })),
      things: 'pairs',
      tickFormat: shareTick,
    }),
  ]
}

/** How often others followed each retailer, with the share of the events that it led. */
export const priceLeadershipPlots = (answer: Answer<typeof priceLeadership>): Drawing[] =>
  ranking({
    title: `Whose price changes others follow in ${subject(answer)}`,
    unit: unitLine(
      'Number of followed changes; share of events that it led in grey',
      countryOf(answer),
      windowDays(answer),
    ),
    rows: answer.retailers.map(({ retailer, lead_share_pct, led_count }) => ({
      name: retailer,
      value: led_count,
      figure: number(led_count),
      remark: share(lead_share_pct),
    })),
    things: 'retailers',
    tickFormat: (tick) => number(tick),
    isCount: true,
    note: `Of ${counted(answer.change_count, 'change')} ${number(answer.led_count)} were followed, ${number(answer.opposed_count)} opposed. ${joinedNote(answer)}`,
  })

/** What only one retailer sells, by what is known and by what is likely; and what came and went. */
export const assortmentPlots = (answer: Answer<typeof assortment>): Drawing[] => [
  ...ranking({
    title: `What only one retailer sells in ${subject(answer)}`,
    unit: unitLine('Share of the products of a retailer, per cent; their number in grey', countryOf(answer)),
    rows: answer.retailers.map(({ retailer, only_here_pct, product_count }) => ({
      name: retailer,
      value: only_here_pct,
      figure: share(only_here_pct),
      remark: number(product_count),
    })),
    things: 'retailers',
    tickFormat: shareTick,
    note: `At most so many: products that are one, but not known to be, count as different. ${joinedNote(answer)}`,
  }),
  ...ranking({
    title: `What left the shelves of ${subject(answer)}`,
    unit: unitLine('Share of the listings of the month before, per cent; new ones in grey', countryOf(answer)),
    rows: answer.retailers.map(({ retailer, left_pct, new_pct, panel_break }) => ({
      name: retailer,
      value: left_pct,
      figure: share(left_pct),
      remark: new_pct === null ? '-' : `${share(new_pct)} new`,
      ...(panel_break ? { colour: 'grey' as const } : {}),
    })),
    things: 'retailers',
    tickFormat: shareTick,
    note: 'Listings that left are gone, or paused until later. Grey are retailers of which a third of the shelves changed, so that they were probably read differently.',
  }),
]
