import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refresh } from '../ingest/refresh.ts'
import { type Connection, openDuckDB } from './duckdb.ts'
import { type Barcodes, brokenBarcodes, CHECK_DIGIT } from './entities-barcodes.ts'
import { catalogueOf } from './entities-catalogue.ts'
import { type Labelled, labelled, sharedData } from './entities-labelled.ts'
import { judgeTiers } from './entities-tiers.ts'

const MANY = 2_000_000

/** Writes a table `catalogue` as feeds. A lake needs an observation, so a separate shop has one in case there are no prices. */
const writeFeeds = async (connection: Connection, feeds: string): Promise<void> => {
  for (const feed of ['product_catalogue', 'price_observations']) await mkdir(join(feeds, feed), { recursive: true })
  await connection.run(`COPY (SELECT * EXCLUDE (price), 'us' AS country FROM catalogue)
    TO '${feeds}/product_catalogue/catalogue.parquet' (FORMAT parquet)`)
  await connection.run(`COPY (
      SELECT platform, listing_id, 'us' AS country, '2026-11-01' AS observed_at, printf('%.2f', price::DOUBLE) AS price
      FROM catalogue WHERE price::DOUBLE > 0
      UNION ALL SELECT 'nobody', 'nothing', 'us', '2026-11-01', '1.00'
    ) TO '${feeds}/price_observations/prices.parquet' (FORMAT parquet)`)
}

const resolve = async (connection: Connection, folder: string): Promise<void> => {
  const [feeds, lake] = [join(folder, 'feeds'), join(folder, 'lake')]
  await writeFeeds(connection, feeds)
  const { snapshot_id } = await refresh({ feeds, lake, max_quarantine: 1 })
  await connection.run(`CREATE TABLE resolved AS SELECT listing_id, product_id, product_name, brand, retailer_id, entity_uid, likely_uid, gtin14
    FROM read_parquet('${lake}/snapshots/${snapshot_id}/listings/*/*.parquet')`)
  await connection.run(`CREATE TABLE matched AS FROM read_parquet('${lake}/snapshots/${snapshot_id}/matches.parquet')`)
}

const inFolder = async <T>(run: (folder: string, connection: Connection) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-bench-entities-'))
  const connection = await openDuckDB()
  try {
    return await run(folder, connection)
  } finally {
    connection.closeSync()
    await rm(folder, { recursive: true, force: true })
  }
}

const judge = (set: Labelled) =>
  inFolder(async (folder, connection) => {
    await connection.run(`CREATE TABLE catalogue AS ${set.catalogue}`)
    await connection.run(`CREATE TABLE gold AS ${set.gold}`)
    await connection.run(`CREATE TABLE sure AS ${set.sure}`)
    await resolve(connection, folder)
    return judgeTiers(connection, set)
  })

const breakBarcodes = ({ name, catalogue }: Barcodes) =>
  inFolder(async (folder, connection) => {
    await connection.run(CHECK_DIGIT)
    await connection.run(`CREATE TABLE catalogue AS ${catalogue}`)
    await resolve(connection, folder)
    const [row] = (
      await connection.runAndReadAll(`SELECT (SELECT count(*)::INTEGER FROM catalogue) AS listings,
        (SELECT count(*)::INTEGER FROM resolved AS this JOIN resolved AS that USING (entity_uid)
         WHERE this.product_id LIKE 'whole %' AND that.product_id <> this.product_id) AS wrong_joins`)
    ).getRowObjectsJS()
    return { name, ...row }
  })

type EntityRefresh = { seconds: number; entity_seconds: number; peak_mib: number }

const resolveMany = () =>
  inFolder(async (folder, connection) => {
    await connection.run(CHECK_DIGIT)
    await connection.run(`CREATE TABLE catalogue AS ${catalogueOf(MANY)}`)
    await writeFeeds(connection, join(folder, 'feeds'))
    const worker = fork(new URL('./refresh-worker.ts', import.meta.url), [join(folder, 'feeds'), join(folder, 'lake')])
    const worked = await new Promise<EntityRefresh>((resolve, reject) => {
      worker.once('message', (message) => resolve(message as EntityRefresh))
      worker.once('exit', (code) => code === 0 || reject(new Error(`the refresh ended with exit code ${code}`)))
    })
    return { name: 'generated', listings: MANY, ...worked }
  })

/** Entity resolution and likely matches by a refresh: on labelled data sets, on broken barcodes, and at scale. */
export const benchEntities = async () => {
  const rows: Record<string, unknown>[] = []
  if (existsSync(sharedData)) {
    for (const set of labelled) rows.push(...(await judge(set)))
    for (const set of brokenBarcodes) rows.push(await breakBarcodes(set))
  } else console.error(`there is no ${sharedData}: only the generated catalogue is measured`)
  return [...rows, await resolveMany()]
}
