import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['engine', 'api', 'ingest', 'data', 'test', 'bench']
const entries = [
  ...folders,
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const made = ['node_modules', 'dist', 'data/lake', 'data/feeds', 'bench/peers/node_modules']

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !made.includes(join(folder, name)))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]))

const files = folders.flatMap(filesIn).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const product = files.filter(({ path }) => path.endsWith('.ts') && !/^(test|bench)\//.test(path))
const imports = product.flatMap(({ path, text }) =>
  // Without the examples of docstrings, which import the package by its name.
  [...text.replace(/^ *\*.*/gm, '').matchAll(/(?: from |^import |\bimport\()'([^'\n]+)'(?=\)|$)/gm)].map(
    ([, target = '']) => ({
      path,
      target: target.startsWith('.') ? join(dirname(path), target) : target,
    }),
  ),
)

/** What of the first kind imports what of the second, as `path -> target`. */
const crossings = (from: RegExp, to: RegExp): string[] =>
  imports
    .filter(({ path, target }) => from.test(path) && to.test(target))
    .map(({ path, target }) => `${path} -> ${target}`)

describe('the dependency rule:', () => {
  test.each([
    ['the engine imports no other folder', /^engine\//, /^(api|ingest|data|test|bench)\//],
    [
      'api and ingest import the public surface of the engine, and how a command was started, alone',
      /^(api|ingest)\//,
      /^engine\/(?!(index|contract\/program)\.ts$)/,
    ],
    ['api imports neither ingest nor data', /^api\//, /^(ingest|data|test|bench)\//],
    ['ingest imports neither api nor data', /^ingest\//, /^(api|data|test|bench)\//],
    [
      'the sample imports nothing of other folders but how its command was started',
      /^data\//,
      /^(engine\/(?!(contract\/program|lake\/duckdb)\.ts$)|api\/|ingest\/|test\/|bench\/)/,
    ],
    [
      'DuckDB is opened by the engine, ingest and the sample',
      /^(?!engine\/duckdb\/|engine\/lake\/(duckdb|lease|lock-file)\.ts$|engine\/index\.ts$|engine\/show\/(formats|standalone)\/|ingest\/|data\/sample\/)/,
      /^@duckdb\/|^engine\/lake\/duckdb\.ts$/,
    ],
    [
      'the engine imports DuckDB, zod, Arrow and, for plots, Observable Plot and linkedom alone',
      /^engine\//,
      /^(?!engine\/|node:|@duckdb\/node-api$|zod$|apache-arrow$|@observablehq\/plot$|linkedom\/worker$)/,
    ],
    [
      'libraries of plots are imported by plots alone',
      /^(?!engine\/show\/plots\/)/,
      /^(@observablehq\/plot|linkedom)(\/|$)/,
    ],
    [
      'plots are drawn on demand',
      /^(?!engine\/show\/plots\/)/,
      /^engine\/show\/plots\/(?!(file|index|plot|unplotted)\.ts$)/,
    ],
    [
      'ingest and the sample import DuckDB, zod, Arrow and, to decompress, fflate and fzstd alone',
      /^(ingest|data)\//,
      /^(?!ingest\/|data\/|engine\/|node:|@duckdb\/node-api$|zod$|apache-arrow$|fflate$|fzstd$)/,
    ],
  ])('%s', (_, from, to) => {
    expect(crossings(from, to)).toEqual([])
  })

  test.each(product.flatMap(({ path }) => (path.endsWith('/main.ts') ? path : [])))(
    '%s loads no package before it knows what to run',
    (entry) => {
      const loaded = new Set([entry])
      for (const path of loaded) {
        const { text = '' } = product.find((file) => file.path === path) ?? {}
        for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm))
          loaded.add(target.startsWith('.') ? join(dirname(path), target) : target)
      }
      expect([...loaded].filter((path) => !/\.ts$|^node:/.test(path) || path === 'engine/index.ts')).toEqual([])
    },
  )

  test('no files import each other in a cycle, not even for types', () => {
    // What remains when imports of files that import nothing, or that nothing imports, are left out again and again.
    let left = imports
    for (let count = -1; count !== left.length; ) {
      count = left.length
      const importing = new Set(left.map(({ path }) => path))
      const imported = new Set(left.map(({ target }) => target))
      left = left.filter(({ path, target }) => importing.has(target) && imported.has(path))
    }
    expect(left.map(({ path, target }) => `${path} -> ${target}`)).toEqual([])
  })

  test('the environment is read only where a process starts, and set where DuckDB is loaded', () => {
    const readers = product.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
    expect(
      readers.filter(
        (path) =>
          !/^api\/(ops\/config|start)\.ts$|^engine\/(contract\/program|lake\/duckdb)\.ts$|(^|\/)main\.ts$/.test(path),
      ),
    ).toEqual([])
  })
})

describe('rooms:', () => {
  /** From the lowest floor up. Files at the door of a folder put the rooms together, and may import all. */
  const floors: Readonly<Record<string, readonly string[]>> = {
    engine: ['contract', 'statistics', 'lake', 'duckdb', 'search', 'catalog', 'counts', 'queries', 'query', 'show'],
    api: ['ops', 'http', 'contract', 'payment', 'pay', 'pages', 'mcp', 'check', 'cli'],
  }
  const MAX_AT_DOOR = 6

  const roomOf = (folder: string, path: string): string | undefined =>
    new RegExp(`^${folder}/(?:([^/]+)/)`).exec(path)?.[1]

  test.each(Object.keys(floors))('%s has its rooms, each named in its README, and few files at its door', (folder) => {
    const rooms = new Set(product.flatMap(({ path }) => roomOf(folder, path) ?? []))
    expect([...rooms].sort()).toEqual([...floors[folder]!].sort())
    const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
    for (const room of rooms) expect(readme).toContain(`\n| \`${room}/\` | `)
    const door = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile())
    expect(door.length).toBeLessThanOrEqual(MAX_AT_DOOR)
  })

  test.each(Object.entries(floors))('a room of %s imports only those on lower floors', (folder, rooms) => {
    const up = imports.filter(({ path, target }) => {
      const [from, to] = [roomOf(folder, path), roomOf(folder, target)]
      return from !== undefined && to !== undefined && rooms.indexOf(to) > rooms.indexOf(from)
    })
    expect(up.map(({ path, target }) => `${path} -> ${target}`)).toEqual([])
    // A room does not reach for the door that puts it together, except for what a command opens.
    const doors = imports
      .filter(({ path }) => roomOf(folder, path) !== undefined && !path.startsWith('api/cli/'))
      .filter(({ target }) => new RegExp(`^${folder}/[^/]+\\.ts$`).test(target))
    expect(doors.map(({ path, target }) => `${path} -> ${target}`)).toEqual([])
  })
})

test('a type name is declared once', () => {
  const declaration =
    /^[ \t]*(?:export )?(?:declare )?(?:abstract )?(?:const )?(?:type|interface|class|enum) (\w+)(?=\s*[<={]|\s+(?:extends|implements)\b)/gm
  const pathsByName = new Map<string, string[]>()
  for (const { path, text } of files.filter(({ path }) => path.endsWith('.ts') && !path.startsWith('test/')))
    for (const [, name = ''] of text.matchAll(declaration))
      pathsByName.set(name, [...(pathsByName.get(name) ?? []), path])
  const repeated = [...pathsByName].filter(([, paths]) => paths.length > 1)
  expect([...pathsByName.keys()]).toContain('Engine')
  expect(repeated.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
})

test.each([
  ['.ts', 300],
  ['.css', 300],
  ['.sql', 80],
])('no %s file has more than %i lines', (extension, most) => {
  const long = files.filter(({ path, text }) => path.endsWith(extension) && text.trimEnd().split('\n').length > most)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('the top-level folder contains only the expected entries', () => {
  const present = readdirSync(root).filter((name) => !name.startsWith('.') && !made.includes(name))
  expect(present.sort()).toEqual(entries.sort())
})
