import { z } from 'zod'
import { type Database, query } from '../database.ts'

/** What the lake has of a retailer's month in a country after a refresh that brought rows of it. */
const qualitySchema = z.object({
  retailer: z.string(),
  country: z.string(),
  /** `2026-10`. */
  month: z.string(),
  /** Observations: one a listing and day. */
  rows: z.number(),
  listings: z.int(),
  /** The observations of the month before; null where there are none. */
  rows_before: z.number().nullable(),
  /** Listings that have a price in an earlier month too. */
  matched_listings: z.int(),
  /** The median over matched listings of the month's price to the listing's last price before; null without any. */
  price_ratio: z.number().nullable(),
  /** The share of the rows read of this month that are in the quarantine, 0..1. */
  quarantined_share: z.number(),
  /** Listings without an earlier month. */
  new_listings: z.int(),
  /** Listings of the month before that this month lacks. */
  vanished_listings: z.int(),
})
export type Quality = z.output<typeof qualitySchema>

const QUALITY = query(import.meta.url, 'quality', qualitySchema)

/** The quality table of a refresh: a row for each retailer, country and month that it brought rows of. */
export const readQuality = (database: Database): Promise<Quality[]> => database.rows(QUALITY)

/** A median price ratio beyond this, up or down, is a mistake in the data rather than a change of prices. */
const MAX_PRICE_RATIO = 3
/** Fewer matched listings than this show no pattern. */
const MIN_MATCHED = 10
/** A month of fewer rows is too small to be compared with. */
const MIN_ROWS_BEFORE = 50

const guessOf = (ratio: number): string => {
  if (ratio > 50 && ratio < 200) return 'are these cents?'
  if (ratio > 1 / 200 && ratio < 1 / 50) return 'are these dollars in place of cents?'
  return 'is it another currency, unit or product under the same ids?'
}

const priceProblem = ({ price_ratio, matched_listings }: Quality): string | null => {
  if (price_ratio === null || matched_listings < MIN_MATCHED) return null
  if (price_ratio <= MAX_PRICE_RATIO && price_ratio >= 1 / MAX_PRICE_RATIO) return null
  return (
    `the median price of its ${matched_listings} matched listings is ${Number(price_ratio.toPrecision(3))} times the ` +
    `last one; ${guessOf(price_ratio)}`
  )
}

/** How much of a month is over at the newest observation of the lake, 0..1. */
const elapsedShare = (month: string, newest: string): number => {
  if (!newest.startsWith(month)) return 1
  const [year = 0, of = 0] = month.split('-').map(Number)
  return Number(newest.slice(8, 10)) / new Date(Date.UTC(year, of, 0)).getUTCDate()
}

const rowProblem = ({ rows, rows_before, month }: Quality, newest: string, max_drop: number): string | null => {
  if (rows_before === null || rows_before < MIN_ROWS_BEFORE) return null
  const expected = rows_before * elapsedShare(month, newest)
  if (rows >= expected * (1 - max_drop)) return null
  return `${rows} rows against ${rows_before} in the month before; is the delivery complete?`
}

type Limits = { max_drop: number; accept: readonly string[]; newest: string | null; hasPrevious: boolean }

/**
 * The retailer-months that a refresh may not publish: their prices are several times the last ones, or they have fewer
 * rows than the previous month by more than `max_drop`. A month that is not over is expected to have its part.
 */
export const qualityProblems = (
  quality: readonly Quality[],
  { max_drop, accept, newest, hasPrevious }: Limits,
): string[] =>
  quality.flatMap((row) => {
    if (accept.includes(row.retailer)) return []
    const problems = [priceProblem(row), hasPrevious && newest ? rowProblem(row, newest, max_drop) : null]
    return problems.flatMap((problem) =>
      problem === null
        ? []
        : `${row.retailer} ${row.country} ${row.month}: ${problem} To publish it anyway: --accept ${row.retailer}`,
    )
  })
