import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { refreshCommand } from './days.ts'

/** A write, flush or rename below a folder, in the order they were made. Paths are relative; `.` is the folder itself. */
export type Call = { number: number; call: string; path: string; to: string | undefined }

export type Fault = { at: number; code: 'EIO' | 'ENOSPC' }

export type Traced = { code: number | null; stderr: string; calls: Call[] }

let shim: Promise<string> | undefined

/** The library that observes and fails system calls, compiled once. Throws where there is no compiler. */
const compileShim = async (): Promise<string> => {
  const library = join(await mkdtemp(join(tmpdir(), 'shelfmark-shim-')), 'shim.so')
  const source = fileURLToPath(new URL('shim.c', import.meta.url))
  const { status, error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile shim.c: ${error?.message ?? stderr.toString()}`)
  return library
}

/** Why calls cannot be observed here; null where they can. */
export const whyNotTraced = (): string | null => {
  if (process.platform !== 'linux') return 'system calls are observed by LD_PRELOAD, which is of Linux'
  return spawnSync('cc', ['--version']).status === 0 ? null : 'there is no C compiler (cc)'
}

const callsIn = (log: string, folder: string): Call[] =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [number = '', call = '', ...paths] = line.split(' ')
      const [path = '', to] = paths.map((path) => path.slice(folder.length + 1) || '.')
      return { number: Number(number), call, path, to }
    })

/** A refresh in a process of its own whose calls below the lake are observed, and one of which may fail. */
export const refreshTraced = async (feeds: string, lake: string, fault?: Fault): Promise<Traced> => {
  shim ??= compileShim()
  const log = join(await mkdtemp(join(tmpdir(), 'shelfmark-trace-')), 'calls')
  const child = spawn(process.execPath, [refreshCommand, '--feeds', feeds, '--lake', lake, '--threads', '1'], {
    env: {
      ...process.env,
      LD_PRELOAD: await shim,
      FAULT_FOLDER: lake,
      FAULT_LOG: log,
      ...(fault ? { FAULT_AT: String(fault.at), FAULT_ERRNO: String(constants.errno[fault.code]) } : {}),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const stderr = await text(child.stderr)
  const [code] = await exited
  return { code, stderr, calls: callsIn(await readFile(log, 'utf8').catch(() => ''), lake) }
}
