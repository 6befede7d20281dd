import { z } from 'zod'
import { DAY_MS } from './time.ts'

/** A parameter that every query accepts. With it, answers are identical byte for byte once the day is over. */
export const asOf = z.iso
  .date()
  .optional()
  .meta({ description: 'UTC day to answer as of: nothing observed after its end is used. Default now.', unit: 'date' })

/** A parameter that every query accepts. It refuses an answer, and does not change one. */
export const maxAge = z.number().min(0.1).optional().meta({
  description:
    'Maximum age of the newest observation of the answer, in hours. An older one is refused, free of charge.',
  unit: 'hours',
})

/** The last second of a UTC day. */
export const endOfDay = (day: string): Date => new Date(Date.parse(day) + DAY_MS - 1000)

/** The moment that a query is answered for: the end of the day `as_of`, or `now` if that is earlier. */
export const momentOf = (as_of: string | undefined, now: Date): Date =>
  as_of === undefined || endOfDay(as_of) > now ? now : endOfDay(as_of)

/** The moment and the snapshot of an answer, as plain data. */
export type Source = { snapshot_id: string; as_of: string }

export const sourceOf = ({ snapshot_id, as_of }: { snapshot_id: string; as_of: Date }): Source => ({
  snapshot_id,
  as_of: as_of.toISOString(),
})
