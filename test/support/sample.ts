import { createHash } from 'node:crypto'
import { access, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSample } from '../../data/sample/sample.ts'
import { refresh } from '../../ingest/refresh.ts'

const LISTINGS = 1500
const UNTIL = '2026-11-20'
const AS_OF = '2026-11-21T00:00:00Z'

const root = new URL('../../', import.meta.url)
/** Whatever decides what the sample lake holds. */
const SOURCES = ['data/sample/', 'ingest/', 'engine/catalog/', 'test/support/sample.ts']

const filesOf = async (path: string): Promise<string[]> => {
  if (!path.endsWith('/')) return [path]
  const entries = await readdir(new URL(path, root), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return files.sort()
}

const sourcesHash = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of (await Promise.all(SOURCES.map(filesOf))).flat()) hash.update(await readFile(new URL(file, root)))
  return hash.digest('hex').slice(0, 16)
}

let hashed: Promise<string> | undefined

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const build = async (lake: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-build-'))
  try {
    await writeSample({ out: join(folder, 'feeds'), listings: LISTINGS, until: UNTIL })
    const { status, reasons } = await refresh({ feeds: join(folder, 'feeds'), lake: join(folder, 'lake') })
    if (status !== 'published') throw new Error(`the sample was ${status}: ${reasons.join(', ')}`)
    // Another worker may have been first: its lake is the same.
    await rename(join(folder, 'lake'), lake).catch(async (cause: unknown) => {
      if (!(await exists(lake))) throw cause
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A lake of the sample feeds, and the moment after its last observation. It is built once and shared by all workers and
 * runs over the same sources: read it, never refresh it.
 */
export const sampleLake = async (): Promise<{ lake: string; as_of: Date }> => {
  hashed ??= sourcesHash()
  const lake = join(tmpdir(), `shelfmark-sample-${await hashed}`)
  if (!(await exists(lake))) await build(lake)
  return { lake, as_of: new Date(AS_OF) }
}
