import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { shareLakes } from './shared-lakes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles the commands and scripts that tests start, and the package that they install. Types are checked elsewhere. Creates
 * the folder of the lakes that files share.
 */
export const setup = (): Promise<() => Promise<void>> => {
  for (const args of [['.ci/compile.mjs'], ['node_modules/tsc/bin/tsc', '-p', 'engine', '--noCheck']])
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  return shareLakes()
}
