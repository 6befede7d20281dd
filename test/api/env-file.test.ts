import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { compiled } from '../support/compiled.ts'
import { temporaryFolder } from '../support/given.ts'

const module = compiled('api/ops/env-file.ts')
const script = `
  const { loadEnvFile } = await import('${module}')
  try {
    loadEnvFile()
    console.log(JSON.stringify(process.env))
  } catch (error) {
    console.log(JSON.stringify({ refused: error.name + ': ' + error.message }))
  }`

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** The environment of a process whose working directory has this `.env`. */
const load = async (text: string | null, environment: Record<string, string> = {}): Promise<Record<string, string>> => {
  if (text !== null) await writeFile(join(folder, '.env'), text)
  const { PATH = '' } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { PATH, ...environment },
  })
  expect(stderr.toString()).toBe('')
  return JSON.parse(stdout.toString())
}

describe('the .env file', () => {
  test('sets variables that are not set and leaves those that are', async () => {
    const text = '# settings\n\nSHELFMARK_PORT=9000\nSHELFMARK_HOST = "::1" # loopback\nexport SHELFMARK_RATE=7\n'
    const environment = await load(text, { SHELFMARK_PORT: '1', SHELFMARK_RATE: '' })
    expect(environment).toMatchObject({ SHELFMARK_PORT: '1', SHELFMARK_HOST: '::1', SHELFMARK_RATE: '' })
  })

  test('may be missing', async () => {
    expect(await load(null)).not.toHaveProperty('refused')
  })

  test('may contain quoted values of several lines', async () => {
    const { A, B } = await load('A="one\nno assignment\nthree"\nB=\'x\'\n')
    expect([A, B]).toEqual(['one\nno assignment\nthree', 'x'])
  })

  test.each([
    ['a word', 'A=1\nSHELFMARK_PORT 9000\n', 2],
    ['a name that starts with a digit', '1A=1\n', 1],
    ['a line after a value of several lines', 'A="one\ntwo"\r\n=x\n', 3],
  ])('is refused for %s, with the line number and without its text', async (_, text, line) => {
    const { refused } = await load(text)
    expect(refused).toBe(`ConfigError: .env, line ${line}: expected NAME=value or a comment that starts with #`)
  })

  test('is refused where it cannot be read', async () => {
    await mkdir(join(folder, '.env'))
    expect((await load(null)).refused).toMatch(/^ConfigError: \.env cannot be read: EISDIR/)
  })
})
