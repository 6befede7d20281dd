import { type Manifest, snapshotFolder } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import type { StagedFile } from '../feeds/stage.ts'
import type { Places } from '../paths.ts'
import type { Part } from '../snapshot/digest.ts'
import { linkFrom } from '../snapshot/publish.ts'
import { createBrandFinder, readBrandSource, type Spellings } from './social-brands.ts'

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
  const known = await database.rows<{ brand_norm: string; brand: string }>('social/social-known-brands')
  const spellings: Spellings = new Map()
  const find = createBrandFinder(
    known,
    posts.map(({ description }) => description),
  )
  await database.transcribe('social/social-brand-sources', 'brand_source_reading', readBrandSource(find, spellings))
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
  await database.run(holdsPosts(previous) ? 'social/social-before' : 'social/social-nothing-before')
  await database.run('social/social-tables')
  await readBrands(database, posts)
  for (const statement of ['sightings', 'increases', 'roll-ups', 'write'])
    await database.run(`social/social-${statement}`)
  for (const { name, ...part } of await database.rows<Part & { name: string }>('social/social-digests')) {
    merged.parts[name] = part
    merged.rows[fileOf(name)] = part.rows
  }
}
