import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { PLOT_VIEW } from '../../../api/mcp/plot-view.ts'
import { queries } from '../../../engine/index.ts'
import { sized } from '../../support/full-size.ts'
import { type Service, serveSample } from '../../support/http.ts'
import { executablePath, expectSound, launchChromium, openPage, overflowOf, views, violationsOf } from './chromium.ts'

const menu = [
  '/',
  '/start',
  '/prices',
  '/coverage',
  '/statistics',
  '/reference',
  '/embed/queries/public/retailers',
  '/nowhere',
]
const comparison = '/queries/analyst/inflation?compare=grocery,electronics&days=365'
const queryPages = queries.map(({ group, name }) => `/queries/${group}/${name}`)
const some = ['/queries/analyst/inflation', '/queries/shopper/best-price', '/queries/public/coverage']
const paths = [...menu, comparison, ...sized(some, queryPages)]
/** By default each page on one of two screens in turn. */
const cases = paths.flatMap((path, place) => sized([views[place % 2]!], views).map((view) => ({ path, ...view })))

describe.skipIf(!executablePath)('pages in Chromium', () => {
  let service: Service
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    service = await serveSample()
    browser = await launchChromium()
    origin = `http://127.0.0.1:${service.port}`
  })

  test.each(cases)('$path at $width pixels, $colorScheme: sound', async ({ path, ...view }) => {
    const watched = await openPage(browser, view)
    const status = (await watched.page.goto(origin + path))?.status()
    expect(status).toBe(path === '/nowhere' ? 404 : 200)
    // Chromium reports the status itself.
    if (status === 404) watched.messages.splice(0)
    await expectSound(watched)
    await watched.context.close()
  })

  test.each([
    { width: 1280, height: 800, screens: 3 },
    { width: 390, height: 844, screens: 6 },
  ])('the first page and those of queries are short at $width pixels', async ({ width, height, screens }) => {
    const { page, context } = await openPage(browser, views[0]!)
    await page.setViewportSize({ width, height })
    for (const path of ['/', ...sized(some, queryPages)]) {
      await page.goto(origin + path)
      if ((await page.textContent('main'))?.includes('being computed')) await page.goto(origin + path)
      const pixels = await page.evaluate<number>('document.documentElement.scrollHeight')
      expect({ path, isShort: pixels <= screens * height, pixels }).toMatchObject({ isShort: true })
    }
    await context.close()
  })

  test('the page of an MCP host draws the plot of an answer, and says what it cannot draw', async () => {
    const { page, messages, context } = await openPage(browser, views[1]!)
    const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    const view = PLOT_VIEW.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
    const svg = await (await fetch(`${origin}/queries/public/retailers.svg`)).text()
    await page.setContent('<iframe sandbox="allow-scripts" width="800" height="500"></iframe>')
    await page.evaluate(`{
      const frame = document.querySelector('iframe')
      const notify = (method, params) => frame.contentWindow.postMessage({ jsonrpc: '2.0', method, params }, '*')
      const content = [{ type: 'text', text: 'public/retailers: 16' }]
      globalThis.said = []
      globalThis.result = (_meta) => notify('ui/notifications/tool-result', { content, _meta })
      addEventListener('message', ({ data }) => {
        said.push(data.method)
        if (data.method === 'ui/initialize')
          frame.contentWindow.postMessage({ jsonrpc: '2.0', id: data.id, result: { hostContext: { theme: 'dark' } } }, '*')
        if (data.method === 'ui/notifications/initialized') result(${JSON.stringify({ 'shelfmark/svg': svg })})
      })
      frame.srcdoc = ${JSON.stringify(view).replaceAll('</', '<\\/')}
    }`)
    const frame = page.frameLocator('iframe')
    const image = frame.locator('img')
    await image.waitFor()
    expect(await image.getAttribute('alt')).toBe('public/retailers: 16')
    await expect
      .poll(() => image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(820)
    expect(await page.evaluate<string[]>('said')).toEqual(
      expect.arrayContaining(['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed']),
    )
    await page.evaluate('result({})')
    await frame.locator('p').waitFor()
    expect(await frame.locator('main').textContent()).toBe('public/retailers: 16')
    expect(messages).toEqual([])
    await context.close()
  })

  test('a page fits on paper', async () => {
    const { page, context } = await openPage(browser, views[0]!)
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.emulateMedia({ media: 'print' })
    for (const path of ['/', '/coverage', ...some]) {
      await page.goto(origin + path)
      expect({ path, overflow: await overflowOf(page) }).toEqual({ path, overflow: 0 })
    }
    await context.close()
  })

  test('a free query is answered by its form, without scripts', async () => {
    const { page, context } = await openPage(browser, views[0]!, false)
    await page.goto(`${origin}/queries/public/retailers`)
    await page.fill('#p-limit', '3')
    await page.click('button[type=submit]')
    expect(await page.textContent('h2#result')).toBe('Answer: limit=3')
    expect(await page.locator('table.data tbody tr').first().textContent()).not.toBe('')
    await context.close()
  })

  test('a wrong value keeps the others and has its message at its field', async () => {
    const watched = await openPage(browser, views[0]!)
    const { page, context } = watched
    await page.goto(`${origin}/queries/analyst/inflation`)
    await page.fill('#p-category', 'coffee')
    await page.fill('#p-days', 'many')
    await page.click('button[type=submit]')
    const field = page.locator('#p-days')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toContain('p-days-error')
    expect(await page.textContent('#p-days-error')).toBe('expected a whole number, at least 1, got "many"')
    expect(await page.inputValue('#p-category')).toBe('coffee')
    expect(await violationsOf(page)).toEqual([])
    await context.close()
  })

  test('the keyboard alone reaches the form, sends it and reaches the answer', async () => {
    const { page, context } = await openPage(browser, views[1]!)
    await page.goto(`${origin}/queries/public/brands`)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate<string>('document.activeElement.id')
    for (let presses = 0; presses < 40 && (await focused()) !== 'p-limit'; presses += 1)
      await page.keyboard.press('Tab')
    expect(await focused()).toBe('p-limit')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.waitForURL(/limit=2/)
    expect(await page.locator('#result').isVisible()).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.locator('section[aria-labelledby=result] :focus').count()).toBe(1)
    await context.close()
  })
})
