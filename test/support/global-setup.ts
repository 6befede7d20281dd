import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Compiles the commands and scripts that tests start, and the package that they install. Types are checked elsewhere. */
export const setup = (): void => {
  const tsc = 'node_modules/tsc/bin/tsc'
  for (const args of [
    [tsc, '-p', 'test/compiled.tsconfig.json', '--noCheck'],
    [tsc, '-p', 'engine', '--noCheck'],
    ['.ci/copy-assets.mjs'],
  ])
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
}
