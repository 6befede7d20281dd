import { createHash } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './temporary-folder.ts'

const made = new Map<string, Promise<{ lake: string; report: string }>>()

const makeOnce = (key: string, make: (lake: string) => Promise<unknown>) => {
  const isMade = made.get(key)
  if (isMade) return isMade
  const making = temporaryFolder().then(async (folder) => {
    const lake = join(folder, 'lake')
    return { lake, report: JSON.stringify(await make(lake)) }
  })
  made.set(key, making)
  atEnd(() => made.delete(key))
  return making
}

/**
 * A new lake for each caller: the first one in a test file has it made, and all get a copy that they may change. `of`
 * decides what it holds; the report of making it names the copy.
 */
export const lakeMadeOnce = async <Report>(of: unknown, make: (lake: string) => Promise<Report>): Promise<Report> => {
  const original = await makeOnce(createHash('sha256').update(serialize(of)).digest('hex'), make)
  const lake = join(await temporaryFolder(), 'lake')
  await cp(original.lake, lake, { recursive: true })
  return JSON.parse(original.report.replaceAll(original.lake, lake)) as Report
}
