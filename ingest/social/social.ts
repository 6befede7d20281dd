import { z } from 'zod'
import { type Manifest, snapshotFolder } from '../../engine/index.ts'
import { type Database, query, step } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import type { StagedFile } from '../feeds/stage.ts'
import type { RefreshPaths } from '../paths.ts'
import { type DigestParts, partRow, partsOf } from '../snapshot/digest.ts'
import { linkFrom } from '../snapshot/publish.ts'
import { type BrandSpellings, catalogueBrand, createBrandFinder, readBrandSource } from './brands.ts'

const TABLES = [
  'social_sightings',
  'social_brands',
  'social_days',
  'social_brand_days',
  'social_theme_days',
  'social_theme_types',
] as const

const POSTS = query(import.meta.url, 'posts#posts', catalogueBrand)
const SOURCES = query(import.meta.url, 'posts#sources', z.strictObject({ brand_source: z.string() }))
const SIGHTINGS = step(import.meta.url, 'sightings')
const ROLL_UPS = query(import.meta.url, 'roll-ups', partRow)

const fileOf = (table: string): string => `${table}.parquet`

const previousParts = (previous: Manifest): DigestParts => (previous.report as { parts: DigestParts }).parts

const hasPosts = (previous: Manifest | null): previous is Manifest =>
  previous?.files.some(({ path }) => path === fileOf('social_sightings')) ?? false

/** Finds the brands in the fields and texts of posts, in each distinct text once. */
const readBrands = async (database: Database, posts: readonly StagedFile[]): Promise<void> => {
  const brands = await database.rows(POSTS)
  const spellings: BrandSpellings = new Map()
  const find = createBrandFinder(
    brands,
    posts.map(({ description }) => description),
  )
  await database.mapRows(SOURCES, 'brand_source_reading', readBrandSource(find, spellings))
  await database.append('social_spelling', spellings)
}

/**
 * Rolls up posts by day, platform, department, brand and theme, with those of the lake: a post is counted once, at its
 * first sighting, and its views as they increase. Without new posts the roll-ups are linked from the previous snapshot.
 */
export const rollUpSocial = async (
  database: Database,
  { snapshot, previous, lake }: RefreshPaths,
  files: readonly StagedFile[],
  merged: Merged,
): Promise<void> => {
  const posts = files.filter(({ feed }) => feed === 'social_posts')
  if (posts.length === 0 && hasPosts(previous)) {
    for (const table of TABLES) {
      await linkFrom(snapshotFolder(lake, previous.snapshot_id), snapshot, fileOf(table))
      merged.parts[table] = previousParts(previous)[table]!
    }
    return
  }
  await readBrands(database, posts)
  await database.run(SIGHTINGS)
  const parts = partsOf(await database.rows(ROLL_UPS))
  Object.assign(merged.parts, parts)
  for (const table of TABLES) merged.rows[fileOf(table)] = parts[table]!.rows
}
