import { existsSync, readFileSync } from 'node:fs'

/** Reference values that lie beside the repository; where they are absent the tests against them are skipped. */
const folder = new URL('../../../shared/vectors/statistics/', import.meta.url)

export const noVectors = !existsSync(folder)
export const because = noVectors ? ' (skipped: there is no ../shared/vectors)' : ''

export const vectorText = (path: string): string => readFileSync(new URL(path, folder), 'utf8')

/** A file of vectors of statistics that no library has. */
export const beyondVector = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../beyond/${name}.json`, folder), 'utf8'))

/** The lines of a delimited file by its heading; the vectors quote nothing that holds a comma. */
export const vectorRows = (path: string): Record<string, string>[] => {
  const [head = '', ...lines] = vectorText(path).trim().split(/\r?\n/)
  const names = head.split(',').map((name) => name.replaceAll('"', ''))
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])))
}
