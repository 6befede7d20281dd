import { z } from 'zod'
import { type Database, query } from '../database.ts'

const LONG_TITLES = query(
  import.meta.url,
  'texts#long-titles',
  z.strictObject({
    listings: z.int(),
    first: z.object({ platform: z.string(), country: z.string(), product_id: z.string() }).nullable(),
  }),
)

/** Warns of listings whose titles are too long to be titles. */
export const longTitleWarnings = async (database: Database): Promise<string[]> => {
  const [found] = await database.rows(LONG_TITLES)
  if (!found?.first) return []
  const { listings, first } = found
  return [
    `${listings} ${listings === 1 ? 'listing has a title' : 'listings have titles'} of more than 500 characters, first ` +
      `${first.product_id} of ${first.platform} ${first.country}; is product_name another column?`,
  ]
}
