import { type Manifest, snapshotFolder } from '../engine/index.ts'
import type { Database } from './database.ts'
import type { Part } from './digest.ts'
import type { Merged } from './merge.ts'
import type { Places } from './places.ts'
import { linkFrom } from './publish.ts'
import { createBrandFinder, readBrandSource, type Spellings } from './social-brands.ts'
import type { StagedFile } from './stage.ts'

const TABLES = [
  'social_sightings',
  'social_brands',
  'social_days',
  'social_brand_days',
  'social_theme_days',
  'social_theme_types',
] as const

const fileOf = (table: string): string => `${table}.parquet`

const partsOf = (previous: Manifest): Record<string, Part> => (previous.report as { parts: Record<string, Part> }).parts

const holdsPosts = (previous: Manifest | null): previous is Manifest =>
  previous?.files.some(({ path }) => path === fileOf('social_sightings')) ?? false

/** Finds the brands that posts name or speak of, each distinct text once. */
const readBrands = async (database: Database, posts: readonly StagedFile[]): Promise<void> => {
  const known = await database.rows<{ brand_norm: string; brand: string }>('social-known-brands')
  const spellings: Spellings = new Map()
  const find = createBrandFinder(
    known,
    posts.map(({ description }) => description),
  )
  await database.transcribe('social-brand-sources', 'brand_source_reading', readBrandSource(find, spellings))
  await database.append('social_spelling', spellings)
}

/**
 * Rolls posts up by day, platform, department, brand and theme, with those of the lake: a post is counted once, at its
 * first sight, and its views as they rise. Without new posts the roll-ups are linked from the snapshot before.
 */
export const rollUpSocial = async (
  database: Database,
  { snapshot, previous, lake }: Places,
  files: readonly StagedFile[],
  merged: Merged,
): Promise<void> => {
  const posts = files.filter(({ feed }) => feed === 'social_posts')
  if (posts.length === 0 && holdsPosts(previous)) {
    for (const table of TABLES) {
      await linkFrom(snapshotFolder(lake, previous.snapshot_id), snapshot, fileOf(table))
      merged.parts[table] = partsOf(previous)[table]!
    }
    return
  }
  await database.run(holdsPosts(previous) ? 'social-before' : 'social-nothing-before')
  await database.run('social-tables')
  await readBrands(database, posts)
  for (const statement of ['social-sightings', 'social-increases', 'social-roll-ups', 'social-write'])
    await database.run(statement)
  for (const { name, ...part } of await database.rows<Part & { name: string }>('social-digests')) {
    merged.parts[name] = part
    merged.rows[fileOf(name)] = part.rows
  }
}
