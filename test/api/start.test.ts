import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../api/ops/ports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A port of 127.0.0.1 that is in use during a test. */
const takenPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

/** `npm start` without a lake. */
const start = async (environment: Record<string, string>) => {
  const lake = join(await temporaryFolder(), 'lake')
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, SHELFMARK_LAKE: lake, SHELFMARK_ADMIN_PORT: '', ...environment }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, lake }
}

test('the first start ends with an address whose first page has a figure and its plot', async () => {
  const { child, lake } = await start({ SHELFMARK_PORT: '0' })
  const errors = text(child.stderr)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  while (!printed.includes('Stop: Ctrl-C')) await once(child.stdout, 'data')
  const address = /answers at (\S+)\./.exec(printed)?.[1]
  const page = await (await fetch(`${address}/`, { headers: { accept: 'text/html' } })).text()
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(printed).toMatch(new RegExp(`${lake}: [0-9]{2},[0-9]{3} prices`))
  expect(page).toMatch(/<svg[\s\S]*%/)
  expect(page).not.toContain('being computed')
  expect((await errors).split('\n')).toEqual([expect.stringContaining('making one from sample feeds'), ''])
})

test('a port that is set and in use is reported before a lake is made', async () => {
  const { child, lake } = await start({ SHELFMARK_PORT: String(await takenPort()) })
  const errors = text(child.stderr)
  await once(child, 'close')
  expect(await errors).toMatch(/^listen EADDRINUSE.*; set SHELFMARK_HOST and SHELFMARK_PORT to a free address\n$/)
  expect(existsSync(lake)).toBe(false)
})

test('the next free port is used if the default one is in use, or the one after it', async () => {
  const taken = await takenPort()
  expect(await findFreePort(taken, '127.0.0.1')).toBeGreaterThan(taken)
  expect(await findFreePort(taken - 1, '127.0.0.1')).toBeGreaterThan(taken)
})
