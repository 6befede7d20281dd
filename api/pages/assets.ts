import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file that pages load: its media type and content. */
export type Asset = { type: string; body: Buffer; hash: string }

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export const hashOfBody = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 16)

const assetOf = (name: string, body: Buffer): Asset => ({
  type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  body,
  hash: hashOfBody(body),
})

const readOwn = (name: string): Buffer => readFileSync(fileURLToPath(new URL(name, import.meta.url)))
const ownAsset = (name: string): Asset => assetOf(name, readOwn(name))

/** The style sheet's parts, in the order in which they override each other. */
const STYLES = ['elements', 'layout', 'plots', 'tables', 'forms', 'devices']
const styles = (): Asset => assetOf('.css', Buffer.concat(STYLES.map((name) => readOwn(`styles/${name}.css`))))

/** The files that pages load, by path. */
export const readAssets = (): ReadonlyMap<string, Asset> =>
  new Map([
    ['/shelfmark.css', styles()],
    ['/icon.svg', ownAsset('icon.svg')],
    ['/card.png', ownAsset('card.png')],
    ['/wallet.js', ownAsset('wallet.js')],
  ])
