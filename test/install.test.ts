import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine, inflation } from '../engine/library.ts'
import { docExamples } from './support/docstrings.ts'
import { sized } from './support/full-size.ts'
import { sampleLake, temporaryFolder } from './support/given.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MAX_BYTES = 120e6

type Project = { version: string; bin: Record<string, string> }
const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Project

/** What starts a process of the user's own: not that of a script of npm, but with its registry and cache. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(registry|cache|cafile|proxy|https_proxy))|SHELFMARK_|VITEST|NODE_(OPTIONS|ENV|PATH))/.test(
        name,
      ),
  ),
)

type Result = { code: unknown; stdout: string; stderr: string }

const run = (cwd: string, command: string, ...args: string[]): Promise<Result> =>
  new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 1e8 }
    execFile(command, args, options, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }))
  })

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** DuckDB's binary for this machine, which `--omit=optional` leaves out unless it is named. */
const binary = (): string => {
  const scope = join(root, 'node_modules/@duckdb')
  const name = readdirSync(scope).find((entry) => entry.startsWith('node-bindings-'))!
  return `@duckdb/${name}@${JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8')).version}`
}

let folder: string
let packed: string[]
let installed: Result
let lake: string
let as_of: Date

beforeAll(async () => {
  folder = await temporaryFolder()
  ;({ lake, as_of } = await sampleLake())
  const { stdout } = await run(root, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [{ filename, files }] = Object.values(JSON.parse(stdout)) as [{ filename: string; files: { path: string }[] }]
  packed = files.map(({ path }) => path)
  // The prefix says that no folder above is meant, should one have packages.
  const options = ['--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund']
  installed = await run(folder, 'npm', 'install', '--omit=optional', ...options, join(folder, filename), binary())
})

const start = (name: string, ...args: string[]): Promise<Result> =>
  run(folder, join(folder, 'node_modules/.bin', name), ...args)

test('the package contains exactly the compiled code, the declarations of the library and the documents', () => {
  const isExpected =
    /^(dist\/(engine|api|ingest|data\/sample)\/.*\.(js|sql|json)|dist\/api\/pages\/.*\.(css|svg|png)|dist\/engine\/.*\.d\.ts|data\/mappings\/.*)$/
  expect(packed.filter((path) => !isExpected.test(path))).toEqual([
    '.env.example',
    '.github/inflation.svg',
    'LICENSE',
    'README.md',
    'api/http/guide.md',
    'api/operations/cluster.md',
    'api/operations/memory.md',
    'api/operations/README.md',
    'api/operations/replicas.md',
    'api/payment/selling.md',
    'data/iceberg.md',
    'data/matches.md',
    'data/README.md',
    'data/reference.md',
    'data/search.md',
    'data/social.md',
    'data/sql.md',
    'engine/guide.md',
    'engine/queries/README.md',
    'ingest/guide.md',
    'ingest/snapshot/README.md',
    'package.json',
  ])
  const statements = ['engine', 'ingest', 'data/sample'].flatMap((name) => filesIn(join(root, name)))
  for (const path of statements.filter((name) => name.endsWith('.sql')))
    expect(packed).toContain(`dist/${path.slice(root.length)}`)
  for (const name of ['styles/elements.css', 'icon.svg', 'card.png', 'wallet.js'])
    expect(packed).toContain(`dist/api/pages/${name}`)
})

test('README.md names the binary that the installation for an analyst needs', () => {
  const named = /@duckdb\/node-bindings-[\w-]+@([\w.-]+)/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
  expect(named?.[1]).toBe(binary().split('@').at(-1))
})

test('the installation for an analyst is small and has no warnings', () => {
  // light-my-request is pinned in package.json for this: from 6.8 on it takes a cookie that needs Node 22.
  expect(installed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('EBADENGINE') })
  const bytes = filesIn(join(folder, 'node_modules')).reduce((sum, path) => sum + statSync(path).size, 0)
  expect(bytes).toBeLessThan(MAX_BYTES)
})

