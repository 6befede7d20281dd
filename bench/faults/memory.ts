import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { samplePaths } from '../../test/support/http.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { AS_OF, ensureLake } from '../lake.ts'
import { type Measured, Tally } from './figure.ts'
import { load, spreadOf } from './load.ts'
import { computed } from './numbered.ts'
import { serveProcess } from './served.ts'

const LIMIT = 2 ** 30
const OBSERVATIONS = 10_000_000
const GROUPS = '/sys/fs/cgroup'

/** Queries over whole departments and the longest windows. */
const worst = [
  computed,
  '/v1/analyst/price-dispersion?department=electronics&days=365',
  '/v1/analyst/category-summary?department=grocery&days={days}',
  '/v1/marketing/promo-intelligence?category=grocery&days={days}',
  '/v1/marketing/competitive-landscape?category=grocery&limit=200&offset={n}',
]

/** A control group that may use 1 GiB and no swap; null if the system does not allow creating one. */
const makeGroup = (): string | null => {
  const group = `${GROUPS}/shelfmark-faults-${process.pid}`
  try {
    mkdirSync(group)
    if (!existsSync(`${group}/memory.max`)) throw new Error('memory is not controlled')
    writeFileSync(`${group}/memory.max`, String(LIMIT))
    writeFileSync(`${group}/memory.swap.max`, '0')
    return group
  } catch {
    if (existsSync(group)) rmdirSync(group)
    return null
  }
}

const peakOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** The worst queries side by side in 1 GiB: no kill, no fault. */
export const measureMemory = async (rounds: number): Promise<Measured> => {
  const isFull = rounds >= 1000
  const [lake, as_of] = isFull
    ? [await ensureLake(OBSERVATIONS), AS_OF]
    : await sampleLake().then((sample) => [sample.lake, sample.as_of] as const)
  const tally = new Tally()
  const { port, child, log } = await serveProcess({
    SHELFMARK_LAKE: lake,
    SHELFMARK_AS_OF: as_of.toISOString(),
    SHELFMARK_MEMORY_LIMIT: '512MiB',
    SHELFMARK_CACHE_MIB: '16',
    SHELFMARK_QUEUE: '32',
  })
  const group = makeGroup()
  if (group) writeFileSync(`${group}/cgroup.procs`, String(child.pid))
  const paths = [...worst, ...samplePaths().map(({ path }) => path)]
  const { statuses, sent } = await load({ port, targets: paths, connections: 16, seconds: 600, requests: rounds })
  const isAlive = child.exitCode === null && child.signalCode === null
  const peak = isAlive ? peakOf(child.pid!) : Number.POSITIVE_INFINITY
  for (let i = 0; i < sent; i++) tally.count()
  if (!isAlive) tally.count(`killed by ${child.signalCode ?? child.exitCode}`)
  for (const { msg } of log) if (msg === 'fault') tally.count('a fault in the log')
  child.kill('SIGKILL')
  await new Promise((resolve) => (isAlive ? child.once('exit', resolve) : resolve(null)))
  if (group) rmdirSync(group)
  const how = group ? 'in a control group of 1 GiB' : 'without a control group: its peak is compared with 1 GiB'
  const size = isFull ? `${OBSERVATIONS / 1e6} million observations` : 'the sample lake'
  return tally.measured(
    `peak ${(peak / 2 ** 20).toFixed(0)} MiB ${how}, on ${size}; ${spreadOf(statuses)}`,
    peak < LIMIT,
  )
}
