import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { atEnd } from '../../support/at-end.ts'

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const executablePath = paths.find(existsSync)
if (!executablePath) console.warn('skipped: no Chromium here; on Debian: apt-get install chromium')

/** Chromium, closed after the test file. */
export const launchChromium = async (): Promise<Browser> => {
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] })
  atEnd(() => browser.close())
  return browser
}

export type View = { width: 390 | 1280; colorScheme: 'light' | 'dark' }

export const views: readonly View[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
]

export type Watched = { page: Page; messages: string[]; hosts: Set<string>; context: BrowserContext }

/** A page that notes what the console says, CSP reports included, and which hosts it loads from. */
export const openPage = async (
  browser: Browser,
  { width, colorScheme }: View,
  javaScriptEnabled = true,
): Promise<Watched> => {
  const height = width === 390 ? 844 : 900
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled })
  const page = await context.newPage()
  const messages: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return { page, messages, hosts, context }
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violation = { id: string; nodes: { target: string[] }[] }

/** The violations of WCAG 2.2 A and AA and of best practice on a page, with all its details open. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // Run by the debugger, which the policy of the page does not bind.
  await page.evaluate(await axe)
  const violations = await page.evaluate<Violation[]>(`(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true
    return (await axe.run(document, { runOnly: ${JSON.stringify(RULES)} })).violations
  })()`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(', ')}`,
  )
}

/** By how many pixels the content is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Checks a loaded page: nothing on the console, no other host, no overflow, no violation of accessibility. */
export const expectSound = async ({ page, messages, hosts }: Watched): Promise<void> => {
  expect({
    messages,
    hosts: [...hosts],
    overflow: await overflowOf(page),
    violations: await violationsOf(page),
  }).toEqual({
    messages: [],
    hosts: [new URL(page.url()).host],
    overflow: 0,
    violations: [],
  })
}
