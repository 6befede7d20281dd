import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, serveSample } from '../../support/http.ts'
import { faultsOf, parse } from './markup.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('pages of a free service', () => {
  let service: Service
  beforeAll(async () => {
    service = await serveSample()
  })
  const load = (path: string) => service.get(path, HTML)

  test('an answer is cited with files that never have another content', async () => {
    for (const path of ['/queries/analyst/inflation', '/queries/public/retailers?limit=2']) {
      await load(path)
      const { body } = await load(path)
      const metadata = JSON.parse(parse(body).querySelector('script')!.textContent)
      expect(metadata).toMatchObject({ '@type': 'Dataset', version: expect.stringMatching(/^000001-/) })
      expect(metadata.citation).toMatch(
        /snapshot 000001-\w+, published .*; as of 2026-11-21\. http\S+as_of=2026-11-21$/,
      )
      for (const { contentUrl, encodingFormat } of metadata.distribution) {
        const { pathname, search } = new URL(contentUrl)
        const file = await service.get(pathname + search)
        expect({ contentUrl, status: file.status, type: file.headers['content-type'] }).toEqual({
          contentUrl,
          status: 200,
          type: expect.stringContaining(encodingFormat),
        })
        const again = await service.get(pathname + search, { 'if-none-match': String(file.headers.etag) })
        expect(again.status).toBe(304)
        const of = (snapshot: string) => service.get(pathname + search.replace(/snapshot=.*/, `snapshot=${snapshot}`))
        expect(await of('000009-00000000')).toMatchObject({ status: 404, body: expect.stringContaining('is served') })
        const replaced = await of('000000-00000000')
        expect(replaced.status).toBe(410)
        expect(JSON.parse(replaced.body).error.details).toEqual({ current: pathname + search })
        expect(replaced.headers.link).toBe(`<${pathname}${search}>; rel="latest-version"`)
      }
    }
  })

  test('previews of links have a title, a description and a picture', async () => {
    for (const path of ['/', '/queries/analyst/inflation', '/queries/public/retailers?limit=2', '/nowhere']) {
      const document = parse((await load(path)).body)
      const property = (name: string) => document.querySelector(`meta[property="og:${name}"]`)?.getAttribute('content')
      for (const name of ['title', 'description', 'image:alt']) expect(property(name)).toMatch(/\w/)
      const { origin, pathname, search } = new URL(property('image')!)
      expect(origin).toBe(`http://127.0.0.1:${service.port}`)
      const picture = await fetch(origin + pathname + search)
      expect(picture.headers.get('content-type')).toBe('image/png')
      expect(picture.headers.get('cache-control')).toContain('immutable')
      const header = Buffer.from(await picture.arrayBuffer())
      const [width, height] = [header.readUInt32BE(16), header.readUInt32BE(20)]
      expect({ path, width, height }).toEqual({ path, width: 1200, height: 630 })
    }
  })

  test('answers are compared in one plot and one table', async () => {
    const { status, body } = await load('/queries/analyst/inflation?compare=grocery,electronics,zzzz&days=365')
    expect({ status, faults: faultsOf(body) }).toEqual({ status: 200, faults: [] })
    const document = parse(body)
    const rows = [...document.querySelectorAll('section[aria-labelledby=result] tbody tr')].map(
      ({ textContent }) => textContent,
    )
    expect(rows).toEqual([
      expect.stringMatching(/^grocery.*?[+−]\d+\.\d\d%/),
      expect.stringMatching(/^electronics.*?[+−]\d+\.\d\d%/),
      expect.stringMatching(/^zzzz.*–.*no category matches/),
    ])
    const plots = [...document.querySelectorAll('section[aria-labelledby=result] svg.wide')]
    const [lines, dots] = plots.map((plot) => plot.getAttribute('aria-label'))
    expect(lines).toMatch(/^Line plot of 2 series: grocery ends at [+−]\d.*, electronics ends at [+−]\d/)
    for (const colour of ['accent', 'second']) expect(body).toContain(`stroke="var(--${colour})"`)
    expect(dots).toMatch(/^Dot plot of like-for-like change: grocery [+−]\d.*, electronics [+−]\d/)
    const { body: byBrand } = await load('/queries/marketing/brand-breakdown?compare=Wilwood,Oakverly')
    expect(byBrand).toContain('Comparison: Wilwood, Oakverly')
  })

  test('a comparison is also CSV, JSON and SVG, at addresses that its page names and by Accept', async () => {
    const path = '/queries/analyst/inflation?compare=grocery,electronics,zzzz&days=365'
    const { body } = await load(path)
    const links = [...parse(body).querySelectorAll('section[aria-labelledby=result] .files a')]
    const [csv, json, svg] = await Promise.all(links.map((link) => service.get(link.getAttribute('href') ?? '')))
    const compared = JSON.parse(json?.body ?? '')
    expect(compared).toMatchObject([
      { category: 'grocery', answer: { lfl_change_pct: expect.any(Number) } },
      { category: 'electronics', answer: { lfl_change_pct: expect.any(Number) } },
      { category: 'zzzz', refused: expect.stringContaining('no category matches') },
    ])
    const [header, ...rows] = csv?.body.trim().split('\r\n') ?? []
    expect(header).toMatch(/^compared,date,/)
    const periods = compared.flatMap(({ category, answer }: { category: string; answer?: { time_series: object[] } }) =>
      (answer?.time_series ?? []).map(() => category),
    )
    expect(rows.map((row) => row.split(',')[0])).toEqual(periods)
    expect(svg?.body).toContain('Like-for-like price change, compared')
    expect(svg?.body).toContain('grocery')
    const preferred = await service.get(path, { accept: 'text/csv' })
    expect(preferred).toMatchObject({ status: 303, headers: { location: links[0]?.getAttribute('href') } })
  })

  test.each(['coffee', 'coffee,%20coffee', 'a,b,c,d,e,f,g', ''])(
    'a comparison of %j is refused or none',
    async (values) => {
      const { status, body } = await load(`/queries/analyst/inflation?compare=${values}`)
      expect(status).toBe(400)
      if (values !== '') expect(body).toContain('expected 2 to 6 values of category with commas between')
    },
  )

  test('an embedded plot may be in a frame of any site', async () => {
    const { status, headers, body } = await load('/embed/queries/public/retailers')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; frame-ancestors \*$/)
    expect(faultsOf(body)).toEqual([])
  })
})
