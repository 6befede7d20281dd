import { readFileSync } from 'node:fs'

/** The commands of the package, by the npm script that a checkout has for each. */
export type Program = 'shelfmark' | 'refresh' | 'serve' | 'sample' | 'pay' | 'mcp'

const isSource = import.meta.url.endsWith('.ts')
const { npm_lifecycle_event, npm_package_name } = process.env

/** A checkout runs its sources by npm scripts, compiled for `npm start`; an installed copy has compiled files and commands. */
const isCheckout = isSource || (npm_lifecycle_event === 'start' && npm_package_name === 'shelfmark')

/** How the package is run: from a checkout, by npx from the folder it is installed in, or as commands on the path. */
export type Start = 'checkout' | 'npx' | 'installed'
const started: Start = isCheckout ? 'checkout' : npm_lifecycle_event === 'npx' ? 'npx' : 'installed'

/** The command line that runs a command of this package, in the way in which the running one was started. */
export const commandLine = (program: Program, args = '', start = started): string => {
  if (start === 'checkout') return `npm run -s ${program}${args && ` -- ${args}`}`
  const command = program === 'shelfmark' ? program : `shelfmark-${program}`
  return `${start === 'npx' ? 'npx ' : ''}${command}${args && ` ${args}`}`
}

type Package = { version: string } & Record<'optionalDependencies' | 'devDependencies', Record<string, string>>
const readPackage = (): Package =>
  JSON.parse(readFileSync(new URL(isSource ? '../../package.json' : '../../../package.json', import.meta.url), 'utf8'))

/** The command that installs an optional package. */
export const installLine = (name: string, start = started): string => {
  if (start === 'checkout') return 'npm ci, or npm install --include=optional,'
  const { optionalDependencies, devDependencies } = readPackage()
  return `npm install ${name}@${optionalDependencies[name] ?? devDependencies[name] ?? 'latest'}`
}

/** The version of this package. */
export const version = (): string => readPackage().version

/**
 * What `--help` or `--version` among the arguments of a command asks for, undefined without either: known before anything
 * else is loaded.
 */
export const programText = (args: readonly string[], help: string): string | undefined => {
  if (args.includes('--help') || args.includes('-h')) return help
  return args.includes('--version') ? `${version()}\n` : undefined
}
