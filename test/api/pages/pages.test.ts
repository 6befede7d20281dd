import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Lake } from '../../../api/ops/lake.ts'
import { prices } from '../../../api/ops/prices.ts'
import { answerFields, queries, withInner } from '../../../engine/index.ts'
import { sized } from '../../support/full-size.ts'
import { ensureLake } from '../../support/given.ts'
import { type Reply, type Service, send, serveLake, serveSample } from '../../support/http.ts'
import { feedRow, listing, type Observation, observed } from '../../support/rows.ts'
import { beforeEachRun, servePaid, startChains } from '../payment/paying.ts'
import { faultsOf, parse } from './markup.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const MAX_PAGE_BYTES = 200 * 1024
const queryPages = queries.map(({ group, name }) => `/queries/${group}/${name}`)
const pages = ['/', '/start', '/prices', '/coverage', '/statistics', '/reference', ...queryPages]

/** Where every page would show the same: those of the menu, and every seventh query. */
const some = pages.filter((path, place) => !path.startsWith('/queries') || place % sized(7, 1) === 0)

const PLAIN =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

type Operation = { operationId: string; parameters?: { name?: string; $ref?: string }[] }

describe('pages of a free service', () => {
  let service: Service
  beforeAll(async () => {
    service = await serveSample()
  })
  const load = (path: string, headers: Record<string, string> = {}) => service.get(path, { ...HTML, ...headers })

  test('an example is computed on the first visit and complete after it', async () => {
    for (const path of queryPages) {
      await load(path)
      const { status, body } = await load(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      const missing = body.match(/being computed|no answer to the example[^<]*/)?.[0]
      expect({ path, missing, isComplete: body.includes('The answer as JSON') }).toEqual({
        path,
        missing: undefined,
        isComplete: true,
      })
    }
  })

  test('the example of a query has the figure to quote, never a deprecated one', async () => {
    const marked = queries.filter((query) =>
      withInner(answerFields(query)).some(({ path, isHeadline }) => isHeadline && !path.includes('[]')),
    )
    expect(marked.length).toBeGreaterThan(5)
    for (const { group, name } of marked) {
      const { body } = await load(`/queries/${group}/${name}`)
      const headline = parse(body).querySelector('.headline-value')?.textContent
      // Nothing need be claimed of the product of the example.
      const figure = name === 'price-reality' ? /^–$|\d/ : /\d/
      expect({ name, headline }).toEqual({ name, headline: expect.stringMatching(figure) })
    }
    const { body } = await load('/queries/analyst/inflation?category=grocery&days=300')
    const figures = [...parse(body).querySelectorAll('.headline, .comparison')]
      .map(({ textContent }) => textContent)
      .join()
    expect(figures).toMatch(/like-for-like change.*95% interval/s)
    expect(figures).not.toMatch(/overall/i)
  })

  test.each(pages)('%s is valid, has its headers and is small', async (path) => {
    const { status, headers, body } = await load(path)
    expect(status).toBe(200)
    expect(faultsOf(body)).toEqual([])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PLAIN,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('accept'),
    })
    const style = await load('/shelfmark.css')
    expect(gzipSync(body).length + gzipSync(style.body).length).toBeLessThan(MAX_PAGE_BYTES)
    expect(body.match(/<script(?! type="application\/ld\+json">)/)).toBe(null)
  })

  test('a page is revalidated and answers HEAD', async () => {
    const { headers } = await load('/queries/analyst/inflation')
    expect(headers.etag).toMatch(/^W\/"[\w-]+"$/)
    const again = await load('/queries/analyst/inflation', { 'if-none-match': String(headers.etag) })
    expect(again).toMatchObject({ status: 304, body: '' })
    const head = await send(service.port, '/queries/analyst/inflation', { method: 'HEAD', headers: HTML })
    expect(head).toMatchObject({ status: 200, body: '', headers: { etag: headers.etag } })
  })

  test('pages and styles are compressed', async () => {
    for (const path of ['/', '/shelfmark.css', '/icon.svg', '/wallet.js']) {
      const { headers } = await load(path, { 'accept-encoding': 'br' })
      if (path !== '/icon.svg') expect({ path, coding: headers['content-encoding'] }).toEqual({ path, coding: 'br' })
      expect(headers.etag).toBeDefined()
    }
  })

  test('a page for one visitor is not stored', async () => {
    const { headers } = await load('/queries/public/retailers?limit=2')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.etag).toBeUndefined()
  })

  test('an unknown address is a page for browsers and JSON for other clients', async () => {
    expect(await load('/nowhere')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    const json = await service.get('/nowhere')
    expect(json).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json; charset=utf-8' } })
    const ofInterface = await load('/v1/nowhere')
    expect(ofInterface.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })

  test('/ names the documents to other clients', async () => {
    const { status, headers, body } = await service.get('/', { accept: '*/*' })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' })
    const { documents } = JSON.parse(body)
    for (const address of Object.values(documents))
      expect((await service.get(new URL(String(address)).pathname)).status).toBe(200)
  })

  test('the statistics have a paragraph by their definition each, a plot and a citation', async () => {
    const computed = queries.filter(({ group }) => group !== 'public' && group !== 'reference')
    const plotted = new Map<string, boolean>()
    for (const { group, name } of computed) {
      const page = await load(`/queries/${group}/${name}`)
      plotted.set(name, parse(page.body).querySelector('.plot svg') !== null)
    }
    expect([...plotted].filter(([, isPlotted]) => !isPlotted)).toEqual([])
    const { body } = await load('/statistics')
    const document = parse(body)
    const text = document.querySelector('main')!.textContent
    expect(computed.length).toBeGreaterThan(25)
    for (const { group, name, definition } of computed) {
      expect(text, name).toContain(definition.formula.replaceAll('`', ''))
      expect(text, name).toContain(`Query ${group}/${name}, definition of version`)
      const plot = document.querySelector(`#${group}-${name} + p + details .plot svg`)
      expect({ name, isPlotted: plot !== null }).toEqual({ name, isPlotted: plotted.get(name) })
    }
    const { body: first } = await load('/')
    expect([...parse(first).querySelectorAll('a[href="/statistics"]')].length).toBeGreaterThan(1)
  })

  test('the reference has every operation of the contract with its parameters', async () => {
    const { body } = await load('/reference')
    const document = parse(body)
    const contract = JSON.parse((await service.get('/openapi.full.json')).body)
    const operations = Object.entries<Record<string, Operation>>(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, line: `${method.toUpperCase()} ${path}` })),
    )
    expect(operations.length).toBeGreaterThan(queries.length)
    const lines = [...document.querySelectorAll('.operation > summary > code')].map(({ textContent }) => textContent)
    expect(lines).toEqual(operations.map(({ line }) => line))
    for (const { operationId, parameters = [] } of operations) {
      const table = `.operation:has(#${operationId}) tbody code`
      const names = [...document.querySelectorAll(table)].map(({ textContent }) => textContent)
      const named = parameters.map(({ $ref, name }) =>
        $ref ? contract.components.parameters[$ref.split('/').at(-1)!].name : name,
      )
      expect({ operationId, names }).toEqual({ operationId, names: named })
    }
  })

  test('a form leaves out empty fields', async () => {
    const { status, body } = await load('/queries/public/coverage?country=us&platform=&limit=3')
    expect(status).toBe(200)
    expect(body.includes('GET /v1/public/coverage?country=us&amp;limit=3')).toBe(true)
  })

  test('any parameters are answered or refused in words, and never written into the page as markup', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constant('"><script>alert(1)</script>'))
    const name = fc.oneof(
      fc.constantFrom('q', 'category', 'days', 'from', 'retailer', 'gpc_code'),
      fc.string({ maxLength: 10 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...queryPages),
        fc.array(fc.tuple(name, value), { maxLength: 4 }),
        async (path, pairs) => {
          const { status, body } = await load(`${path}?${new URLSearchParams(pairs)}`)
          expect([200, 400, 404]).toContain(status)
          expect(body.match(/<script(?! type="application\/ld\+json">)/)).toBe(null)
          expect(faultsOf(body)).toEqual([])
        },
      ),
      { numRuns: sized(12, 400) },
    )
  })
})

