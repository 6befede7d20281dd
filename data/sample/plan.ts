import type { z } from 'zod'
import { DAY_MS, type sampleOptions } from './options.ts'

/** The long-run share of days on which a listing exists, and the share of crawls that find it. */
const PRESENCE = 0.84
const CRAWLED = 0.98
const DEFAULT_LISTINGS = 20_000
/** With more observations, text files would be inconveniently large. */
const MAX_TEXT_OBSERVATIONS = 5_000_000

/** A calendar month, or the part of it within the sample; days count from the sample's first, `day_to` is exclusive. */
export type SampleMonth = { name: string; day_from: number; day_to: number }

export type SamplePlan = {
  first_day: string
  days: number
  months: SampleMonth[]
  listings: number
  products: number
  /** Null for the default cadence. */
  observations: number | null
  format: 'csv' | 'parquet'
}

const isoDate = (time: number) => new Date(time).toISOString().slice(0, 10)

const monthsOf = (first: number, days: number): SampleMonth[] => {
  const months: SampleMonth[] = []
  for (let day = 0; day < days; ) {
    const date = new Date(first + day * DAY_MS)
    const next = (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - first) / DAY_MS
    const day_to = Math.min(next, days)
    months.push({ name: isoDate(date.getTime()).slice(0, 7), day_from: day, day_to })
    day = day_to
  }
  return months
}

/**
 * The number of listings for a number of observations: fewer than the default if a weekly cadence suffices, more if a
 * daily one does not.
 */
const listingsFor = (observations: number, days: number): number => {
  const daily = days * PRESENCE * CRAWLED
  if (observations < (DEFAULT_LISTINGS * daily) / 7) return Math.ceil((observations / daily) * 7)
  // Some reserve, since the listings' days are random; the cadence then gives the exact number.
  return Math.max(DEFAULT_LISTINGS, Math.ceil((observations / daily) * 1.03))
}

type SampleSize = Pick<z.output<typeof sampleOptions>, 'listings' | 'observations' | 'months' | 'until' | 'format'>

/** Sizes and dates of a sample. Pure. */
export const planSample = (options: SampleSize): SamplePlan => {
  const end = new Date(Date.parse(options.until) + DAY_MS)
  const first = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - options.months, end.getUTCDate())
  const days = (end.getTime() - first) / DAY_MS
  const observations = options.observations ?? null
  const listings = options.listings ?? (observations === null ? DEFAULT_LISTINGS : listingsFor(observations, days))
  const expected = observations ?? (listings * days * PRESENCE * CRAWLED) / 7
  return {
    first_day: isoDate(first),
    days,
    months: monthsOf(first, days),
    listings,
    // More than two retailers on average offer a product, so there are enough listings.
    products: Math.ceil(listings / 2) + 60,
    observations,
    format: options.format ?? (expected > MAX_TEXT_OBSERVATIONS ? 'parquet' : 'csv'),
  }
}