const program = (lake: string) => `import { Engine, EngineError, inflation } from 'shelfmark'

const engine = await Engine.open(${JSON.stringify(lake)}, { as_of: new Date(${JSON.stringify(as_of)}) })
const { lfl_change_pct, time_series } = await engine.ask(inflation, { category: 'coffee', days: 90 })
const lines: string[] = time_series.map(({ period, median_price }) => period + ' ' + median_price.toFixed(2))
for (const line of [...lines, lfl_change_pct?.toFixed(2)]) console.log(line)
const error: unknown = await engine.ask(inflation, { category: 'laptops', retailer: 'none' }).catch((cause) => cause)
if (error instanceof EngineError && error.code === 'RETAILER_NOT_SERVING_ELIGIBLE')
  for (const retailer of error.details.serving_eligible_retailers) console.log(retailer.toUpperCase())
engine.close()
`

const WRONG = `
// @ts-expect-error a parameter that there is not
await engine.ask(inflation, { weeks: 3 })
// @ts-expect-error a value that there is not
await engine.ask(inflation, { granularity: 'yearly' })
`

describe('the installed library', () => {
  test('compiles a program and the examples of its docstrings without casts and without the types of Node', async () => {
    const names = Object.keys(await import('../engine/library.ts'))
    const blocks = docExamples().map(({ code }) => `{\n${code}\n}`)
    const examples = [`import { ${names.join(', ')} } from 'shelfmark'`, "const engine = await Engine.open('lake')"]
    writeFileSync(join(folder, 'program.mts'), program(lake))
    writeFileSync(join(folder, 'examples.mts'), [...examples, ...blocks, WRONG].join('\n'))
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--skipLibCheck',
      'false',
      '--checkers',
      '1',
    ]
    const files = ['--listFiles', 'program.mts', 'examples.mts']
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { code, stdout } = await run(folder, tsc, ...options, ...files)
    // @types/node is installed, as a dependency of apache-arrow, but is no part of the program.
    expect(
      stdout.split('\n').filter((line) => !/\.(d\.[mc]?ts|mts)$/.test(line) || line.includes('@types/node')),
    ).toEqual([''])
    expect(code).toBe(0)
  })

  test('answers queries', async () => {
    const text = program(lake).replaceAll(': string[]', '').replaceAll(': unknown', '')
    writeFileSync(join(folder, 'program.mjs'), text)
    const { code, stdout, stderr } = await run(folder, process.execPath, 'program.mjs')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^2026-08 \d+\.\d\d\n[\s\S]*\n-?\d+\.\d\d\nKETTLECART\n/)
  })
})

describe('the installed commands', () => {
  const names = Object.keys(bin)
  test.each(names)('include %s, which has help', async (name) => {
    const help = await start(name, '--help')
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining(name), stderr: '' })
    expect(help.stdout).not.toMatch(/npm (run|start)/)
  })

  test.each(sized(names.slice(0, 1), names))('include %s, which prints its version', async (name) => {
    expect(await start(name, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('answer a query', async () => {
    const args = ['analyst', 'inflation', '--category', 'coffee', '--lake', lake, '--as-of', as_of.toISOString()]
    const { code, stdout, stderr } = await start('shelfmark', ...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const engine = await Engine.open(lake, { as_of })
    expect(JSON.parse(stdout)).toEqual(await engine.ask(inflation, { category: 'coffee' }))
    engine.close()
  })

  test('say in one sentence what to set instead of payments on local chains, which are not part of the package', async () => {
    const served = await start('shelfmark-serve')
    expect(served).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^SHELFMARK_PAYMENTS: the local chains .* facilitator takes payments, off [^.\n]*\n$/,
      ),
    })
    expect((await start('shelfmark-serve', 'check')).stdout).toContain('FAIL  SHELFMARK_PAYMENTS')
  })

  test('name commands of the package, not of npm, in their messages', async () => {
    const messages = await Promise.all([
      start('shelfmark', 'public', 'stats', '--lake', 'none'),
      start('shelfmark', 'analyst', 'inflation', '--category', 'zzzzqqqq', '--lake', lake),
      start('shelfmark-refresh', 'snapshots', '--lake', 'none'),
      start('shelfmark-serve', 'check'),
      start('shelfmark-pay', '/v1/public/stats'),
    ])
    const text = messages.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('\n')
    expect(text).toContain(
      'shelfmark-sample --out data/feeds --listings 2000 && shelfmark-refresh --feeds data/feeds --lake none',
    )
    expect(text).toContain('start the service with shelfmark-serve')
    expect(text).not.toMatch(/npm (run|start|ci)|Warning/)
  })
})
