// Writes a bundle (github.com/modelcontextprotocol/mcpb) with which hosts install the MCP server: `npm run mcpb -- FILE`. The
// bundle has no code: npx installs the package of the same version, with DuckDB's binary for the machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'

const { name, version, description, license, keywords, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const [, out = `${name}-${version}.mcpb`] = process.argv.slice(1)

const manifest = {
  manifest_version: '0.4',
  name,
  display_name: 'Shelfmark',
  version,
  description,
  author: { name: 'Shelfmark' },
  license,
  keywords,
  server: {
    type: 'node',
    entry_point: 'manifest.json',
    mcp_config: {
      command: 'npx',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it.
      args: ['-y', `--package=${name}@${version}`, 'shelfmark-mcp', '--lake', '${user_config.lake}'],
    },
  },
  tools_generated: true,
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
  user_config: {
    lake: {
      type: 'directory',
      title: 'Lake',
      description: 'The folder of the lake, as shelfmark-refresh makes it.',
      required: true,
    },
  },
}

const files = { 'manifest.json': strToU8(JSON.stringify(manifest, null, 2)), LICENSE: readFileSync('LICENSE') }
writeFileSync(out, zipSync(files, { mtime: '2000-01-01' }))
console.log(out)
