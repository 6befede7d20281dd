import { pino } from 'pino'
import type { Config } from './config.ts'
import { watchLake } from './lake.ts'
import { buildApp } from './server.ts'

/** How long questions under way may take to end once the service is told to stop. */
const DRAIN_MS = 9000

/** Never logged, wherever they turn up. */
const SECRETS = ['authorization', 'payment-signature', 'x-payment', 'payment-authorization', 'cookie']

const createLogger = (level: string) =>
  pino({
    level,
    redact: SECRETS.flatMap((name) => [`req.headers["${name}"]`, `headers["${name}"]`]),
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?', 1)[0] }),
      error: pino.stdSerializers.err,
    },
  })

/** Serves the lake until SIGTERM or SIGINT, then lets questions under way end. Returns the address it listens on. */
export const serve = async (config: Config): Promise<string> => {
  const log = createLogger(config.log_level)
  const { lake: folder, reload_ms, as_of, threads, memory_limit, connections } = config
  const options = { as_of, threads, memory_limit, connections }
  const lake = await watchLake({ lake: folder, reload_ms, options, log })
  const app = buildApp(lake, config, log)
  const stop = async () => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    await app.close()
    await lake.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  const address = await app.listen({ host: config.host, port: config.port })
  lake.watch()
  return address
}
