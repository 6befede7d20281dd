import { refresh } from '../ingest/refresh.ts'

const [feeds = '', lake = ''] = process.argv.slice(2)
const start = performance.now()
const { files, entities } = await refresh({ feeds, lake, memory_limit: '2GiB', max_drop: 1 })
const { user, system } = process.cpuUsage()
process.send?.({
  seconds: (performance.now() - start) / 1000,
  cpu_seconds: (user + system) / 1e6,
  rows: files.reduce((sum, file) => sum + file.rows_read, 0),
  entity_seconds: entities?.seconds,
  peak_mib: process.resourceUsage().maxRSS / 1024,
})
