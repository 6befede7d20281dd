import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readCurrentManifest, sha256OfText, snapshotFolder } from '../../engine/index.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { linkOrCopy, nextSnapshotId, publish } from '../../ingest/snapshot/publish.ts'
import { AS_OF } from '../lake.ts'
import { quantile } from '../quantile.ts'

/** What is measured of a service: from its start until it is ready, and while it switches to another snapshot. */
export type ServiceFigures = {
  ready_seconds: number
  ready_peak_mib: number
  switch_seconds: number
  switch_peak_mib: number
  /** Free answers, one after another: while nothing else happens, and during the switch. */
  idle_free_p99_ms: number
  switch_free_p99_ms: number
  switch_free_max_ms: number
}

const service = fileURLToPath(new URL('../../api/main.ts', import.meta.url))
const PAUSE_MS = 5
const IDLE_ANSWERS = 500

/** Publishes the snapshot of a lake again, under another id: its files are links. */
const publishAgain = async (lake: string): Promise<void> => {
  const manifest = await readCurrentManifest(lake)
  if (!manifest) throw new Error(`${lake} holds no snapshot`)
  const { snapshot_id: previous, files, observed_from, observed_to, thin_below, counts } = manifest
  const digest = sha256OfText(`${manifest.digest} again`)
  const snapshot_id = nextSnapshotId(previous, digest)
  const staged = join(lake, 'staging', snapshot_id)
  for (const { path } of files) {
    mkdirSync(dirname(join(staged, path)), { recursive: true })
    await linkOrCopy(join(snapshotFolder(lake, previous), path), join(staged, path))
  }
  const rows = Object.fromEntries(files.map((file) => [file.path, file.rows]))
  const unchanged = { observed_from, observed_to, thin_below, counts, rows, report: {} }
  await withLock(lake, () => publish({ lake, staged, snapshot_id, digest, keep: 1, ...unchanged }))
}

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Serves a lake in a process of its own, within a memory budget in bytes. */
export const measureService = async (lake: string, budget: number): Promise<ServiceFigures> => {
  const start = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, service], {
    env: {
      ...process.env,
      SHELFMARK_LAKE: lake,
      SHELFMARK_PORT: '0',
      SHELFMARK_ADMIN_PORT: '',
      SHELFMARK_PAYMENTS: 'off',
      SHELFMARK_AS_OF: AS_OF.toISOString(),
      SHELFMARK_RATE: '100000000',
      SHELFMARK_BURST: '100000000',
      SHELFMARK_MEMORY_BUDGET: `${Math.ceil(budget / 1024)}KiB`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  let snapshots = 0
  createInterface(child.stdout).on('line', (line) => {
    const { msg = '' } = JSON.parse(line) as { msg?: string }
    port ||= Number(/:(\d+)$/.exec(msg)?.[1] ?? 0)
    if (msg === 'serving snapshot') snapshots += 1
  })
  const until = async (isReached: () => boolean, whileWaiting: () => Promise<unknown> = () => sleep(PAUSE_MS)) => {
    while (!isReached()) {
      if (child.exitCode !== null) throw new Error(`the service ended with exit code ${child.exitCode}`)
      await whileWaiting()
    }
  }
  try {
    await until(() => snapshots === 1)
    const ready_seconds = (performance.now() - start) / 1000
    const ready_peak_mib = peakOf(child.pid!)
    const timeOfFree = async (): Promise<number> => {
      const sent = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/v1/public/stats`)).arrayBuffer()
      const time = performance.now() - sent
      await sleep(PAUSE_MS)
      return time
    }
    const idle: number[] = []
    while (idle.length < IDLE_ANSWERS) idle.push(await timeOfFree())
    await publishAgain(lake)
    const published = performance.now()
    const during: number[] = []
    await until(
      () => snapshots === 2,
      async () => void during.push(await timeOfFree()),
    )
    const switch_seconds = (performance.now() - published) / 1000
    return {
      ready_seconds,
      ready_peak_mib,
      switch_seconds,
      switch_peak_mib: peakOf(child.pid!),
      idle_free_p99_ms: quantile(idle, 0.99),
      switch_free_p99_ms: quantile(during, 0.99),
      switch_free_max_ms: Math.max(...during),
    }
  } finally {
    child.kill('SIGKILL')
  }
}
