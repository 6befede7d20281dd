import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { compiled } from '../../test/support/compiled.ts'
import { type Running, serveProcess } from './served.ts'

/** A service, and the longest stop of its event loop since the last reading, in milliseconds. */
export type Probed = Running & { longestStopMs(): Promise<number> }

const STOP = /^stop (\S+)$/

/** Serves with a probe that counts only what the service does, not what it waits for a processor. */
export const serveProbed = async (environment: Record<string, string>): Promise<Probed> => {
  const probe = pathToFileURL(compiled('test/support/stop-probe.ts')).href
  const running = await serveProcess({ ...environment, NODE_OPTIONS: `--import ${probe}` })
  const { child, errors } = running
  const longestStopMs = async (): Promise<number> => {
    const before = errors.length
    child.kill('SIGUSR2')
    while (child.exitCode === null) {
      const [, stop] = errors.slice(before).flatMap((line) => STOP.exec(line) ?? [])
      if (stop !== undefined) return Number(stop)
      await sleep(1)
    }
    throw new Error(`the service exited with ${child.exitCode}`)
  }
  return { ...running, longestStopMs }
}
