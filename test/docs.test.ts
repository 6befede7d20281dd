import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from '../api/ops/config.ts'
import { firstMinutes } from '../api/pages/first-minutes.ts'
import { commandList, queryTable } from './support/query-table.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the README lists every query with its parameters', () => {
  expect(read('README.md')).toContain(`test/docs.test.ts -->\n${queryTable()}\n<!-- /queries -->`)
})

test('the help of shelfmark lists every query', () => {
  expect(read('engine/show/cli/commands.json')).toBe(commandList())
})

test.each(['engine', 'api', 'ingest', 'data', 'test', 'bench'])('%s has a README of at most 40 lines', (folder) => {
  expect(readdirSync(new URL(`../${folder}`, import.meta.url))).toContain('README.md')
  expect(read(`${folder}/README.md`).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test.each(firstMinutes('http://127.0.0.1:8402'))('the README has the first commands of $id', ({ commands }) => {
  expect(read('README.md')).toContain(`\n${commands}\n\`\`\``)
})

test('the commands in the READMEs are scripts of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = ['README.md', 'data/README.md', 'bench/README.md'].flatMap((path) =>
    [...read(path).matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name]) => name),
  )
  for (const name of named) expect(Object.keys(scripts)).toContain(name)
})

test('the page about selling names only settings and commands that exist', () => {
  const page = read('api/payment/selling.md')
  const names = [...page.matchAll(/SHELFMARK_[A-Z_]+/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect(Object.keys(settings.shape)).toContain(name)
  const commands = [...page.matchAll(/npm run -s serve -- (\w+)/g)].map(([, command]) => command)
  expect(new Set(commands)).toEqual(new Set(['check', 'payments']))
})
