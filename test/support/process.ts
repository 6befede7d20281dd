import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { atEnd } from './at-end.ts'
import { compiled } from './compiled.ts'
import type { LogLine } from './http.ts'

export type Served = {
  child: ChildProcess
  /** Lines of the log so far. */
  log: LogLine[]
  /** What it wrote to standard error so far. */
  errors: string[]
  /** The exit code, once it has exited. */
  exited: Promise<number | null>
}

/** Starts the service as a process of its own. */
export const startService = (environment: Record<string, string>): Served => {
  const { PATH } = process.env
  const child = spawn(process.execPath, [compiled('api/main.ts')], {
    env: {
      ...(PATH ? { PATH } : {}),
      SHELFMARK_PORT: '0',
      SHELFMARK_ADMIN_PORT: '',
      SHELFMARK_PAYMENTS: 'off',
      SHELFMARK_THREADS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => child.kill('SIGKILL'))
  const log: LogLine[] = []
  const errors: string[] = []
  createInterface(child.stdout!).on('line', (line) => log.push(JSON.parse(line)))
  createInterface(child.stderr!).on('line', (line) => errors.push(line))
  return { child, log, errors, exited: once(child, 'close').then(([code]) => code as number | null) }
}

/** The port that the first line of the log names, once the service answers queries. */
export const portOf = async ({ child, log, errors }: Served): Promise<number> => {
  while (!log.some(({ msg }) => msg === 'serving snapshot')) {
    if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}: ${errors.join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return Number(/:(\d+)$/.exec(log[0]?.msg ?? '')?.[1])
}
