import { hashOfBody } from './assets.ts'

/** A page as text, with the hash that identifies it. */
export type RenderedPage = { body: string; hash: string }

export const renderedPage = (body: string): RenderedPage => ({ body, hash: hashOfBody(body) })

/**
 * Pages by path, each kept until its key changes: with the snapshot, the hour or the state of its example. Only pages
 * without parameters are kept, so that there are as many as the menu and the list of queries have.
 */
export const createPageCache = () => {
  const pages = new Map<string, { key: string; page: RenderedPage }>()
  return (path: string, key: string, make: () => string): RenderedPage => {
    const kept = pages.get(path)
    if (kept?.key === key) return kept.page
    const page = renderedPage(make())
    pages.set(path, { key, page })
    return page
  }
}
