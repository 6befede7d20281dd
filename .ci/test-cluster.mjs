// Runs the tests of clusters (test/cluster/) on nodes from npm, installed in .ci/cluster; elsewhere says why it does not.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = (command, ...args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1

const isInstalled = () =>
  ['ffi-rs', '@chdb/lib-linux-x64-gnu/libchdb.so'].every((name) =>
    existsSync(new URL(`./cluster/node_modules/${name}`, import.meta.url)),
  )

const place = `${process.platform} ${process.arch}`
if (place !== 'linux x64') {
  console.log(`skipped the tests of clusters: npm has no ClickHouse for ${place}`)
  process.exit()
}
if (!isInstalled()) run('npm', 'ci', '--prefix', '.ci/cluster', '--no-audit', '--no-fund')
// The packages are optional ones, so that npm leaves out what its registry or the system's C library does not provide.
if (!isInstalled()) {
  console.log('skipped the tests of clusters: npm did not install ClickHouse (.ci/cluster/package.json)')
  process.exit()
}
process.exit(
  run('node_modules/.bin/vitest', 'run', '--config', 'test/cluster/vitest.config.ts', ...process.argv.slice(2)),
)
