import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compiled } from '../support/compiled.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
let server: ChildProcess
let printed = ''
let address: string

/** The commands compiled; the service as `npm start` starts it, so that it invites to commands of npm. */
const start = (
  script: 'start' | 'pay/main',
  args: string[] = [],
  environment: Record<string, string> = {},
): ChildProcess => {
  const { PATH = '' } = process.env
  const env = {
    PATH,
    SHELFMARK_LAKE: join(folder, 'lake'),
    SHELFMARK_PORT: '0',
    SHELFMARK_ADMIN_PORT: '',
    ...environment,
  }
  const npm = script === 'start' ? { npm_lifecycle_event: 'start', npm_package_name: 'shelfmark' } : {}
  const command = script === 'start' ? '.ci/start.mjs' : compiled('api/pay/main.ts')
  const options: SpawnOptions = { cwd: root, env: { ...env, ...npm }, stdio: ['ignore', 'pipe', 'pipe'] }
  return spawn(process.execPath, [command, ...args], options)
}

const ended = async (child: ChildProcess) => {
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = await closed
  return { code, stdout, stderr }
}

const pay = (...args: string[]) => ended(start('pay/main', args))

/** What `npm start` does once there is a lake. */
beforeAll(async () => {
  const { lake, as_of } = await sampleLake()
  folder = await mkdtemp(join(tmpdir(), 'shelfmark-start-'))
  await symlink(lake, join(folder, 'lake'))
  server = start('start', [], { SHELFMARK_AS_OF: as_of.toISOString(), SHELFMARK_THREADS: '1' })
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`it ended with ${code}: ${server.stderr!.read()}`)))
    server.stdout!.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('Stop: Ctrl-C')) resolve()
    })
  })
  address = / at (\S+)\./.exec(printed)![1]
})

afterAll(async () => {
  server.kill('SIGTERM')
  await once(server, 'close')
  await rm(folder, { recursive: true })
})

/** The commands that the start invites to, by what they begin with. */
const invited = (command: string): string[] =>
  printed.split('\n').flatMap((line) => (line.trim().startsWith(command) ? [/'([^']+)'/.exec(line)![1]] : []))

test('npm start prints a free query and a paid one, which is answered with its price', async () => {
  const [free, paid] = invited('curl')
  expect((await fetch(free)).status).toBe(200)
  const response = await fetch(paid)
  expect(response.status).toBe(402)
  expect(response.headers.has('payment-required')).toBe(true)
  expect(response.headers.get('www-authenticate')).toMatch(/^Payment /)
})

// The clients pay on every network in payment/clients.test.ts.
test('the printed commands pay this service, whatever its port is', () => {
  const commands = printed.split('\n').filter((line) => line.includes('npm run -s pay'))
  expect(commands).toHaveLength(2)
  for (const command of commands) expect(command).toContain(` --url ${address}`)
})

test.each(sized(['base'], ['base', 'solana', 'tempo']))('the printed command pays on %s', async (network) => {
  const [path] = invited('npm run -s pay')
  const { code, stdout, stderr } = await pay(path, '--network', network, '--url', address)
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toHaveProperty('meta')
  expect(stderr).toMatch(new RegExp(`^cost +0\\.0[12] USD, [12]0000 base units of \\w+, on ${network}$`, 'm'))
  expect(stderr).toMatch(/^transaction +\w{64,90}$/m)
})

const refusals: [what: string, args: string[], code: number, message: RegExp][] = [
  ['a refusal, at no cost', ['/v1/marketing/share-of-shelf?category=nothing-like-it'], 1, /^cost +nothing$/m],
  ['an unknown network', ['/v1/public/stats', '--network', 'ethereum'], 2, /^--network: expected one of base/m],
  ['an unknown option', ['/v1/public/stats', '--pay'], 2, /--pay/],
  ['no path', [], 2, /^ {2}shelfmark-pay PATH/m],
]
test.each(sized(refusals.slice(0, 2), refusals))('shelfmark-pay reports %s', async (_, args, expected, message) => {
  const { code, stderr } = await pay(...args, ...(args.length === 1 ? ['--url', address] : []))
  expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) })
})

test('shelfmark-pay exits with 3 where the service does not answer', async () => {
  const { code, stderr } = await pay('/v1/public/stats', '--url', 'http://127.0.0.1:65535')
  const message =
    'Nothing answers at http://127.0.0.1:65535: start the service with shelfmark-serve, or set its address with --url.\n'
  expect({ code, stderr }).toEqual({ code: 3, stderr: message })
})

test('shelfmark-pay reports local chains that do not answer before it pays anything', async () => {
  const gone = join(folder, 'gone')
  await mkdir(gone)
  const rpc = 'http://127.0.0.1:9'
  const wallet = { rpc: { base: rpc, solana: rpc, tempo: rpc }, payers: { base: '0x1', solana: '1', tempo: '0x1' } }
  await writeFile(join(gone, 'test-wallet.json'), JSON.stringify(wallet))
  const paying = start('pay/main', ['/v1/public/stats', '--url', address], { SHELFMARK_LAKE: join(gone, 'lake') })
  const { code, stderr } = await ended(paying)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^The local chains do not answer:/),
  })
})

test('npm start with an unreadable lake says what to run', async () => {
  const lake = join(folder, 'older')
  const snapshot = join(lake, 'snapshots', '000001-0123abcd')
  await mkdir(snapshot, { recursive: true })
  await writeFile(join(lake, 'current'), '000001-0123abcd\n')
  await writeFile(join(snapshot, 'manifest.json'), '{"format": 2}')
  const { code, stdout, stderr } = await ended(start('start', [], { SHELFMARK_LAKE: lake }))
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(
    /^snapshot 000001-0123abcd .* is of lake format 2, not 3 to 10: .*: npm run -s refresh -- --feeds DIR/,
  )
})

test('the journal and the wallet are stored next to the lake', async () => {
  expect((await readdir(folder)).sort()).toEqual(expect.arrayContaining(['lake', 'payments.jsonl', 'test-wallet.json']))
})

test.each(sized(['base'], ['base', 'tempo']))(
  'pays for a batch in a file on %s, also above a dollar',
  async (network) => {
    const file = join(folder, 'batch.json')
    const requests = Array.from({ length: 60 }, (_, i) => ({
      path: '/v1/analyst/category-summary',
      params: { category: 'coffee', days: i + 100 },
    }))
    await writeFile(file, JSON.stringify(requests))
    const { code, stdout, stderr } = await pay('--batch', file, '--network', network, '--url', address)
    expect(stderr).toContain('1.20 USD')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(60)
  },
)

test('refuses a batch file that is missing, and a path beside it', async () => {
  const missing = await pay('--batch', join(folder, 'missing.json'))
  expect(missing).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^--batch: cannot read .*ENOENT/),
  })
  const both = await pay('/v1/public/stats', '--batch', 'x.json')
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('expected no path with --batch') })
})
