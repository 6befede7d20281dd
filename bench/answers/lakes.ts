import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refresh } from '../../ingest/refresh.ts'
import { sharedData } from '../entities-labelled.ts'
import { ensureLake, isReadable } from '../lake.ts'

const SAMPLE_OBSERVATIONS = 1_000_000
/** Folders of `../shared/data` with different contents: stock and ratings; promotions; monthly prices only. */
const folders = ['ca_bcl_panel', 'ca_hammer_promo', 'us_tj_monthly']

export type NamedLake = { name: string; lake: string; queries: number }

/** A lake of one of the folders, read with its mapping; generated once and kept. */
const ensureMappedLake = async (cache: string, name: string): Promise<string> => {
  const lake = join(cache, 'shelfmark-bench-mapped', name)
  if (await isReadable(lake)) return lake
  console.error(`Refreshing ${lake}`)
  await rm(lake, { recursive: true, force: true })
  const mapping = fileURLToPath(new URL(`../../data/mappings/${name}.json`, import.meta.url))
  const { status } = await refresh({ feeds: join(sharedData, name), lake, mappings: [mapping] })
  if (status !== 'published') throw new Error(`the refresh of ${name} was ${status}`)
  return lake
}

/** The lakes whose answers are recorded, and how many random queries run over each. */
export const ensureLakes = async (cache: string): Promise<NamedLake[]> => {
  const lakes = [{ name: 'sample', lake: await ensureLake(SAMPLE_OBSERVATIONS, cache), queries: 2000 }]
  for (const name of folders)
    if (existsSync(join(sharedData, name)))
      lakes.push({ name, lake: await ensureMappedLake(cache, name), queries: 500 })
    else console.error(`Skipped ${name}: there is no ${join(sharedData, name)}`)
  return lakes
}
