import { STANDS_DAYS } from './window.ts'

/** What the figures of a query mean, in plain sentences for buyers. */
export type Definition = {
  /** What is counted and averaged. */
  population: string
  /** How the figures are computed from it. */
  formula: string
  /** When a figure is null, and when there is no answer at all. */
  null_rule: string
  /** The data and the literature that the figures are based on. */
  sources: readonly string[]
}

/** The parts of a definition with what people call them. */
export const definitionParts = ({ population, formula, null_rule, sources }: Definition) =>
  [
    ['Population', [population]],
    ['Formula', [formula]],
    ['Null rule', [null_rule]],
    ['Sources', sources],
  ] as const

/** Data sources that several queries share. */
export const sources = {
  prices:
    "Retailers' listed prices as fed, one observation a listing and UTC day: the latest of the day; of several of one " +
    'instant the one that was read last, then the cheapest, then one on promotion.',
  catalogue: "The snapshot's catalogue, as its refresh counted it.",
  official: 'Figures of statistical offices as fed, each with the day on which it was released.',
  posts: 'Posts of TikTok and YouTube as fed, each counted once, with the views and reactions won each day.',
  gpc: 'GS1 Global Product Classification (GPC), in the release that the answer names.',
  crosswalk: 'A mapping of browse nodes to GPC codes in SSSOM, in the version that the answer names.',
} as const

const DAY_OF_ANSWER = 'the day of meta.computed_at (with as_of, that day itself)'

/** The day that prices are valid on now. */
const TODAY = 'the last day that begins before meta.computed_at'

/** Which days a window has; the end of a population. */
export const WINDOW =
  `A window of N days starts at midnight UTC of the Nth day before ${DAY_OF_ANSWER}; it includes \`from\`, ends before ` +
  '`to`, and up to now it includes what was observed today.'

/** How current prices are selected; the start of a population. */
export const CURRENT =
  'The latest price of each listing in scope, if it was observed from midnight UTC of the `days`th day before ' +
  `${DAY_OF_ANSWER} on. A listing is one product at one retailer: a product at two retailers counts twice. `

export const REPRESENTATIVE =
  `${CURRENT}Left out and counted in \`excluded\`: articles that are not new, accessories, prices below ` +
  '`representative_floor` (a tenth of the median price of the new articles of the category without accessories, over all ' +
  'retailers; at least 0.50, or 50 where the currency has no decimals, and that below 30 of them), and from 10 listings on outliers (Tukey: 1.5 interquartile ' +
  'ranges, counted as 0.10 at least, outside the quartiles of the logarithms of the prices that are left). With ' +
  "`retailer` the outlier fence is of that retailer's own listings."

/** How a series selects its prices. */
export const LISTING_PERIOD =
  'Every listing in scope that was observed in the window. A listing has one price a period: the median of its daily ' +
  'prices, which is always a price that was posted (of an even number the lower of the two in the middle). Nothing is ' +
  `carried forward into a period without observations. Periods are UTC days, ISO weeks or calendar months. ${WINDOW}`

export const EMPTY_SCOPE = 'NO_RESULTS, free of charge, where nothing in scope was observed on the days of the query.'

/** The listings of a product and how long their prices stand. */
export const VALID_PRICES =
  'The listings of the product in one condition, at all retailers or the one that was sent; with likely=true also those ' +
  "that are likely the same product, as a refresh finds them by titles, models, sizes, brands and prices. A listing's price stands from " +
  `the UTC day of its observation to the day before its next one, for at most ${STANDS_DAYS} days; after that it is unobserved until ` +
  `it is seen again. Nothing is interpolated. Now is ${TODAY}. `

/** The population of the queries about the prices of one product over time. */
export const POSTED_PRICES =
  `${VALID_PRICES}Prices of the window are those of listings in stock or of unknown stock; where none of its listings ever ` +
  `was, of all. ${WINDOW} `

/** How the price of a listing is compared with its own history. */
const lownessAmong = (price: string, days: string): string =>
  `percentile_in_history, days_since_lower and previous_price compare ${price} with the days ${days} on which that listing ` +
  'was really observed, not out of stock: the share of them with a lower price (null with fewer than 3 of them), the days ' +
  `from the last of these to ${TODAY}, and the price of the last one with another price. `

export const LOWNESS = lownessAmong('the current price', 'of the window')

/** The same of current prices, for which no window is sent. */
export const LOWNESS_OF_YEAR = lownessAmong(
  'each price',
  'from the 365th before the day of its observation to that day',
)

/** How old a price is. */
export const AGE = 'age_days are whole days of 24 hours from the observation to meta.computed_at. '

/** What counts as a promotion. */
export const ON_PROMOTION = 'on promotion: marked so by the retailer, or 5 % to 70 % below the list price'

/** What happens to a text that means several products. */
export const ONE_PRODUCT =
  'INVALID_PARAMS, free of charge, with the products to choose from where q matches several and none is clearly meant: ' +
  'another is meant as well, as in best-price, or is on the shelf of the best, or several have exactly q as their name. One that ' +
  'alone has exactly q as its name, or as the words of its name and brand, is clearly meant. '
