import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Measured, Tally } from './figure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const MAX_DIRECT = 20
const MAX_BYTES = 210e6
/** A hash that cannot be forged: SHA-512, complete. */
const STRONG = /^sha512-[A-Za-z0-9+/]{86}==$/

type LockedPackage = {
  integrity?: string
  optional?: boolean
  dev?: boolean
  hasInstallScript?: boolean
}
type Project = { dependencies: Record<string, string>; allowScripts?: Record<string, boolean> }

const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T

/** Bytes of the files of a package, without the packages inside it. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(entry.parentPath, entry.name)
      return sum + (entry.isDirectory() ? bytesOf(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0))
    }, 0)

/** Bytes of what `npm ci --omit=dev` installs on this machine. */
export const productionBytes = (): number => {
  const { packages } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json')
  const folders = Object.entries(packages).flatMap(([path, { dev }]) => (path !== '' && !dev ? [join(root, path)] : []))
  return folders.filter((folder) => existsSync(folder)).reduce((sum, folder) => sum + bytesOf(folder), 0)
}

/** Every package by its hash, few direct dependencies, every install script reviewed, and a small production install. */
export const measureSupplyChain = async (): Promise<Measured> => {
  const { packages } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json')
  const { dependencies, allowScripts = {} } = read<Project>('package.json')
  const tally = new Tally()
  for (const [path, { integrity, optional, hasInstallScript }] of Object.entries(packages)) {
    if (path === '') continue
    const name = path.split('node_modules/').at(-1)!
    tally.count(
      // Its makers did not publish every optional binary: what is absent is not fetched, and has no hash.
      !integrity && !(optional && !existsSync(join(root, path))) && `${name} has no integrity`,
      integrity !== undefined && !STRONG.test(integrity) && `${name} has a weak hash`,
      hasInstallScript && !allowScripts[name] && `the install script of ${name} is not reviewed`,
    )
  }
  const direct = Object.keys(dependencies).length
  const loose = Object.entries(dependencies).filter(([, range]) => !/^\d/.test(range))
  for (const [name] of loose) tally.count(`${name} is not pinned`)
  const bytes = productionBytes()
  const summary = `${direct} direct dependencies, all ${tally.rounds} packages by hash, ${(bytes / 1e6).toFixed(0)} MB of files in production`
  return tally.measured(summary, direct <= MAX_DIRECT && bytes < MAX_BYTES)
}
