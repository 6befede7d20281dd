import type { z } from 'zod'
import type { sampleOptions } from './options.ts'

/** The share of the days of a sample on which a listing exists, in the long run, and that of crawls which meet it. */
const PRESENCE = 0.84
const MET = 0.98
const USUAL_LISTINGS = 20_000
/** Above this a text form would be too large to be handy. */
const TEXT_OBSERVATIONS = 5_000_000

/** A calendar month, or the part of it within the sample; days count from the sample's first, `day_to` is exclusive. */
export type Month = { name: string; day_from: number; day_to: number }

export type SamplePlan = {
  first_day: string
  days: number
  months: Month[]
  listings: number
  products: number
  /** Null: as many as the usual cadence gives. */
  observations: number | null
  format: 'csv' | 'parquet'
}

const DAY = 86_400_000
const isoDate = (time: number) => new Date(time).toISOString().slice(0, 10)

const monthsOf = (first: number, days: number): Month[] => {
  const months: Month[] = []
  for (let day = 0; day < days; ) {
    const date = new Date(first + day * DAY)
    const next = (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - first) / DAY
    const day_to = Math.min(next, days)
    months.push({ name: isoDate(date.getTime()).slice(0, 7), day_from: day, day_to })
    day = day_to
  }
  return months
}

/** The number of listings for a number of observations: fewer than usual before the cadence slows down, more once all are seen daily. */
const listingsFor = (observations: number, days: number): number => {
  const daily = days * PRESENCE * MET
  if (observations < (USUAL_LISTINGS * daily) / 7) return Math.ceil((observations / daily) * 7)
  // Some room, since the listings' days are drawn: the cadence meets the number exactly.
  return Math.max(USUAL_LISTINGS, Math.ceil((observations / daily) * 1.03))
}

type SampleSize = Pick<z.output<typeof sampleOptions>, 'listings' | 'observations' | 'months' | 'until' | 'format'>

/** Sizes and dates of a sample. Pure. */
export const planSample = (options: SampleSize): SamplePlan => {
  const end = new Date(Date.parse(options.until) + DAY)
  const first = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - options.months, end.getUTCDate())
  const days = (end.getTime() - first) / DAY
  const observations = options.observations ?? null
  const listings = options.listings ?? (observations === null ? USUAL_LISTINGS : listingsFor(observations, days))
  const expected = observations ?? (listings * days * PRESENCE * MET) / 7
  return {
    first_day: isoDate(first),
    days,
    months: monthsOf(first, days),
    listings,
    // A product is carried by more than two retailers on average, so that there are listings to spare.
    products: Math.ceil(listings / 2) + 60,
    observations,
    format: options.format ?? (expected > TEXT_OBSERVATIONS ? 'parquet' : 'csv'),
  }
}
