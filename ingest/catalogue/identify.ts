import { LIST, listValue, VARCHAR } from '@duckdb/node-api'
import type { Database } from '../database.ts'
import { ATTRIBUTES } from '../feeds/columns.ts'
import type { StagedFile } from '../feeds/stage.ts'

/**
 * Gives every listing of the lake and of this refresh its number and uid, and gathers the newest value of each of its
 * attributes.
 */
export const identify = async (database: Database, files: readonly StagedFile[]): Promise<void> => {
  const observed = files.filter(({ feed }) => feed === 'price_observations')
  const said = ATTRIBUTES.filter((column) => observed.some(({ kept_columns }) => kept_columns.includes(column)))
  // One column at least: a selection of none is an error.
  await database.set('said', listValue(said.length > 0 ? said : ['product_name']), LIST(VARCHAR))
  for (const statement of ['catalogue/wordings', 'catalogue/listing-keys', 'catalogue/attributes'])
    await database.run(statement)
}
