import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EngineError, filesBelow } from '../../../engine/index.ts'
import { isHidden } from '../../feeds/discover.ts'

/** Files to check; their names are relative to `root`, which is --feeds for a refresh. */
export type Inputs = { root: string; names: string[] }

type NamedFiles = { folder: string; names: string[] }

const invalidPath = (message: string): EngineError => new EngineError('INVALID_PARAMS', message)

const reasonOf = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (cause as Error).message

const readInput = async (path: string): Promise<NamedFiles> => {
  const full = resolve(path)
  const stats = await stat(full).catch((cause: unknown) => {
    throw invalidPath(`${path} cannot be read: ${reasonOf(cause)}`)
  })
  if (stats.isDirectory()) {
    const names = await filesBelow(full).catch((cause: unknown) => {
      throw invalidPath(`the folder ${path} cannot be read: ${reasonOf(cause)}`)
    })
    return { folder: full, names: names.filter((name) => !isHidden(name)).map((name) => join(full, name)) }
  }
  if (!stats.isFile()) throw invalidPath(`${path} is neither a file nor a folder`)
  return { folder: dirname(full), names: [full] }
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
  const all: NamedFiles[] = []
  for (const path of paths.length === 0 && folder !== undefined ? [folder] : paths) all.push(await readInput(path))
  if (all.length === 0) throw invalidPath('FILE is missing: name the files to check, or a folder of them')
  const root = folder === undefined ? commonFolder(all.map((entry) => entry.folder)) : resolve(folder)
  const names = [...new Set(all.flatMap((entry) => entry.names))].map((name) =>
    relative(root, name).replaceAll(sep, '/'),
  )
  const outside = names.find((name) => name.startsWith('../'))
  if (outside !== undefined) throw invalidPath(`${outside} is not below the folder ${folder}`)
  if (names.length === 0) throw invalidPath(`no files below ${paths.join(', ') || folder}`)
  return { root, names: names.sort() }
}
