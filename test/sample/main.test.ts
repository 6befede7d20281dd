import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compiled } from '../support/compiled.ts'
import { scratchFolder } from './scratch.ts'

const scratch = scratchFolder()

const sample = (...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [compiled('data/sample/main.ts'), ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })

it('shelfmark-sample --help lists every option and says that the default date is yesterday', async () => {
  const { code, stdout } = await sample('--help')
  expect(code).toBe(0)
  for (const option of ['out', 'seed', 'listings', 'observations', 'months', 'until', 'format', 'threads'])
    expect(stdout).toContain(`--${option} `)
  expect(stdout).toMatch(/yesterday, UTC/)
})

it.each([
  ['a word for a number', ['--out', join(scratch, 'word'), '--listings', 'many'], '--listings'],
  ['an unknown option', ['--out', join(scratch, 'unknown'), '--colour', 'red'], '--colour'],
])('shelfmark-sample exits with 2 for %s and names the option', async (_, args, option) => {
  const { code, stdout, stderr } = await sample(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(option)
  expect(stdout).toBe('')
})

it('shelfmark-sample prints feeds, files, rows and bytes, and no progress without a terminal', async () => {
  const out = join(scratch, 'small')
  const { code, stdout, stderr } = await sample(
    '--out',
    out,
    '--listings',
    '50',
    '--months',
    '2',
    '--until',
    '2026-10-31',
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^2026-09-01 to 2026-10-31$/m)
  expect(stdout).toMatch(/^product_catalogue +2 files +50 rows +0\.\d MB$/m)
  expect(readdirSync(join(out, 'price_observations'))).toEqual([
    '2026-09-ca.csv',
    '2026-09-us.csv',
    '2026-10-ca.csv',
    '2026-10-us.csv',
  ])
})
