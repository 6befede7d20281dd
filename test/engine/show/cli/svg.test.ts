import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, type Sink } from '../../../../engine/show/cli.ts'
import { sampleLake, temporaryFolder } from '../../../support/given.ts'
import { parseSvg } from '../../../support/svg.ts'

const run = async (...argv: string[]) => {
  const { lake, as_of } = await sampleLake()
  const [out, err] = [[] as string[], [] as string[]]
  const sink = (texts: string[]): Sink => ({
    write: (chunk) => texts.push(String(chunk)),
    isTerminal: false,
    hasColours: false,
    columns: 80,
  })
  const code = await runCli(argv, { stdout: sink(out), stderr: sink(err) }, { lake, as_of: as_of.toISOString() })
  return { code, out: out.join(''), err: err.join('') }
}

const inflation = ['analyst', 'inflation', '--category', 'electronics', '--days', '365']

test('--svg draws the plots of an answer to a file', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'inflation.svg')
  expect(await run(...inflation, '--svg', file)).toEqual({ code: 0, out: '', err: `${file}: 5 plots\n` })
  const text = readFileSync(file, 'utf8')
  expect(parseSvg(text.replace(/<style>.*?<\/style>/, '')).name).toBe('svg')
  expect(text).toMatch(/Shelfmark, analyst\/inflation; snapshot 000001-\w+; prices through 2026-11-20/)
  expect(readdirSync(folder)).toEqual(['inflation.svg'])
})

test.each([
  [['public', 'stats'], 'svg: public/stats has no plot: its counts are of different things, without a common scale'],
  [[...inflation, '--csv'], '--csv and --svg cannot be combined; send one'],
  [[...inflation, '--parquet', 'x.parquet'], '--parquet and --svg cannot be combined; send one'],
  [[...inflation, '--explain'], '--explain and --svg cannot be combined; send --explain --json'],
  [['analyst', 'inflation', '--each', 'category'], '--each and --svg cannot be combined; send one'],
  [['sql', ...inflation], '--svg cannot be combined with a script, which is printed as SQL'],
  [['sql', 'SELECT 1'], 'unknown option --svg; did you mean --csv?'],
])('--svg is refused with %j', async (argv, message) => {
  const { code, err } = await run(...argv, '--svg', 'x.svg')
  expect([code, JSON.parse(err).error.message]).toEqual([2, message])
  expect(existsSync('x.svg')).toBe(false)
})

test('--svg refuses a file in the lake and a folder that does not exist', async () => {
  const { lake } = await sampleLake()
  const inLake = await run(...inflation, '--svg', join(lake, 'x.svg'))
  expect([inLake.code, JSON.parse(inLake.err).error.message]).toEqual([2, expect.stringContaining('is in the lake')])
  const nowhere = await run(...inflation, '--svg', '/nowhere/x.svg')
  expect(JSON.parse(nowhere.err).error.message).toBe('svg: folder /nowhere does not exist')
})

test('--svg writes nothing where the answer has too few values for a plot', async () => {
  const file = join(await temporaryFolder(), 'x.svg')
  const { code, err } = await run(...inflation.slice(0, 4), '--days', '2', '--granularity', 'monthly', '--svg', file)
  expect([code, JSON.parse(err).error]).toEqual([
    1,
    expect.objectContaining({
      code: 'NO_RESULTS',
      message: 'svg: the answer of analyst/inflation has too few values for a plot',
    }),
  ])
  expect(existsSync(file)).toBe(false)
})
