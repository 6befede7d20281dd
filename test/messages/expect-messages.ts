import { expect } from 'vitest'

/** What is tried, the code, status or exit code of the outcome, and its text. */
export type Line = readonly [tried: string, code: string | number, text: string]

const SNAPSHOT_ID = /\b(\d{6})-[0-9a-f]{8}\b/g

/** A text with the names of files and folders in place of their paths; if one begins with another, it comes last. */
export const named = (text: string, paths: Readonly<Record<string, string>>): string =>
  Object.entries(paths).reduceRight((line, [name, path]) => line.replaceAll(path, name), text)

/** A text without what differs from run to run: paths, ids of snapshots, times, sizes, processes and ports. */
const plain = (text: string, paths: Readonly<Record<string, string>>): string =>
  named(text, paths)
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\d\.\d{3}Z/g, 'TIME')
    .replace(SNAPSHOT_ID, '$1-...')
    .replace(/\bprocess \d+/g, 'process PID')
    .replace(/\binstead of \d+(?![\d-])/g, 'instead of N')
    .replace(/shelfmark-test-\w{6}/g, 'FOLDER')
    .replace(/127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:PORT')

/** A message, after what was tried unless the message before is of the same. */
const entryOf = ([tried, code, text]: Line, at: number, all: readonly Line[]): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const title = tried === all[at - 1]?.[0] ? [] : [tried.trim()]
  return [...title, `  ${code}: ${lines[0] ?? ''}`, ...lines.slice(1).map((line) => `    ${line}`), ''].join('\n')
}

/**
 * Compares messages, by area, with the snapshot `NAME.txt` in this folder: `npm test -- test/messages -u` writes it, for
 * a person to review. `paths` are printed by their names.
 */
export const expectMessages = async (
  name: string,
  areas: Readonly<Record<string, readonly Line[]>>,
  paths: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const text = Object.entries(areas).map(([area, lines]) => `# ${area}\n${lines.map(entryOf).join('')}`)
  await expect(plain(text.join('\n'), paths)).toMatchFileSnapshot(`${name}.txt`)
}
