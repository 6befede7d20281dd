import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from '../api/ops/config.ts'
import { firstMinutes } from '../api/pages/first-minutes.ts'
import { commandList, queryTable } from './support/query-table.ts'
import { readmeExamples } from './support/readme.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the document of queries lists every query with its parameters', () => {
  expect(read('engine/queries/README.md')).toContain(`test/docs.test.ts -->\n${queryTable()}\n<!-- /queries -->`)
})

test('the README has a plot and the page of a terminal as they are drawn', async () => {
  const { plot, terminal } = await readmeExamples()
  expect(read('.github/inflation.svg')).toBe(plot)
  expect(read('README.md')).toContain(`test/docs.test.ts -->\n${terminal}\n<!-- /terminal -->`)
})

test('the README is short, and its first screen ends with the two commands', () => {
  const text = read('README.md')
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(900)
  const first = text.slice(0, text.indexOf('\n## '))
  for (const part of ['.github/inflation.svg', 'npm ci && npm start', 'npm ci && npm test'])
    expect(first).toContain(part)
})

test.each(['README.md', 'engine/guide.md', 'api/http/guide.md', 'ingest/guide.md'])(
  '%s names only files that exist',
  (path) => {
    const text = read(path)
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    const named = [...text.matchAll(/`([\w./-]+\.md)`/g)].map(([, name = '']) => name)
    const folder = new URL(`../${path}`, import.meta.url)
    expect([...links, ...named].filter((name) => !existsSync(new URL(name, folder)))).toEqual([])
  },
)

test('the help of shelfmark lists every query', () => {
  expect(read('engine/show/cli/commands.json')).toBe(commandList())
})

test.each(['engine', 'api', 'ingest', 'data', 'test', 'bench'])('%s has a README of at most 40 lines', (folder) => {
  expect(readdirSync(new URL(`../${folder}`, import.meta.url))).toContain('README.md')
  expect(read(`${folder}/README.md`).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test.each(firstMinutes('http://127.0.0.1:8402'))('a document has the first commands of $id', ({ id, commands }) => {
  expect(read(id === 'engineer' ? 'engine/guide.md' : 'README.md')).toContain(`\n${commands}\n\`\`\``)
})

test('the commands in the READMEs are scripts of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [
    'README.md',
    'engine/guide.md',
    'api/http/guide.md',
    'ingest/guide.md',
    'data/README.md',
    'bench/README.md',
  ].flatMap((path) => [...read(path).matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name]) => name))
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
