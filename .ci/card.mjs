// Draws the picture that previews of links show, api/pages/card.png, with Chromium.
// Usage: node .ci/card.mjs [PATH OF CHROMIUM]
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'

const icon = await readFile(new URL('../api/pages/icon.svg', import.meta.url), 'utf8')
const page = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 96px; display: flex; flex-direction: column;
  justify-content: space-between; background: #fdfdfb; color: #1b1e22; font-family: "Liberation Sans", Arial, sans-serif }
div { display: flex; align-items: center; gap: 40px; font-size: 112px; font-weight: 700; letter-spacing: -2px }
svg { width: 160px; height: 160px }
p { margin: 0; font-size: 56px }
footer { border-top: 6px solid #2f7fc1; padding-top: 28px; font-size: 34px; line-height: 1.4; color: #575d64 }
</style><div>${icon}Shelfmark</div>
<p>Retail price analytics for any country</p>
<footer>Like-for-like inflation, dispersion, promotions, best prices:<br>each with its definition, its interval and its source</footer>`

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await tab.setContent(page)
await tab.screenshot({ path: new URL('../api/pages/card.png', import.meta.url).pathname })
await browser.close()
