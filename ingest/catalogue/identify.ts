import { LIST, listValue, VARCHAR } from '@duckdb/node-api'
import { type Database, step } from '../database.ts'
import { observedAttributes } from '../feeds/columns.ts'
import type { StagedFile } from '../feeds/stage.ts'

const IDENTIFY = step(import.meta.url, 'identify')

/** Gives every listing its number and uid in `listing_key`, and its newest attributes in `attribute`. */
export const identify = async (database: Database, files: readonly StagedFile[]): Promise<void> => {
  const columns = files.flatMap((file) => (file.feed === 'price_observations' ? file.columns : []))
  await database.set('observed_attributes', listValue(observedAttributes(columns)), LIST(VARCHAR))
  await database.run(IDENTIFY)
}
