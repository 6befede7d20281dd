import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../api/ops/ports.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { atEnd } from '../../support/at-end.ts'
import { sampleLake, temporaryFolder } from '../../support/given.ts'
import { startChains } from './paying.ts'
import { serveStrictly } from './strict-facilitator.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'api/payment/selling.md'), 'utf8')
const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)

let folder: string
let port: number
let as_of: Date
let chains: Embedded
let facilitator: string

/** A checkout of its own, whose lake and journals are not those of this one, and stand-ins of the networks. */
beforeAll(async () => {
  chains = await startChains()
  facilitator = await serveStrictly(chains.facilitator)
  folder = await temporaryFolder()
  port = await findFreePort(9500, '127.0.0.1')
  const sample = await sampleLake()
  ;({ as_of } = sample)
  mkdirSync(join(folder, 'data'))
  symlinkSync(sample.lake, join(folder, 'data/lake'))
  for (const name of ['package.json', 'api', 'engine', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name))
})

/** A block with this machine in place of the networks, and with what its reader fills in. */
const fillIn = (block: string, { payee = chains.payTo.evm } = {}): string =>
  block
    .replaceAll('https://prices.example.com', `http://127.0.0.1:${port}`)
    .replaceAll(/https:\/\/(x402\.org\/facilitator|api\.cdp\.coinbase\.com\/platform\/v2\/x402)/g, facilitator)
    .replaceAll(/https:\/\/(sepolia|mainnet)\.base\.org/g, chains.rpc.base)
    .replaceAll('SHELFMARK_NETWORKS=mainnet', 'SHELFMARK_NETWORKS=testnet')
    .replaceAll('KEY=0x...', `KEY=${chains.payers.base}`)
    .replaceAll('=0x...', `=${payee}`)

/** Runs a block in a shell that has nothing of those before; what starts a service goes on until the test ends. */
const startShell = (block: string): ChildProcess => {
  const { PATH = '', HOME = '' } = process.env
  const environment = { SHELFMARK_PORT: String(port), SHELFMARK_ADMIN_PORT: '', SHELFMARK_THREADS: '1' }
  const env = { PATH, HOME, SHELFMARK_AS_OF: as_of.toISOString(), ...environment }
  const shell = spawn('sh', ['-e', '-c', block], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return shell
}

const end = (shell: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (shell.exitCode !== null || shell.signalCode !== null) return resolve()
    shell.once('exit', () => resolve())
    process.kill(-shell.pid!, 'SIGTERM')
  })

const run = async (block: string) => {
  const shell = startShell(block)
  const closed = new Promise<number | null>((resolve) => shell.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(shell.stdout!), text(shell.stderr!)])
  return { code: await closed, stdout, stderr }
}

/** Runs a block that serves, until it answers. */
const serve = async (block: string): Promise<ChildProcess> => {
  const shell = startShell(block)
  atEnd(() => end(shell))
  let log = ''
  for (const stream of [shell.stdout!, shell.stderr!])
    stream.on('data', (chunk) => {
      log += chunk
    })
  await expect.poll(() => log, { timeout: 90_000 }).toContain('serving snapshot')
  return shell
}

test('every block of the page about selling runs in a shell of its own, from top to bottom', async () => {
  const [rehearsal, check, serving, look, payments, real, going, buying, books, ...others] = blocks
  expect(others).toEqual([])
  expect(blocks.join()).not.toMatch(/\bexport\b/)

  const write = async (block = '', options = {}) =>
    expect(await run(fillIn(block, options))).toEqual({ code: 0, stdout: '', stderr: '' })
  await write(rehearsal, { payee: '0x...' })
  const refused = await run(check!)
  expect(refused.code).toBe(1)
  expect(refused.stdout + refused.stderr).toContain('SHELFMARK_PAY_TO_EVM  expected an address')

  await write(rehearsal)
  const checked = await run(check!)
  expect(checked, checked.stdout).toMatchObject({ code: 0, stderr: '' })
  const rehearsing = await serve(serving!)
  const looked = await run(fillIn(look!))
  expect(looked.stdout).toMatch(/^HTTP\/1\.1 402 /)
  expect(looked.stdout).toMatch(/payment-required: /i)
  expect(looked.stdout).toContain('"openapi":')
  expect(await run(payments!)).toMatchObject({ code: 0, stdout: '' })
  await end(rehearsing)

  await write(real)
  await serve(going!)
  const bought = await run(fillIn(buying!))
  expect(bought, bought.stderr).toMatchObject({ code: 0 })
  const [, transaction = ''] = /^200 (0x[0-9a-f]{64})$/m.exec(bought.stdout) ?? []
  expect(transaction).not.toBe('')
  // The block is of the first days of a month in the reader's time; what was bought is in it.
  expect(await run(books!)).toMatchObject({ code: 0, stdout: '' })
  expect(readFileSync(join(folder, 'month.csv'), 'utf8')).toContain(transaction)
}, 300_000)
