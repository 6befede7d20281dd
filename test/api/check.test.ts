import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createTestClient, http } from 'viem'
import { mine } from 'viem/actions'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkBlockTime, checkDate } from '../../api/check/clock.ts'
import { findingsOf } from '../../api/cli/check.ts'
import { runCommand } from '../../api/cli/commands.ts'
import { ConfigError } from '../../api/ops/config.ts'
import { testnets } from '../../api/ops/networks.ts'
import type { Embedded } from '../../api/payment/local-chains.ts'
import { compiled } from '../support/compiled.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { portOf, startService } from '../support/process.ts'
import { startChains } from './payment/paying.ts'
import { serveStrictly } from './payment/strict-facilitator.ts'

const run = async (args: string[], environment: Record<string, string> = {}) => {
  const env = { PATH: process.env.PATH ?? '', SHELFMARK_PORT: '0', SHELFMARK_THREADS: '1', ...environment }
  const child = spawn(process.execPath, [compiled('api/main.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, stdout, stderr }
}

let chains: Embedded
let environment: Record<string, string>

beforeAll(async () => {
  chains = await startChains()
  const { lake } = await sampleLake()
  environment = {
    SHELFMARK_LAKE: lake,
    SHELFMARK_JOURNAL: join(await temporaryFolder(), 'payments.jsonl'),
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_NETWORKS: 'testnet',
    SHELFMARK_BASE_URL: 'http://127.0.0.1',
    SHELFMARK_FACILITATOR_URL: await serveStrictly(chains.facilitator, {
      admit: ({ headers }) => headers.authorization === 'Bearer token-canary',
    }),
    SHELFMARK_FACILITATOR_TOKEN: 'token-canary',
    SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
    SHELFMARK_PAY_TO_SOLANA: chains.payTo.solana,
    SHELFMARK_PAY_TO_TEMPO: chains.payTo.tempo,
    SHELFMARK_BASE_RPC_URL: chains.rpc.base,
    SHELFMARK_SOLANA_RPC_URL: chains.rpc.solana,
    SHELFMARK_TEMPO_RPC_URL: chains.rpc.tempo,
    SHELFMARK_MPP_SECRET: 'a secret of thirty-two characters',
  }
})

/** Local chains have a new block only where one is mined. */
const mineBlocks = async (): Promise<void> => {
  for (const url of [chains.rpc.base, chains.rpc.tempo])
    await mine(createTestClient({ mode: 'anvil', transport: http(url) }), { blocks: 1 })
}

/** What it finds. */
const check = async (change: Record<string, string> = {}) => {
  await mineBlocks()
  const findings = await findingsOf({ SHELFMARK_PORT: '0', SHELFMARK_THREADS: '1', ...environment, ...change })
  for (const secret of ['token-canary', 'a secret of thirty', 'node-canary'])
    expect(JSON.stringify(findings)).not.toContain(secret)
  return { findings, failing: findings.filter((finding) => finding.is_ok === false) }
}

describe('shelfmark-serve check', () => {
  test('passes and covers every setting where everything is right', async () => {
    const { findings, failing } = await check()
    expect(failing).toEqual([])
    const named = new Set(findings.map(({ setting }) => setting))
    for (const setting of Object.keys(environment).filter((name) => !/SECRET|TOKEN|NETWORKS/.test(name)))
      expect([...named], setting).toContain(setting)
    expect([...named]).toContain('clock')
    expect(findings.find(({ setting }) => setting === 'SHELFMARK_BASE_URL')?.is_ok).toBeNull()
  })

  const endings: [code: number, change: Record<string, string>][] = [
    [1, { SHELFMARK_BASE_RPC_URL: 'http://127.0.0.1:9' }],
    [0, {}],
  ]
  // With 0 it exits below too, where payments are off.
  test.each(sized(endings.slice(0, 1), endings))('exits with %i where that is the result', async (code, change) => {
    await mineBlocks()
    const { stdout, ...ended } = await run(['check', '--json'], { ...environment, ...change })
    expect(ended.code).toBe(code)
    expect(JSON.parse(stdout)).toMatchObject({ is_ok: code === 0 })
  })

  const otherLake = mkdtempSync(join(tmpdir(), 'shelfmark-check-'))
  writeFileSync(join(otherLake, 'file'), '')
  const faults: [what: string, change: Record<string, string>, setting: string, message: RegExp][] = [
    ['a lake without a snapshot', { SHELFMARK_LAKE: join(otherLake, 'none') }, 'SHELFMARK_LAKE', /refresh -- --feeds/],
    [
      'a journal whose folder is a file',
      { SHELFMARK_JOURNAL: join(otherLake, 'file', 'a.jsonl') },
      'SHELFMARK_JOURNAL',
      /ENOTDIR|EEXIST/,
    ],
    [
      'a database that cannot be reached',
      { SHELFMARK_JOURNAL: 'postgres://u:node-canary@127.0.0.1:9/d' },
      'SHELFMARK_JOURNAL',
      /127\.0\.0\.1:9 cannot/,
    ],
    [
      'an address of another machine',
      { SHELFMARK_HOST: '192.0.2.1' },
      'SHELFMARK_HOST, SHELFMARK_PORT',
      /EADDRNOTAVAIL/,
    ],
    [
      'credentials that are refused',
      { SHELFMARK_FACILITATOR_TOKEN: 'token-canary-2' },
      'SHELFMARK_FACILITATOR_URL',
      /401.*credentials/,
    ],
    [
      'a facilitator that cannot be reached',
      { SHELFMARK_FACILITATOR_URL: 'http://127.0.0.1:9' },
      'SHELFMARK_FACILITATOR_URL',
      /cannot be reached/,
    ],
    [
      'a node that cannot be reached',
      { SHELFMARK_BASE_RPC_URL: 'http://127.0.0.1:9/node-canary' },
      'SHELFMARK_BASE_RPC_URL',
      /127\.0\.0\.1:9 does not answer/,
    ],
    [
      'a payee with an invalid checksum',
      { SHELFMARK_PAY_TO_EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293Bc' },
      'SHELFMARK_PAY_TO_EVM',
      /invalid checksum/,
    ],
    [
      'the zero address as payee',
      { SHELFMARK_PAY_TO_TEMPO: `0x${'0'.repeat(40)}` },
      'SHELFMARK_PAY_TO_TEMPO',
      /not the zero address or that of a token/,
    ],
    [
      'the token as payee',
      { SHELFMARK_PAY_TO_EVM: testnets.base.asset },
      'SHELFMARK_PAY_TO_EVM',
      /not the zero address or that of a token/,
    ],
    [
      'a network without one of its settings',
      { SHELFMARK_SOLANA_RPC_URL: '' },
      'SHELFMARK_SOLANA_RPC_URL',
      /required with/,
    ],
  ]
  test.each(faults)('reports %s', async (_, change, setting, message) => {
    const { failing } = await check(change)
    expect(failing).toHaveLength(1)
    expect(failing[0]).toMatchObject({ setting, message: expect.stringMatching(message) })
  })

  test('reports nodes of another chain and networks that the facilitator does not support', async () => {
    const { failing } = await check({ SHELFMARK_BASE_RPC_URL: chains.rpc.tempo })
    expect(failing).toMatchObject([
      { setting: 'SHELFMARK_BASE_RPC_URL', message: expect.stringContaining('is chain 42431, not 84532') },
    ])
    const mainnet = await check({ SHELFMARK_NETWORKS: 'mainnet' })
    expect(mainnet.failing.map(({ message }) => message)).toEqual([
      expect.stringContaining('does not support x402 version 2, scheme exact, on Base (eip155:8453)'),
      expect.stringContaining('does not support x402 version 2, scheme exact, on Solana'),
      expect.stringContaining('is chain 84532, not 8453'),
      expect.stringContaining('is not the cluster'),
      expect.stringContaining('is chain 42431, not 4217'),
    ])
  })

  test('reports a payee on Solana who cannot receive the token', async () => {
    const { failing } = await check({ SHELFMARK_PAY_TO_SOLANA: '11111111111111111111111111111112' })
    const message = expect.stringContaining('has no account for the token')
    expect(failing).toMatchObject([{ setting: 'SHELFMARK_PAY_TO_SOLANA', message }])
  })

  test('reports a node that refuses its key, without repeating the key', async () => {
    const server = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/node-canary`
    const { failing } = await check({ SHELFMARK_SOLANA_RPC_URL: url, SHELFMARK_TEMPO_RPC_URL: url })
    expect(failing.map(({ message }) => message)).toEqual([
      expect.stringContaining('answers 401: check the key in its address'),
      expect.stringContaining('answers 401: check the key in its address'),
    ])
  })

  test('reports a variable that looks like a setting and is none', async () => {
    expect((await check({ SHELFMARK_NETWORK: 'mainnet' })).failing).toEqual([
      {
        setting: 'SHELFMARK_NETWORK',
        is_ok: false,
        message: 'there is no such setting, so that it has no effect; the nearest is SHELFMARK_NETWORKS',
      },
    ])
  })

  test('reports invalid settings, each with what is expected', async () => {
    const { failing } = await check({ SHELFMARK_PORT: 'http', SHELFMARK_RATE: '0' })
    expect(failing).toEqual([
      { setting: 'SHELFMARK_PORT', is_ok: false, message: 'expected a whole number from 0 to 65535, got "http"' },
      { setting: 'SHELFMARK_RATE', is_ok: false, message: 'expected a whole number from 1 to 100000000, got 0' },
    ])
  })

  test('recognises by its journal and address that the service is running', async () => {
    const { SHELFMARK_LAKE = '', SHELFMARK_JOURNAL = '' } = environment
    const served = startService({ ...environment, SHELFMARK_LAKE, SHELFMARK_JOURNAL })
    const port = String(await portOf(served))
    const base = `http://127.0.0.1:${port}`
    const { failing, findings } = await check({ SHELFMARK_PORT: port, SHELFMARK_BASE_URL: base })
    served.child.kill('SIGKILL')
    await served.exited
    expect(failing).toEqual([])
    const messages = findings.map(({ message }) => message)
    expect(messages).toContain(`the service answers at ${base}`)
    expect(messages.some((message) => message.endsWith('open: the service is running'))).toBe(true)
  })

  test('checks the lake and the address alone where payments are off', async () => {
    const { code, stdout } = await run(['check'], {
      SHELFMARK_LAKE: environment.SHELFMARK_LAKE!,
      SHELFMARK_PAYMENTS: 'off',
    })
    expect(stdout).toMatch(
      /^ok {4}SHELFMARK_LAKE.*\nok {4}SHELFMARK_HOST.*\nok {4}SHELFMARK_PAYMENTS.*off.*\nAll checks passed\.\n$/,
    )
    expect(code).toBe(0)
  })
})

describe('the check of the clock', () => {
  const now = Date.parse('2026-11-22T08:00:00Z')
  test.each([
    [0, true],
    [29, true],
    [-29, true],
    [119, true],
    [-31, false],
    [121, false],
  ])('against a newest block of %i s ago passes: %s', (age, isOk) => {
    expect(checkBlockTime('NODE', now / 1000 - age, now).is_ok).toBe(isOk)
  })

  test.each([
    ['Sun, 22 Nov 2026 08:00:00 GMT', [true]],
    ['Sun, 22 Nov 2026 08:00:31 GMT', [false]],
    ['Sun, 22 Nov 2026 07:59:29 GMT', [false]],
    [null, []],
  ])('against a Date header of %s passes: %j', (date, expected) => {
    expect(checkDate(date, 'host', now).map(({ is_ok }) => is_ok)).toEqual(expected)
  })
})

describe('shelfmark-serve', () => {
  test('prints its usage for any command', async () => {
    const help = await run(['payments', '--help'])
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('shelfmark-serve check'), stderr: '' })
  })

  const wrong: [args: string[], message: RegExp][] = [
    [['cheque'], /unknown command cheque;/],
    [['check', '--csv'], /unknown option --csv;/],
    [['check', 'now'], /unexpected argument now;/],
    [['--from', '2026-01-01'], /unknown option --from;/],
    [['payments', '--from', 'yesterday'], /--from: expected a date/],
  ]
  test.each(wrong)('refuses the arguments %j in one line', async (args, message) => {
    const refusal = await runCommand(args, {}).catch((error: Error) => error)
    expect(refusal).toBeInstanceOf(ConfigError)
    expect((refusal as Error).message).toMatch(message)
    expect((refusal as Error).message.trim()).not.toContain('\n')
  })

  test.each(sized(wrong.slice(0, 1), wrong))('exits with 2 on the arguments %j', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
