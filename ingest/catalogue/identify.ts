import { LIST, listValue, VARCHAR } from '@duckdb/node-api'
import { type Database, step } from '../database.ts'
import { ATTRIBUTES } from '../feeds/columns.ts'
import type { StagedFile } from '../feeds/stage.ts'

const KEYS = step(import.meta.url, 'keys')
const NEWEST_ATTRIBUTES = step(import.meta.url, 'attributes')

/** The attributes in the files of observations; at least one, since DuckDB rejects a choice of no column. */
const observedAttributes = (files: readonly StagedFile[]): string[] => {
  const kept = new Set<string>(files.flatMap(({ feed, columns }) => (feed === 'price_observations' ? columns : [])))
  return ['review_count', ...[...ATTRIBUTES, 'star_rating'].filter((column) => kept.has(column))]
}

/** Gives every listing its number and uid in `listing_key`, and its newest attributes in `attribute`. */
export const identify = async (database: Database, files: readonly StagedFile[]): Promise<void> => {
  await database.set('observed_attributes', listValue(observedAttributes(files)), LIST(VARCHAR))
  for (const step of [KEYS, NEWEST_ATTRIBUTES]) await database.run(step)
}
