import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currentSnapshotId, readManifest, snapshotIds, verifySnapshot } from '../../engine/index.ts'
import { compiled } from '../support/compiled.ts'
import { emptyLake } from './empty-lake.ts'
import { contentsOf, publishNth } from './small-lake.ts'

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const whereTraced = canTrace ? '' : ' (skipped: strace is not installed, or may not trace here)'

/** The second publication of each lake in a process of its own, below strace; the line it says about each. */
const publishTraced = (lakes: string[], trace: string, ...options: string[]): string[] => {
  const command = [process.execPath, compiled('test/ingest/publish-second.ts'), ...lakes]
  const { stdout } = spawnSync('strace', ['-f', '-y', '--seccomp-bpf', '-o', trace, ...options, ...command])
  return stdout.toString().trimEnd().split('\n')
}

/** The calls that succeeded, in the order they returned, as `fsync PATH` and `rename FROM TO`, paths below the lake. */
const callsIn = (trace: string, lake: string): string[] => {
  const begun = new Map<string, string>()
  const calls: string[] = []
  for (const line of trace.split('\n')) {
    const [, thread, rest] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (!thread || !rest) continue
    if (rest.endsWith(' <unfinished ...>')) begun.set(thread, rest.replace(' <unfinished ...>', ''))
    const call = rest.replace(/^<\.\.\. \w+ resumed>/, begun.get(thread) ?? '')
    if (!/\) += 0$/.test(call)) continue
    const [name] = call.split('(')
    const paths = [...call.matchAll(/[<"](\/[^">]*)[">]/g)].map((match) => match[1]!)
    if (paths.some((path) => path.startsWith(lake)))
      calls.push([name, ...paths.map((path) => path.slice(lake.length + 1) || '.')].join(' '))
  }
  return calls
}

describe(`publish, traced by its system calls${whereTraced},`, () => {
  it.runIf(canTrace)('flushes every new file and folder before the rename and the parent folder after it', async () => {
    const lake = await emptyLake()
    await publishNth(lake, 1)
    const trace = join(lake, '..', 'trace')
    const said = publishTraced([lake], trace, '-e', 'trace=fsync,fdatasync,rename,renameat,renameat2')
    expect(said).toEqual([await currentSnapshotId(lake)])
    const calls = callsIn(await readFile(trace, 'utf8'), lake)
    const id = await currentSnapshotId(lake)
    const placed = calls.indexOf(`rename staging/next snapshots/${id}`)
    const written = Object.keys(contentsOf(2)).filter((path) => !/categories|month=2026-01/.test(path))
    const folders = ['', '/listings', '/listings/country=us', '/observations', '/observations/country=us']
    const months = ['01', '02'].map((month) => `/observations/country=us/month=2026-${month}`)
    expect(calls.slice(0, placed).sort()).toEqual(
      [
        ...['manifest.json', 'manifest.sha256', ...written].map((path) => `fsync staging/next/${path}`),
        ...[...folders, ...months].map((folder) => `fsync staging/next${folder}`),
      ].sort(),
    )
    expect(calls.slice(placed + 1)).toEqual([
      'fsync snapshots',
      'fsync current.tmp',
      'rename current.tmp current',
      'fsync .',
    ])
  })

  const written = ['staging/next/manifest.json', 'staging/next/manifest.sha256', 'current.tmp']
  const flushed = ['staging/next/listings/country=us/part-0.parquet', 'staging/next', 'staging/next/observations']
  it.runIf(canTrace).each([
    ['fsync', 'EIO', [...written, ...flushed, 'snapshots', '.']],
    ['write,pwrite64', 'ENOSPC', written],
    ['rename', 'EIO', ['staging/next', 'current.tmp']],
  ])('leaves the old snapshot current if %s fails with %s', async (calls, code, places) => {
    const faults = await Promise.all(places.map(async (place) => ({ lake: await emptyLake(), place })))
    for (const { lake } of faults) await publishNth(lake, 1)
    const failing = faults.flatMap(({ lake, place }) => ['-P', join(lake, place)])
    const lakes = faults.map(({ lake }) => lake)
    const said = publishTraced(lakes, '/dev/null', ...failing, '-e', `inject=${calls}:error=${code}`)
    for (const [index, { lake, place }] of faults.entries()) {
      const [id, ...others] = await snapshotIds(lake)
      expect(others).toEqual([])
      expect(said[index]).toMatch(new RegExp(`failed, the lake serves ${id}: ${code}.*'${join(lake, place)}'`))
      expect(await currentSnapshotId(lake)).toBe(id)
      await verifySnapshot(lake, await readManifest(lake, id!))
      expect(await readdir(join(lake, 'staging'))).toEqual([])
    }
  })
})
