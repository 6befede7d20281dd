import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'

/**
 * Keeps a file to this process until the returned function is called or the process ends, however it ends. Throws
 * ConfigError where another process of this machine has it.
 */
export const lockOf = async (path: string): Promise<() => Promise<void>> => {
  const name = `shelfmark-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  // A socket in Linux's abstract namespace vanishes with its process; elsewhere a file stays behind.
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}-${process.pid}`)
  const server = createServer().unref()
  await new Promise<void>((taken, refused) => {
    server.once('listening', taken)
    server.once('error', () =>
      refused(new ConfigError(`SHELFMARK_JOURNAL: another process has ${path} open; stop it, or name another file`)),
    )
    server.listen(address)
  })
  return () => new Promise((freed) => server.close(() => freed()))
}