describe('a paid query', () => {
  test('runs nothing for a visitor who has not paid', async () => {
    let runs = 0
    const counted = (lake: Lake) =>
      beforeEachRun(lake, async () => {
        runs += 1
      })
    const service = await servePaid(await startChains(), {}, counted)
    const paid = queries.filter(({ group }) => prices[group] > 0)
    const values = fc.constantFrom(
      'coffee',
      'grocery',
      'laptops',
      'oakverly',
      'kettlecart',
      '10001145',
      '30',
      '2026-10-01',
      '',
    )
    const names = ['q', 'category', 'brand', 'retailer', 'gpc_code', 'days', 'from', 'country']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paid),
        fc.array(fc.tuple(fc.constantFrom(...names), values), { minLength: 1, maxLength: 4 }),
        async ({ group, name }, pairs) => {
          const { status } = await service.get(`/queries/${group}/${name}?${new URLSearchParams(pairs)}`, HTML)
          expect([200, 400, 404]).toContain(status)
        },
      ),
      { numRuns: sized(20, 600) },
    )
    expect(runs).toBe(0)
    const compared = await service.get('/queries/analyst/inflation?compare=grocery,electronics', HTML)
    expect(compared.body).toContain('Pay $0.04 of test money and compare')
    expect(faultsOf(compared.body)).toEqual([])
    // Files and embedded plots are of free answers.
    for (const path of ['.csv', '.json', '.svg']) {
      const { status } = await service.get(`/queries/analyst/inflation${path}?category=laptops&days=30`)
      expect(status).toBe(404)
    }
    expect((await service.get('/embed/queries/analyst/inflation?category=laptops', HTML)).status).toBe(404)
    expect(runs).toBe(0)
    // Examples are of the service's own choice, each computed once however often its page is loaded.
    for (const { group, name } of [paid[0]!, paid[0]!, paid[0]!]) await service.get(`/queries/${group}/${name}`, HTML)
    expect(runs).toBe(1)
  })
})

