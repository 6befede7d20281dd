import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine, installLine, version } from '../../engine/contract/program.ts'

const root = new URL('../../', import.meta.url).pathname

test.each([
  ['checkout', 'npm run -s refresh -- verify --lake x', 'npm run -s shelfmark'],
  ['installed', 'shelfmark-refresh verify --lake x', 'shelfmark'],
  ['npx', 'npx shelfmark-refresh verify --lake x', 'npx shelfmark'],
] as const)('a command in a message fits how the program was started: %s', (start, refresh, shelfmark) => {
  expect(commandLine('refresh', 'verify --lake x', start)).toBe(refresh)
  expect(commandLine('shelfmark', '', start)).toBe(shelfmark)
})

test('a missing package is named with its version, unless npm ci installs it', () => {
  const { optionalDependencies, devDependencies, ...project } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  expect(installLine('pg', 'installed')).toBe(`npm install pg@${optionalDependencies.pg}`)
  expect(installLine('@x402/fetch', 'installed')).toBe(`npm install @x402/fetch@${devDependencies['@x402/fetch']}`)
  expect(installLine('pg', 'checkout')).toMatch(/^npm ci/)
  expect(version()).toBe(project.version)
})

test('no other file contains the text of a command', () => {
  const files = ['engine', 'api', 'ingest', 'data/sample'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  const wording = files.filter((file) => /npm run -s|npm start/.test(readFileSync(join(root, file), 'utf8')))
  expect(wording).toEqual(['engine/contract/program.ts'])
})
