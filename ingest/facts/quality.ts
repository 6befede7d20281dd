import { z } from 'zod'
import { type Database, query } from '../database.ts'

/** A retailer's month in a country after a refresh with new rows of it. */
const qualitySchema = z.object({
  retailer: z.string(),
  country: z.string(),
  /** `2026-10`. */
  month: z.string(),
  /** Observations: one per listing and day. */
  rows: z.number(),
  listings: z.int(),
  /** The observations of the month before; null if there are none. */
  rows_before: z.number().nullable(),
  /** Listings that also have a price in an earlier month. */
  matched_listings: z.int(),
  /**
   * The median, over matched listings, of the month's price divided by the listing's previous price; null without any.
   */
  price_ratio: z.number().nullable(),
  /** The share of this month's rows in the quarantine, 0..1. */
  quarantined_share: z.number(),
  /** Listings without an earlier month. */
  new_listings: z.int(),
  /** Listings of the month before that this month lacks. */
  vanished_listings: z.int(),
  /** Listings whose size by its columns differs from that in the title, which counts, by more than 2 %. */
  different_sizes: z.int(),
  /** Rows of this refresh whose list price or recommended price could not be read: kept without it. */
  unread_prices: z.int(),
  /** Listings whose entity other retailers offer too. */
  certain_matches: z.int(),
  /** Of the others, those with a likely product, which other retailers offer. */
  likely_matches: z.int(),
  /** The share of rows whose list price is above the price, 0..1. */
  list_price_share: z.number(),
})
export type Quality = z.output<typeof qualitySchema>

const QUALITY = query(import.meta.url, 'quality', qualitySchema)

/** The quality table of a refresh: a row for each retailer, country and month with new rows. */
export const readQuality = (database: Database): Promise<Quality[]> => database.rows(QUALITY)

/** More rows than this below their list price are hardly all on promotion. */
const MAX_LIST_PRICE_SHARE = 0.6

/** Retailer-months whose list prices may be recommended ones, as questions. */
export const listPriceQuestions = (quality: readonly Quality[]): string[] =>
  quality
    .filter(({ list_price_share }) => list_price_share > MAX_LIST_PRICE_SHARE)
    .map(
      ({ retailer, country, month, list_price_share }) =>
        `${retailer} ${country} ${month}: ${Math.round(100 * list_price_share)} % of the rows are below their list price. ` +
        "Is it the shop's own earlier or regular price? Map the maker's recommended price (MSRP, RRP) to recommended_price.",
    )

/** A median price ratio beyond this, up or down, is an error in the data rather than a change of prices. */
const MAX_PRICE_RATIO = 3
/** Fewer matched listings are not conclusive. */
const MIN_MATCHED = 10
/** A month with fewer rows is too small for a comparison. */
const MIN_ROWS_BEFORE = 50

const guessOf = (ratio: number): string => {
  if (ratio > 50 && ratio < 200) return 'are these cents?'
  if (ratio > 1 / 200 && ratio < 1 / 50) return 'are these dollars instead of cents?'
  return 'is it another currency, unit or product with the same ids?'
}

const priceProblem = ({ price_ratio, matched_listings }: Quality): string | null => {
  if (price_ratio === null || matched_listings < MIN_MATCHED) return null
  if (price_ratio <= MAX_PRICE_RATIO && price_ratio >= 1 / MAX_PRICE_RATIO) return null
  return (
    `the median price of its ${matched_listings} matched listings is ${Number(price_ratio.toPrecision(3))} times the ` +
    `last one; ${guessOf(price_ratio)}`
  )
}

/** The share of a month that has passed at the newest observation of the lake, 0..1. */
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
 * The retailer-months that a refresh may not publish: their prices are several times the previous ones, or their rows
 * drop against the previous month by more than `max_drop`. For an unfinished month, the share that has passed is
 * expected.
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