test('names of a lake are text, whatever they contain', async () => {
  const hostile = '<script>alert(1)</script> "quoted" & <img src=x onerror=alert(2)>'
  const days = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`2026-0${i + 5}-15`, 1000 + 10 * i]))
  const observations: Observation[] = Array.from({ length: 40 }, (_, i) =>
    observed(
      listing(`id ${i} <b>`, {
        product_name: `${hostile} ${i}`,
        brand: 'x',
        spelling: '<i>Brand</i>',
        shelf: ['Grocery <u>', 'Coffee <script>'],
      }),
      days,
    ),
  ).flat()
  const { lake } = await ensureLake({ observations: observations.map(feedRow) })
  const service = await serveLake(lake, { SHELFMARK_AS_OF: '2026-09-20T00:00:00Z' })
  for (const path of [
    ...pages,
    '/queries/marketing/share-of-shelf?category=coffee',
    '/queries/shopper/best-price?q=script',
  ]) {
    const replies: Reply[] = [await service.get(path, HTML), await service.get(path, HTML)]
    // The first one of a query has no answer yet.
    for (const { body } of sized(replies.slice(1), replies)) {
      const document = parse(body)
      expect([...document.querySelectorAll('script:not([type="application/ld+json"]), img, i, u')].map(String)).toEqual(
        [],
      )
      expect(faultsOf(body)).toEqual([])
    }
  }
  const { body } = await service.get('/queries/shopper/price-history', HTML)
  expect(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(true)
})

test('a text that means several products is answered with a link to each', async () => {
  const service = await serveSample()
  const { body } = await service.get('/queries/shopper/price-history?q=coffee&days=60', HTML)
  const links = [...parse(body).querySelectorAll('#result a')].map((link) => String(link.getAttribute('href')))
  expect(links).toHaveLength(10)
  for (const link of links) expect(link).toMatch(/^\/queries\/shopper\/price-history\?entity_uid=e_\w+&days=60#result$/)
  expect(faultsOf(body)).toEqual([])
})

test('without a snapshot pages say so', async () => {
  const { lake } = await ensureLake({
    observations: [feedRow({ listing: listing('one'), observed_at: '2026-11-10T12:00:00Z', price: 100 })],
  })
  const service = await serveLake(lake, { SHELFMARK_AS_OF: '2026-11-11' }, () => ({ engine: () => undefined }))
  for (const path of some) {
    const { status, body } = await service.get(path, HTML)
    expect({ path, status }).toEqual({ path, status: 200 })
    expect({ path, isSaid: body.includes('no snapshot is open yet') }).toEqual({ path, isSaid: true })
    expect(faultsOf(body)).toEqual([])
  }
})
