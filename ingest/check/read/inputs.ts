import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EngineError, filesBelow } from '../../../engine/index.ts'
import { isHidden } from '../../feeds/discover.ts'

/** Files to check; their names are relative to `root`, which is --feeds for a refresh. */
export type Inputs = { root: string; names: string[] }

const invalidPath = (message: string): EngineError => new EngineError('INVALID_PARAMS', message)

const unreadable = (what: string) => (cause: NodeJS.ErrnoException) => {
  throw invalidPath(`${what} cannot be read: ${cause.code === 'ENOENT' ? 'there is no such file' : cause.message}`)
}

/** The files that a path names, and the folder that they are in. */
const readInput = async (path: string): Promise<{ folder: string; names: string[] }> => {
  const full = resolve(path)
  const stats = await stat(full).catch(unreadable(path))
  if (stats.isFile()) return { folder: dirname(full), names: [full] }
  if (!stats.isDirectory()) throw invalidPath(`${path} is neither a file nor a folder`)
  const names = await filesBelow(full).catch(unreadable(`the folder ${path}`))
  return { folder: full, names: names.filter((name) => !isHidden(name)).map((name) => join(full, name)) }
}

/** The deepest folder that all of these are in, or are. */
const commonFolder = (folders: readonly string[]): string => {
  const [first = [], ...others] = folders.map((folder) => folder.split(sep))
  const depth = first.findIndex((part, index) => others.some((parts) => parts[index] !== part))
  return (depth < 0 ? first : first.slice(0, depth)).join(sep) || sep
}

/**
 * The named files, and all files below the named folders except hidden ones. The root is the given folder, else the
 * deepest folder that contains all of them. INVALID_PARAMS for a path that does not exist, is outside the root, or is
 * an empty folder.
 */
export const findInputs = async (paths: readonly string[], folder?: string): Promise<Inputs> => {
  const wanted = paths.length === 0 && folder !== undefined ? [folder] : paths
  if (wanted.length === 0) throw invalidPath('FILE is missing: name the files to check, or a folder of them')
  const all = []
  for (const path of wanted) all.push(await readInput(path))
  const root = folder === undefined ? commonFolder(all.map((entry) => entry.folder)) : resolve(folder)
  const names = [...new Set(all.flatMap((entry) => entry.names))].map((name) =>
    relative(root, name).replaceAll(sep, '/'),
  )
  const outside = names.find((name) => name.startsWith('../'))
  if (outside !== undefined) throw invalidPath(`${outside} is not below the folder ${folder}`)
  if (names.length === 0) throw invalidPath(`no files below ${paths.join(', ') || folder}`)
  return { root, names: names.sort() }
}
