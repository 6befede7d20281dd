import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'

/** A folder of its own, removed after the test file. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
