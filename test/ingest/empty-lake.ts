import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a lake that does not exist yet, removed when the test ends. */
export const emptyLake = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-lake-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'lake')
}
