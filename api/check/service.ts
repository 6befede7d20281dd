import { once } from 'node:events'
import { createServer } from 'node:net'
import { z } from 'zod'
import { commandLine, currentSnapshotId, Engine, emptyStore, openStore, readStorePointer } from '../../engine/index.ts'
import type { Config } from '../ops/config.ts'
import { journalOf, openJournal } from '../payment/journals.ts'
import { type Finding, failed, passed, skipped } from './finding.ts'

const TIMEOUT_MS = 10_000
const contract = z.object({ info: z.object({ title: z.literal('Shelfmark') }) })

/** Whether a Shelfmark service answers at an address. */
const isServed = async (address: string): Promise<boolean> => {
  try {
    const response = await fetch(`${address}/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return contract.safeParse(await response.json()).success
  } catch {
    return false
  }
}

/** Checks that the store answers and has a snapshot. */
export const checkStore = async ({ store, aws }: Config): Promise<Finding[]> => {
  const name = 'SHELFMARK_STORE'
  if (store === undefined) return []
  try {
    const opened = openStore(store, aws)
    const pointer = await readStorePointer(opened)
    if (pointer === null) throw emptyStore(opened)
    return [passed(name, `${store} has ${pointer.snapshot_id}`)]
  } catch (error) {
    return [failed(name, (error as Error).message)]
  }
}

export const checkLake = async ({ lake, store, threads, memory_limit }: Config): Promise<Finding> => {
  const name = 'SHELFMARK_LAKE'
  try {
    if ((await currentSnapshotId(lake)) === null && store !== undefined)
      return skipped(name, `${lake} has no snapshot yet: the service pulls one from SHELFMARK_STORE`)
    if ((await currentSnapshotId(lake)) === null)
      return failed(
        name,
        `${lake} has no snapshot: ${commandLine('refresh', `--feeds DIR --lake ${lake}`)} creates one`,
      )
    const engine = await Engine.open(lake, { threads, memory_limit, connections: 1 })
    const { snapshot_id } = engine.manifest
    engine.close()
    return passed(name, `${lake}: snapshot ${snapshot_id}, newest observation ${engine.newest_observed_at ?? 'none'}`)
  } catch (error) {
    return failed(name, (error as Error).message.split('\n')[0]!)
  }
}

export const checkJournal = async (config: Config): Promise<Finding> => {
  const name = 'SHELFMARK_JOURNAL'
  const journal = journalOf(config)
  const location = 'file' in journal ? journal.file : `PostgreSQL at ${new URL(journal.url).host}`
  try {
    await (await openJournal(config)).close()
    return passed(name, `${location} can be written`)
  } catch (error) {
    const { message } = error as Error
    const [, owner] = /^SHELFMARK_JOURNAL: (.* has .* open)/.exec(message) ?? []
    if (owner) return passed(name, `${owner}: the service is running`)
    const reason = message.replace(/^SHELFMARK_JOURNAL: /, '') || (error as NodeJS.ErrnoException).code
    return failed(name, `${location} cannot be opened: ${reason}`)
  }
}

/** Checks that the address can be bound, or that the service runs there already. */
const checkListener = async ({ host, port }: Config): Promise<{ finding: Finding; isRunning: boolean }> => {
  const name = 'SHELFMARK_HOST, SHELFMARK_PORT'
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    server.close()
    return { finding: passed(name, `${host}:${port} is free`), isRunning: false }
  } catch (error) {
    const isRunning = await isServed(address)
    if (isRunning) return { finding: passed(name, `the service answers at ${address}`), isRunning }
    const { code } = error as NodeJS.ErrnoException
    return {
      finding: failed(name, `${host}:${port} cannot be bound (${code}); set a free address of this machine`),
      isRunning,
    }
  }
}

export const checkAddresses = async (config: Config): Promise<Finding[]> => {
  const name = 'SHELFMARK_BASE_URL'
  const { base_url } = config
  const { finding, isRunning } = await checkListener(config)
  if (base_url === undefined) return [finding]
  if (!isRunning) return [finding, skipped(name, `${base_url} can be checked while the service runs`)]
  if (await isServed(base_url)) return [finding, passed(name, `the service answers at ${base_url}`)]
  return [
    finding,
    failed(name, `the service does not answer at ${base_url}; point DNS, TLS and the proxy to port ${config.port}`),
  ]
}
