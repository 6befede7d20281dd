// Compiles what `npm start` and the tests run into dist, unless nothing has changed since. Types are checked elsewhere.
// `npm ci` does it too, unless the compiler (--omit=dev) or the sources (only package.json is copied) are missing.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Has the time at which a complete compilation began: what is changed during it is compiled by the next. */
const STAMP = 'dist/test/compiled'

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const filesIn = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))

const began = new Date()
const compiled = timeOf(STAMP)
const sources = [
  'engine',
  'api',
  'ingest',
  'data/sample',
  'test',
  '.ci/compile.mjs',
  '.ci/copy-assets.mjs',
  'tsconfig.json',
]
const isCurrent = sources.every((path) =>
  (statSync(path).isDirectory() ? filesIn(path) : [path]).every((file) => timeOf(file) < compiled),
)

if (!isCurrent) {
  const run = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' })
  // Without reading imports, which takes longer than the rest.
  run('node_modules/tsc/bin/tsc', '-p', 'test/compiled.tsconfig.json', '--noCheck', '--noResolve')
  await import('./copy-assets.mjs')
  for (const file of filesIn('test/chains')) if (file.endsWith('.json')) cpSync(file, join('dist', file))
  writeFileSync(STAMP, '')
  utimesSync(STAMP, began, began)
}
