import type { Manifest, ManifestFile } from './manifest.ts'

/** The tables of observed prices, which grow with history. The nodes of a cluster have them; a service over one needs no files of them. */
const FACTS: ReadonlySet<string> = new Set([
  'observations',
  'observation_times',
  'listing_months',
  'listing_days',
  'month_columns',
  'listing_histories',
])

export const isFact = (table: string): boolean => FACTS.has(table)

/** The files of a snapshot but those of facts. */
export const withoutFacts = ({ files }: Pick<Manifest, 'files'>): ManifestFile[] =>
  files.filter(({ path }) => !isFact(path.split('/')[0]!))
