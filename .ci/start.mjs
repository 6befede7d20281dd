// What `npm start` runs: compiles what has changed, and serves.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './compile.mjs'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Of its output only progress and errors are printed. */
const startMaker = () =>
  fork(fileURLToPath(new URL('sample-lake.mjs', import.meta.url)), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

// Loads while the service loads. A file of settings may name another lake, which may exist.
let maker = existsSync(join(process.env.SHELFMARK_LAKE ?? 'data/lake', 'current')) ? undefined : startMaker()

const make = async (lake) => {
  maker ??= startMaker()
  // A signal to this process ends both.
  const stop = (signal) => void maker.kill(signal)
  for (const signal of SIGNALS) process.once(signal, stop)
  maker.send(lake)
  const [code, signal] = await once(maker, 'exit')
  for (const signal of SIGNALS) process.off(signal, stop)
  if (signal) process.exit(128 + constants.signals[signal])
  if (code !== 0) throw new Error(`no sample lake could be made at ${lake}`)
}

const dismiss = async () => {
  if (!maker) return
  maker.disconnect()
  await once(maker, 'exit')
}

const { start } = await import('../dist/api/start.js')
await start({ make, dismiss })
