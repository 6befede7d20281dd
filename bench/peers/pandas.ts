import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { TRIM_PERCENT } from '../trim.ts'
import { dayNumber, type Resident, type ResidentTable } from './resident.ts'
import {
  BEFORE,
  FIRST_MONTH,
  type Figures,
  INDEX_MONTH,
  LAST_MONTH,
  type Peer,
  type PeerSource,
  SHARES,
  SINCE,
} from './statistics.ts'

const script = fileURLToPath(new URL('pandas_peer.py', import.meta.url))

export const hasPandas = (): boolean => spawnSync('python3', ['-c', 'import pandas']).status === 0

/** Writes columns to files of their own, which numpy reads as they are. */
const writeColumns = (folder: string, table: ResidentTable, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table).map(([column, values]) => {
      const path = join(folder, `${name}-${column}`)
      writeFileSync(path, values)
      return [column, path]
    }),
  )

type PandasReply = { figures: Figures; cpu_ms: number }

/** pandas in a process of its own, with the columns in memory. */
export const openPandas = async ({ retailer_id }: PeerSource, resident: Resident): Promise<Peer> => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmark-bench-pandas-'))
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const send = async (message: object): Promise<PandasReply | null> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('pandas ended before it answered')
    return JSON.parse(value)
  }
  await send({
    listings: writeColumns(folder, resident.listings, 'listings'),
    months: writeColumns(folder, resident.months, 'months'),
  })
  rmSync(folder, { recursive: true })
  const fixed = {
    retailer_id,
    shares: SHARES,
    trim_percent: TRIM_PERCENT,
    since: dayNumber(SINCE),
    before: dayNumber(BEFORE),
    first_month: dayNumber(FIRST_MONTH),
    last_month: dayNumber(LAST_MONTH),
    index_month: dayNumber(INDEX_MONTH),
  }
  let cpu_ms = 0
  return {
    name: 'pandas',
    run: async (statistic, { first, last }) => {
      const answer = await send({ statistic, first, last, ...fixed })
      cpu_ms = answer!.cpu_ms
      return answer!.figures
    },
    cpuMs: () => cpu_ms,
    close: () => child.kill(),
  }
}
