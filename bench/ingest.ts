import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../engine/index.ts'
import { openFloor } from './floor.ts'
import { bytesOf, feedsFolder, givenFeeds, lakeFolder, refreshAnew } from './lake.ts'

/** Parses the same price files and writes them sorted by listing and time, nothing checked, merged or counted. */
const floorSeconds = async (observations: number): Promise<number> => {
  const floor = await openFloor()
  const files = join(feedsFolder(observations), 'price_observations')
  const target = join(lakeFolder(observations), '..', 'floor.parquet')
  const reader =
    observations > 5_000_000 ? `read_parquet('${files}/*.parquet')` : `read_csv('${files}/*.csv', all_varchar = true)`
  await floor.run(`SET memory_limit = '2GiB'`)
  const start = performance.now()
  await floor.run(`COPY (SELECT platform, country, listing_id, observed_at, price, list_price, promo_flag, availability
    FROM ${reader} ORDER BY country, platform, listing_id, observed_at)
    TO '${target}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`)
  const seconds = (performance.now() - start) / 1000
  rmSync(target)
  return seconds
}

/** A refresh of an empty lake beside its floor, on the same files in the same run. */
export const benchIngest = async (observations: number) => {
  await givenFeeds(observations)
  const refreshed = await refreshAnew(observations)
  const floor = await floorSeconds(observations)
  const lake = lakeFolder(observations)
  const [snapshot] = readdirSync(join(lake, 'snapshots'))
  const folder = join(lake, 'snapshots', snapshot!)
  const { counts } = await readManifest(lake, snapshot!)
  return {
    ...refreshed,
    rows_per_second: Math.round(refreshed.rows / refreshed.seconds),
    floor_seconds: floor,
    ratio: refreshed.seconds / floor,
    fact_bytes_per_observation: bytesOf(join(folder, 'observations')) / (counts.observations ?? 1),
  }
}
