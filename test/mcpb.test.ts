import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { USAGE } from '../api/mcp/help.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the bundle for hosts starts the MCP server of this version over the folder that its user chooses', async () => {
  const file = join(await temporaryFolder(), 'shelfmark.mcpb')
  execFileSync(process.execPath, ['.ci/mcpb.mjs', file], { cwd: root })
  const manifest = JSON.parse(strFromU8(unzipSync(readFileSync(file))['manifest.json']!))
  const { name, version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // What version 0.4 of the format requires.
  expect(manifest).toMatchObject({
    manifest_version: '0.4',
    ...{ name, version },
    description: expect.any(String),
    author: { name: expect.any(String) },
    server: { type: 'node', entry_point: expect.any(String), mcp_config: { command: 'npx' } },
  })
  const [, from, command, option, value] = manifest.server.mcp_config.args
  expect(from).toBe(`--package=${name}@${version}`)
  expect(bin).toHaveProperty(command)
  expect(USAGE).toContain(` ${option} `)
  expect(value).toBe(`\${user_config.${Object.keys(manifest.user_config)[0]}}`)
})
