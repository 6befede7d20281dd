import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleLake } from './support/sample.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const GUIDE = readFileSync(join(ROOT, '.github/CONTRIBUTING.md'), 'utf8')

/** The steps of the guide that name a file and what to write into it. */
const steps = [...GUIDE.matchAll(/^\d\. \*\*\w+\*\*, `([\w/.-]+)`.*?```(ts|diff)\n(.*?)\n {3}```/gms)].map(
  ([, file = '', kind = '', text = '']) => ({ file, kind, text: text.replace(/^ {3}/gm, '') }),
)

const own = steps.flatMap(({ file }) => (file.startsWith('test/') ? [file] : []))
/** Tests of every query. */
const GENERAL = ['test/engine/contract.test.ts', 'test/engine/definitions.test.ts']

/** Replaces the context of each hunk, which the text has once, by the hunk. */
const patched = (text: string, diff: string): string =>
  diff.split(/^@@\n/m).reduce((before, hunk) => {
    const lines = hunk.trimEnd().split('\n')
    const textOf = (kept: readonly string[]) => kept.map((line) => `${line.slice(1)}\n`).join('')
    const context = textOf(lines.filter((line) => !line.startsWith('+')))
    expect(before.split(context), context).toHaveLength(2)
    return before.replace(context, () => textOf(lines))
  }, text)

describe('a query that is added as the guide says', () => {
  let folder: string
  const npx = (...args: string[]) => run(join(ROOT, 'node_modules/.bin', args[0]!), args.slice(1), { cwd: folder })
  let lake: string

  beforeAll(async () => {
    ;[folder, { lake }] = await Promise.all([temporaryFolder(), sampleLake()])
    // Without the packages in .ci, of which those of clusters are half a gigabyte.
    const isOwn = (path: string) =>
      !/^((\.ci\/\w+\/)?node_modules|dist|\.git|data\/(lake|feeds))$/.test(relative(ROOT, path))
    cpSync(ROOT, folder, { recursive: true, filter: isOwn })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, kind, text } of steps) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, kind === 'ts' ? `${text}\n` : patched(readFileSync(path, 'utf8'), text))
    }
  }, 60_000)

  const command = ['engine/main.ts', 'analyst', 'retailer-ratings', '--category', 'coffee', '--days', '90']

  test('touches three files of the product and its test', () => {
    expect(steps.map(({ file }) => file)).toEqual([
      'engine/queries/analyst/retailer-ratings.ts',
      'engine/queries/index.ts',
      'engine/show/plots/drawings.ts',
      'test/engine/queries/analyst/retailer-ratings.test.ts',
    ])
  })

  test('passes lint, format and types', async () => {
    await npx('biome', 'check', ...steps.map(({ file }) => file))
    // With the general tests of queries, which read its declaration; the other files do not name it.
    const files = ['../engine/library.ts', ...GENERAL, ...own].map((file) => file.replace(/^test/, '.'))
    const path = join(folder, 'test/own.tsconfig.json')
    writeFileSync(path, JSON.stringify({ extends: './tsconfig.json', include: [], files }))
    await npx('tsc', '--noEmit', '-p', path)
  }, 180_000)

  test('answers its example, and fits the contract without a line more', async () => {
    // None of them starts a command, so nothing is compiled.
    const config = join(folder, 'test/own.config.ts')
    const text = `import config from './vitest.config.ts'
export default { test: { ...config.test, globalSetup: [] } }
`
    writeFileSync(config, text)
    // Of the general tests those of the query, and its own.
    const options = ['--config', config, '--no-color', '-t', 'retailer-ratings|rated listings']
    const { stdout } = await npx('vitest', 'run', ...options, ...GENERAL, ...own)
    expect(stdout).toMatch(/Test Files +3 passed/)
  }, 300_000)

  test('is a command with a table and a plot', async () => {
    const { stdout } = await npx('tsx', ...command, '--lake', lake, '--json')
    expect(JSON.parse(stdout).retailers[0]).toEqual({
      retailer: expect.any(String),
      product_count: expect.any(Number),
      rated_count: expect.any(Number),
      avg_rating: expect.any(Number),
    })
    await npx('tsx', ...command, '--lake', lake, '--svg', 'ratings.svg')
    expect(readFileSync(join(folder, 'ratings.svg'), 'utf8')).toContain('Ratings in')
  }, 60_000)

  test('gives the same bytes from memory and from files', async () => {
    const script = join(folder, 'both.ts')
    writeFileSync(
      script,
      `import { Engine, readParams, retailerRatings } from './engine/library.ts'
const answers = await Promise.all([true, false].map(async (warm) => {
  const engine = await Engine.open(process.argv[2]!, { warm, as_of: new Date('2026-11-21T00:00:00Z') })
  const plan = await engine.plan(retailerRatings, readParams(retailerRatings, { category: 'coffee', days: '90' }))
  const { is_from_memory } = await engine.execution(plan)
  return { is_from_memory, answer: await engine.run(plan) }
}))
console.log(JSON.stringify(answers))
process.exit()
`,
    )
    const [memory, files] = JSON.parse((await npx('tsx', script, lake)).stdout)
    expect([memory.is_from_memory, files.is_from_memory]).toEqual([true, false])
    expect(memory.answer).toEqual(files.answer)
  }, 60_000)
})
