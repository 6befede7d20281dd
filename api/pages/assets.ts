import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file that pages load: its media type and content. */
export type Asset = { type: string; body: Buffer; hash: string }

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export const hashOfBody = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 16)

const readAsset = (file: string): Asset => {
  const body = readFileSync(file)
  return { type: TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream', body, hash: hashOfBody(body) }
}

const own = (name: string): Asset => readAsset(fileURLToPath(new URL(name, import.meta.url)))

const REFERENCE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js']

/** The files of Swagger UI, from an optional package; none if it is not installed. */
const referenceAssets = (): [string, Asset][] => {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
    return REFERENCE_FILES.map((name) => [`/reference/${name}`, readAsset(join(folder, name))])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return []
  }
}

/** The files that pages load, by path. */
export const readAssets = (): ReadonlyMap<string, Asset> =>
  new Map([
    ['/shelfmark.css', own('shelfmark.css')],
    ['/icon.svg', own('icon.svg')],
    ['/reference.js', own('reference.js')],
    ['/wallet.js', own('wallet.js')],
    ...referenceAssets(),
  ])
