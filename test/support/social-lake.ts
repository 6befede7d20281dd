import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { currentSnapshotId, readManifest, sha256Of, snapshotFolder } from '../../engine/index.ts'
import { READINGS } from '../../ingest/catalogue/reading-rules.ts'
import { ensureLake, temporaryFolder } from './given.ts'
import type { Row } from './rows.ts'

/** Tables that hold nothing where there are no listings. */
const OF_LISTINGS = ['brands', 'retailers', 'listing_attributes', READINGS, 'entity_changes', 'gpc_shelves']

/** Rewrites the tables of a snapshot for a lake without listings, and leaves out those with a file for each country. */
const copyWithoutListings = async (from: string, to: string): Promise<void> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const file of (await readdir(from)).filter((name) => name.endsWith('.parquet'))) {
    const [source, target] = [join(from, file), join(to, file)]
    const table = file.replace('.parquet', '')
    if (OF_LISTINGS.includes(table)) await connection.run(`COPY (FROM '${source}' WHERE false) TO '${target}'`)
    else if (table === 'categories')
      await connection.run(
        `COPY (SELECT * REPLACE (0::INTEGER AS product_count) FROM '${source}' ORDER BY category_id) TO '${target}'`,
      )
    else await copyFile(source, target)
  }
  connection.closeSync()
}

/**
 * A lake of social posts and a taxonomy alone, made by hand of a lake that also holds one price: no listing, no
 * observation, no file with a price.
 */
export const socialLake = async (social: readonly Row[], taxonomy: readonly Row[]): Promise<{ lake: string }> => {
  const price = {
    platform: 'alpha',
    country: 'us',
    listing_id: '1',
    observed_at: '2026-10-01T12:00:00Z',
    price: '1.00',
  }
  const category_path = String(taxonomy[0]?.name)
  const { lake: priced } = await ensureLake({ observations: [{ ...price, category_path }], taxonomy, social })
  const id = (await currentSnapshotId(priced))!
  const lake = await temporaryFolder()
  const folder = snapshotFolder(lake, id)
  await mkdir(folder, { recursive: true })
  await copyWithoutListings(snapshotFolder(priced, id), folder)

  const manifest = await readManifest(priced, id)
  const files = []
  for (const path of (await readdir(folder)).sort()) {
    const { size: bytes } = await stat(join(folder, path))
    const rows = manifest.files.find((file) => file.path === path)?.rows ?? 0
    files.push({ path, bytes, rows, sha256: await sha256Of(join(folder, path)) })
  }
  const unpriced = { ...manifest, observed_from: null, observed_to: null, counts: { observations: 0 }, files }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(unpriced))
  await writeFile(join(lake, 'current'), `${id}\n`)
  return { lake }
}
