import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bestPrice, Engine } from '../../../engine/library.ts'
import { compiled } from '../../support/compiled.ts'
import { sized } from '../../support/full-size.ts'
import { givenFiles } from '../feeds.ts'

// `script` of util-linux gives a command a terminal of its own.
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false
const REFRESH = compiled('ingest/main.ts')
const PROMPT = /\]: $/

/** Runs a command in a folder on a terminal, typing the next key strokes whenever it asks. */
const onTerminal = async (folder: string, args: readonly string[], typed: readonly string[]) => {
  const command = [process.execPath, REFRESH, ...args].map((part) => `'${part}'`).join(' ')
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: folder, env: { ...process.env, TERM: 'dumb' } })
  const keys = [...typed]
  let page = ''
  let asked = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: where a terminal puts its cursor
    page += text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    if (!PROMPT.test(page)) return
    page += '\n'
    asked += 1
    child.stdin.write(keys.shift() ?? '\r')
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, asked, page: page.replaceAll('\r', '') }
}

/** The arguments of the command that a check printed to run next. */
const nextArguments = (page: string): string[] => / (--feeds .*)$/m.exec(page)![1]!.split(' ')

const answersOf = async (lake: string, country: string, q: string) => {
  const engine = await Engine.open(lake, { as_of: new Date('2026-03-05T00:00:00Z') })
  const answer = await engine.ask(bestPrice, { q, country })
  engine.close()
  return answer
}

const yen = ['price,title', '"59,400円",炊飯器 NP #', '"1,980円",やかん K #']
const euro = ['Nome;Preço', 'Azeite Virgem # 750 ml;7,49 €', 'Bacalhau # 1 kg;12,90 €', 'Vinho Tinto # 75 cl;4,05 €']

/** A header and rows after these patterns in turn, numbered. */
const rows = ([header, ...patterns]: readonly string[]): string => {
  const lines = Array.from({ length: 30 }, (_, i) => patterns[i % patterns.length]!.replace('#', String(i)))
  return `${[header, ...lines].join('\n')}\n`
}

describe.skipIf(!hasTerminal)('check on a terminal', () => {
  const files = [
    ['yen', rows(yen), ['jp\r', '2026-03-01\r', 'yodo\r'], 'jp', 'NP 2', { currency: 'JPY', price: 59_400 }],
    ['euros', rows(euro), ['pt\r', '2026-03-02\r', 'loja azul\r'], 'pt', 'bacalhau', { currency: 'EUR', price: 12.9 }],
  ] as const
  test.each(sized(files.slice(0, 1), [...files]))(
    'asks for what a file of prices in %s does not say, and the printed command reads it',
    async (_, file, keys, country, q, of) => {
      const folder = await givenFiles({ 'in/prices.csv': file })
      const { code, asked, page } = await onTerminal(folder, ['check', 'in'], keys)
      expect({ code, asked }, page).toEqual({ code: 0, asked: 3 })
      const next = nextArguments(page)
      const refreshed = spawnSync(process.execPath, [REFRESH, ...next, '--lake', 'lake'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(refreshed.stdout + refreshed.stderr).toContain('published 000001-')
      expect(await answersOf(join(folder, 'lake'), country, q)).toMatchObject({
        currency: of.currency,
        best_price: { price: of.price },
      })
    },
  )

  test('asks again where an answer cannot be used, and an empty one takes the default', async () => {
    const folder = await givenFiles({ 'azul/prices.csv': rows(euro) })
    const keys = ['nowhere\r', 'pt EURO\r', 'pt\r', '1 March\r', '2026-03-01\r']
    const { code, asked, page } = await onTerminal(folder, ['check', 'azul'], keys)
    expect({ code, asked }, page).toEqual({ code: 0, asked: 6 })
    for (const problem of ['expected a country', 'expected a currency', 'expected a date'])
      expect(page).toContain(problem)
    const { price_observations } = JSON.parse(readFileSync(join(folder, 'mapping.json'), 'utf8'))
    expect(price_observations.constants).toMatchObject({ country: 'pt', observed_at: '2026-03-01', platform: 'azul' })
  })

  const endings = [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const
  test.each(sized(endings.slice(0, 1), [...endings]))('%s at a question writes nothing', async (_, key) => {
    const folder = await givenFiles({ 'in/prices.csv': rows(euro) })
    const { code, page } = await onTerminal(folder, ['check', 'in'], [key])
    expect(page).toMatch(/cancelled; no mapping is written\n$/)
    expect(code).toBe(1)
    expect(readdirSync(folder)).toEqual(['in'])
  })
})

describe('check without a terminal', () => {
  const check = (cwd: string, ...args: string[]) =>
    spawnSync(process.execPath, [REFRESH, 'check', 'in', ...args], { cwd, encoding: 'utf8' })

  test('asks nothing and writes nothing; --yes writes the defaults, never over a file, and --json has both', async () => {
    const folder = await givenFiles({ 'in/prices.csv': rows(euro) })
    expect(check(folder)).toMatchObject({ status: 0, stdout: expect.stringContaining('questions'), stderr: '' })
    expect(check(folder, '--json').stdout).toContain('"questions"')
    expect(readdirSync(folder)).toEqual(['in'])
    expect(check(folder, '--yes').stdout).toContain('saved as mapping.json')
    const second = JSON.parse(check(folder, '--yes', '--json').stdout)
    expect(second).toMatchObject({ file: 'mapping-2.json', next: expect.stringContaining('--mapping mapping-2.json') })
    expect(JSON.parse(readFileSync(join(folder, 'mapping-2.json'), 'utf8'))).toEqual(second.mapping)
    expect(readdirSync(folder).sort()).toEqual(['in', 'mapping-2.json', 'mapping.json'])
  })
})
