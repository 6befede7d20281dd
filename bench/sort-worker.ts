import { rmSync } from 'node:fs'
import { openDuckDB } from './duckdb.ts'

/** Parses price files and writes them sorted by listing and time: nothing checked, merged or counted. */
const [reader = '', target = ''] = process.argv.slice(2)
const connection = await openDuckDB()
await connection.run(`SET memory_limit = '2GiB'`)
const start = performance.now()
await connection.run(`COPY (SELECT platform, country, listing_id, observed_at, price, list_price, promo_flag, availability
  FROM ${reader} ORDER BY country, platform, listing_id, observed_at)
  TO '${target}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`)
const { user, system } = process.cpuUsage()
const seconds = (performance.now() - start) / 1000
rmSync(target)
process.send?.({
  seconds,
  cpu_seconds: (user + system) / 1e6,
  rows: 0,
  peak_mib: process.resourceUsage().maxRSS / 1024,
})
