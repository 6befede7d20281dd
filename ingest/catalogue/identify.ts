import { type Database, step } from '../database.ts'
import { observedAttributes } from '../feeds/columns.ts'
import type { StagedFile } from '../feeds/stage.ts'

const KEYS = step(import.meta.url, 'keys')
const NEWEST_ATTRIBUTES = step(import.meta.url, 'attributes')

/** Gives every listing its number and uid in `listing_key`, and its newest attributes in `attribute`. */
export const identify = async (database: Database, files: readonly StagedFile[]): Promise<void> => {
  const columns = files.flatMap((file) => (file.feed === 'price_observations' ? file.columns : []))
  await database.set({ observed_attributes: observedAttributes(columns) })
  for (const step of [KEYS, NEWEST_ATTRIBUTES]) await database.run(step)
}
