// Opens the journal FILE at the time NOW: reports how long it took and how much memory it uses.
import { openFileJournal } from '../api/payment/file-journal.ts'

const [file = '', now = ''] = process.argv.slice(2)
// Warms up, so that the lock's database and compiling code are not measured.
await (await openFileJournal(`${file}.warm`)).close()
const { user: userBefore, system: systemBefore } = process.cpuUsage()
const rssBefore = process.memoryUsage.rss()
const start = performance.now()
const journal = await openFileJournal(file, { now: () => Number(now) })
const open_ms = performance.now() - start
const { user, system } = process.cpuUsage()
const rss = process.memoryUsage.rss()
await journal.close()
process.send?.({
  open_ms,
  open_cpu_ms: (user + system - userBefore - systemBefore) / 1000,
  held_mib: (rss - rssBefore) / 2 ** 20,
  peak_mib: process.resourceUsage().maxRSS / 1024,
})
