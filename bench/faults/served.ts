import { portOf, type Served, startService } from '../../test/support/process.ts'
import { sampleLake } from '../../test/support/sample.ts'

export type Running = Served & { port: number; stop(): Promise<void> }

/** Settings of a service that refuses nobody for the number of requests. */
export const UNLIMITED = { SHELFMARK_RATE: '100000000', SHELFMARK_BURST: '100000000' }

/** The sample lake served by a process of its own, without payments and limits unless the settings say otherwise. */
export const serveProcess = async (environment: Record<string, string> = {}): Promise<Running> => {
  const { lake, as_of } = await sampleLake()
  const served = startService({
    SHELFMARK_LAKE: lake,
    SHELFMARK_AS_OF: as_of.toISOString(),
    ...UNLIMITED,
    SHELFMARK_LOG_LEVEL: 'info',
    SHELFMARK_ADMIN_PORT: '0',
    ...environment,
  })
  const port = await portOf(served)
  const stop = async (): Promise<void> => {
    served.child.kill('SIGTERM')
    await served.exited
  }
  return { ...served, port, stop }
}
