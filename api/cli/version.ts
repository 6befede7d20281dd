import { readFileSync } from 'node:fs'

/** The version in the package's own package.json, two folders above this file, or three where it is compiled. */
export const version = (): string => {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version
    } catch {}
  }
  throw new Error('package.json is missing')
}
