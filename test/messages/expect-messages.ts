import { expect } from 'vitest'

/** What is tried, the code, status or exit code of the outcome, and its text. */
export type Line = readonly [tried: string, code: string | number, text: string]

const SNAPSHOT_ID = /\b(\d{6})-[0-9a-f]{8}\b/g

/** A text without what differs from run to run: folders, ids of snapshots, processes and ports. */
const plain = (text: string, folders: Readonly<Record<string, string>>): string =>
  Object.entries(folders)
    .reduce((line, [name, folder]) => line.replaceAll(folder, name), text)
    .replace(SNAPSHOT_ID, '$1-...')
    .replace(/\bprocess \d+/g, 'process PID')
    .replace(/127\.0\.0\.1:\d{4,5}\b/g, '127.0.0.1:PORT')

const entryOf = ([tried, code, text]: Line): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return [tried.trim(), `  ${code}: ${lines[0] ?? ''}`, ...lines.slice(1).map((line) => `    ${line}`), ''].join('\n')
}

/**
 * Compares messages, by area, with the snapshot `NAME.txt` in this folder: `npm test -- test/messages -u` writes it, for
 * a person to review. `folders` are printed by their names; the longer path comes first.
 */
export const expectMessages = async (
  name: string,
  areas: Readonly<Record<string, readonly Line[]>>,
  folders: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const text = Object.entries(areas).map(([area, lines]) => `# ${area}\n${lines.map(entryOf).join('')}`)
  await expect(plain(text.join('\n'), folders)).toMatchFileSnapshot(`${name}.txt`)
}
