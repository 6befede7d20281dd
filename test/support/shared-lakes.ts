import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { temporaryFolder } from './temporary-folder.ts'

/** The variable with the folder of the lakes that the files of a run share. */
const LAKES = 'SHELFMARK_TEST_LAKES'

/** Creates the folder of the lakes that the files of a run share; returns what removes it. */
export const shareLakes = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-lakes-'))
  process.env[LAKES] = folder
  return () => rm(folder, { recursive: true, force: true })
}

const making = new Map<string, Promise<void>>()

/** Makes a lake unless the run has it. Another worker may have been first: its lake is the same. */
const makeIn = async (folder: string, path: string, make: (lake: string) => Promise<unknown>): Promise<void> => {
  if (existsSync(path)) return
  const lake = join(await mkdtemp(join(folder, 'making-')), 'lake')
  await make(lake)
  await rename(lake, path).catch((cause: unknown) => {
    if (!existsSync(path)) throw cause
  })
}

/** A new lake for each caller, which may change it: a copy of the one that the run makes of the same feeds. */
export const copyOfLake = async (feeds: object, make: (lake: string) => Promise<unknown>): Promise<string> => {
  const lake = join(await temporaryFolder(), 'lake')
  const folder = process.env[LAKES]
  if (!folder) {
    await make(lake)
    return lake
  }
  const path = join(folder, createHash('sha256').update(serialize(feeds)).digest('hex'))
  const made = making.get(path) ?? makeIn(folder, path, make)
  making.set(path, made)
  await made
  await cp(path, lake, { recursive: true })
  return lake
}
