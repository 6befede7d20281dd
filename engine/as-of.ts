import { z } from 'zod'

const DAY = 86_400_000

/** The parameter that every query takes. With it an answer repeats byte for byte once the day is over. */
export const asOf = z.iso
  .date()
  .optional()
  .describe('UTC day as of which to answer: its end is "now". Default the current moment, which it cannot be after.')

/** The moment a query is asked at: the last second of `as_of`, or `now` where that is earlier. */
export const momentOf = (as_of: string | undefined, now: Date): Date => {
  if (as_of === undefined) return now
  return new Date(Math.min(Date.parse(as_of) + DAY - 1000, now.getTime()))
}
