import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { send } from '../support/http.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let tree: string
let lake: string
let as_of: Date

/** A copy of the compiled code beside the packages that are not optional. */
beforeAll(async () => {
  tree = join(await temporaryFolder(), 'shelfmark')
  for (const name of ['dist/api', 'dist/engine', 'package.json'])
    cpSync(join(root, name), join(tree, name), { recursive: true })
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(tree, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name))
  }
  ;({ lake, as_of } = await sampleLake())
})

const start = (script: string, args: string[], environment: Record<string, string> = {}) => {
  const env = {
    PATH: process.env.PATH ?? '',
    SHELFMARK_LAKE: lake,
    SHELFMARK_PORT: '0',
    SHELFMARK_ADMIN_PORT: '',
    ...environment,
  }
  const child = spawn(process.execPath, [join(tree, 'dist', script), ...args], {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const run = async (script: string, args: string[], environment?: Record<string, string>) => {
  const child = start(script, args, environment)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, stdout, stderr }
}

const facilitator = {
  SHELFMARK_PAYMENTS: 'facilitator',
  SHELFMARK_BASE_URL: 'https://prices.example.com',
  SHELFMARK_FACILITATOR_URL: 'https://facilitator.example.com',
  SHELFMARK_PAY_TO_EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  SHELFMARK_BASE_RPC_URL: 'https://base.example.com',
}
/** What names a package that is not installed, by the version that installs it. */
const missing = (name: string): string =>
  `${name}, which is not installed: npm install ${name}@${optionalDependencies[name]} installs it`

describe('an installation without the optional packages', () => {
  test('has none of them among its dependencies', () => {
    expect(Object.keys(optionalDependencies).length).toBeGreaterThan(3)
    for (const name of Object.keys(optionalDependencies)) expect(Object.keys(dependencies)).not.toContain(name)
  })

  test('answers queries on the command line', async () => {
    const { code, stdout } = await run('engine/main.js', ['public', 'stats', '--json', '--lake', lake])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('observations')
  })

  test('serves without payments', async () => {
    const child = start('api/main.js', [], { SHELFMARK_PAYMENTS: 'off', SHELFMARK_AS_OF: as_of.toISOString() })
    let log = ''
    child.stdout.on('data', (chunk) => {
      log += chunk
    })
    const isLogged = (text: string) => expect.poll(() => log, { timeout: 60_000 }).toContain(text)
    await isLogged('serving snapshot')
    const port = Number(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1])
    expect((await send(port, '/v1/analyst/category-summary?category=coffee', { agent: false })).status).toBe(200)
    expect((await send(port, '/v1/public/stats', { agent: false })).status).toBe(200)
    const mcp = await send(port, '/mcp', {
      method: 'POST',
      agent: false,
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    expect(mcp).toMatchObject({ status: 404, body: expect.stringContaining('This service does not offer MCP') })
    await isLogged(`/mcp needs the package ${missing('@modelcontextprotocol/server')}`)
  })

  test('names the package that the MCP server needs', async () => {
    expect(await run('api/mcp/main.js', ['--lake', lake])).toEqual({
      code: 2,
      stdout: '',
      stderr: `shelfmark-mcp needs the package ${missing('@modelcontextprotocol/server')}\n`,
    })
  })

  test('names the package that payments need', async () => {
    const { code, stderr } = await run('api/main.js', [], facilitator)
    expect(code).toBe(2)
    const instead = 'SHELFMARK_PAYMENTS=off serves without payments'
    const [, name = ''] = /needs the package (\S+),/.exec(stderr) ?? []
    expect(optionalDependencies).toHaveProperty([name])
    expect(stderr).toBe(`SHELFMARK_PAYMENTS: facilitator needs the package ${missing(name)}; ${instead}\n`)
  })

  test('names the package that a journal in PostgreSQL needs', async () => {
    const { code, stderr } = await run('api/main.js', ['payments'], { SHELFMARK_JOURNAL: 'postgres://127.0.0.1:9/d' })
    expect(code).toBe(2)
    expect(stderr).toBe(`SHELFMARK_JOURNAL: PostgreSQL needs the package ${missing('pg')}\n`)
  })

  test('passes the checks that are possible and reports the missing packages', async () => {
    const { code, stdout } = await run('api/main.js', ['check', '--json'], facilitator)
    expect(code).toBe(1)
    const failing = JSON.parse(stdout).findings.filter((finding: { is_ok: boolean | null }) => finding.is_ok === false)
    expect(failing).toMatchObject([
      {
        setting: 'SHELFMARK_PAYMENTS',
        message: expect.stringMatching(/which is not installed: npm install \S+@\d\S* installs it/),
      },
    ])
    const free = await run('api/main.js', ['check'], { SHELFMARK_PAYMENTS: 'off' })
    expect(free).toMatchObject({ code: 0, stderr: '' })
  })
})
