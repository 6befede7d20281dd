import { setTimeout as sleep } from 'node:timers/promises'
import { menu } from '../../api/pages/layout.ts'
import { type AnyQuery, Engine, EngineError, paramFields, queries, queryId, readParams } from '../../engine/index.ts'
import { answerPage } from '../../engine/show/cli/answer-page.ts'
import { styleOf } from '../../engine/show/cli/terminal.ts'
import { plotsOf, svgFile } from '../../engine/show/plots/index.ts'
import { ensureLake } from '../../test/support/given.ts'
import { pathTo, type Send, send } from '../../test/support/http.ts'
import { scheduled } from '../../test/support/scheduled.ts'
import { type Measured, progress, Tally } from './figure.ts'
import { serveProbed } from './stops.ts'

const GOAL_MS = 50
const LENGTH = 5000
const WIDTHS = [40, 80, 200]
/** What a reader must never get: it controls a terminal, reorders text or ends it. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

const repeated = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length))

/** Texts that attack whoever draws them. Those of full length belong to one listing in thirty each. */
const texts = [
  ...[
    'A',
    '<',
    '"',
    ' ',
    'ab ',
    'שלום ',
    'مرحبا',
    '日本',
    '🧨',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '\u0301',
    '\u200b',
    '\u202e',
    '-1.23456 ',
  ].map(repeated),
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</title></script><svg onload=alert(1)>',
  '\u202egpj.exe\u202c',
  '\x1b[2J\x1b[31mRED\x1b]0;owned\x07',
  '\x9b31m',
  "=cmd|' /C calc'!A0",
  '\t=1+1',
  'a\r\nSet-Cookie: x=y',
  "Robert'); DROP TABLE listing;--",
  '\u2028</script>',
  '\ufeffzero\u00ad',
  '](javascript:alert(1))',
  'שלום \u202bcoffee\u202c',
  '../../../../etc/passwd',
]

const DAYS = ['2026-10-05', '2026-11-10', '2026-11-20']
const AS_OF = '2026-11-21T00:00:00Z'

const feedsOf = (listings: number) => {
  const numbered = Array.from({ length: listings }, (_, i) => ({ i, text: texts[i % texts.length]! }))
  const keys = (i: number) => ({ platform: i % 2 ? 'acme' : 'globex', country: 'us', listing_id: `L${i}` })
  return {
    catalogue: numbered.map(({ i, text }) => ({
      ...keys(i),
      product_name: `Coffee ${text} ${100 + (i % 900)} g`,
      brand: i % 2 ? text : 'Haverwick',
      category_path: i % 4 ? 'Food & Beverage > Coffee' : `Food & Beverage > ${text}`,
      url: `https://shop.example/${i}`,
    })),
    observations: numbered.flatMap(({ i, text }) =>
      DAYS.map((day, dayIndex) => ({
        ...keys(i),
        observed_at: `${day}T00:00:00Z`,
        price: (5 + (i % 400) / 10 + dayIndex / 10).toFixed(2),
        list_price: (60 + dayIndex).toFixed(2),
        currency: 'USD',
        promo_flag: true,
        promo_text: text,
        availability: 'in_stock',
      })),
    ),
  }
}

/** Parameters that lead to as much of the lake as a query returns. */
const paramsOf = (query: AnyQuery): Record<string, string> => {
  const names = paramFields(query)
  const has = (name: string) => names.some((param) => param.name === name)
  const isRequired = (name: string) => names.some((param) => param.name === name && param.isRequired)
  const limit = names.find(({ name }) => name === 'limit')?.maximum
  return {
    ...(has('q') ? { q: 'coffee' } : {}),
    ...(has('category') && query.group !== 'reference' ? { category: 'coffee' } : {}),
    ...(isRequired('retailer') ? { retailer: 'acme' } : {}),
    ...(isRequired('brand') ? { brand: 'Haverwick' } : {}),
    ...(isRequired('items') ? { items: 'coffee:2' } : {}),
    ...(isRequired('series') ? { series: 'sample:coffee' } : {}),
    ...(isRequired('gpc_code') ? { gpc_code: '10001145' } : {}),
    ...(limit === undefined ? {} : { limit: String(limit) }),
  }
}

const FORMATS = [
  'application/json',
  'text/csv',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
]

type Request = { what: string; path: string; isRead: boolean } & Send

/** The pages and documents of the lake as a whole. */
const WHOLE = [...menu.map(({ path }) => path.split('#', 1)[0]!), '/openapi.json', '/openapi.full.json', '/llms.txt']

const requestsOf = (query: AnyQuery): Request[] => {
  const id = queryId(query)
  const params = paramsOf(query)
  const text = new URLSearchParams(params).toString()
  const page = { accept: 'text/html' }
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const call = { name: 'ask', arguments: { query: id, params, fields: ['all'] } }
  return [
    { what: 'page', path: `/queries/${id}?${text}`, headers: page, isRead: true },
    { what: 'example', path: `/queries/${id}`, headers: page, isRead: true },
    ...FORMATS.map((accept) => ({
      what: accept,
      path: `${pathTo(query)}?${text}`,
      headers: { accept },
      isRead: false,
    })),
    {
      what: 'mcp',
      path: '/mcp',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      isRead: false,
    },
    {
      what: 'batch',
      path: '/v1/batch',
      method: 'POST',
      headers: json,
      body: JSON.stringify(Array.from({ length: 3 }, () => ({ path: pathTo(query), params }))),
      isRead: false,
    },
  ]
}

/** How long synchronous work takes, in milliseconds, without waiting for a processor. */
const timed = (draw: () => unknown): number => {
  const [start, waited] = [performance.now(), scheduled('self').waited_ms]
  draw()
  return performance.now() - start - (scheduled('self').waited_ms - waited)
}

type Longest = { ms: number; what: string }

/** Everything that draws or sends texts, on a lake whose texts are made to make it slow. */
export const measureHostileTexts = async (rounds: number): Promise<Measured> => {
  const { lake } = await ensureLake(feedsOf(rounds))
  const service = await serveProbed({ SHELFMARK_LAKE: lake, SHELFMARK_AS_OF: AS_OF, SHELFMARK_CACHE_MIB: '0' })
  const tally = new Tally()
  const longest = new Map<string, Longest>()
  const note = (what: string, id: string, ms: number, ...reasons: (string | false)[]): void => {
    if (ms > (longest.get(what)?.ms ?? 0)) longest.set(what, { ms, what: id })
    tally.count(!(ms < GOAL_MS) && `${what} of ${id} ${ms.toFixed(0)} ms`, ...reasons)
  }
  const stopOf = async ({ path, ...sent }: Request) => {
    await sleep(20)
    await service.longestStopMs()
    const { status, body } = await send(service.port, path, sent)
    await sleep(20)
    return { ms: await service.longestStopMs(), status, body }
  }
  let repeats = 0
  const request = async (id: string, one: Request): Promise<void> => {
    const { what, isRead } = one
    const { ms, status, body } = await stopOf(one)
    // A collection of garbage comes by chance; what a text does comes again.
    const isLong = ms >= GOAL_MS
    if (isLong) repeats++
    const shorter = isLong ? Math.min(ms, (await stopOf(one)).ms) : ms
    note(
      what,
      id,
      shorter,
      status >= 500 && `${status} of ${what} of ${id}`,
      isRead && UNSEEN.test(body) && `unseen in ${id}`,
    )
  }
  for (const path of WHOLE) {
    // Loads and compiles what a first request needs.
    await send(service.port, path)
    await request(path, { what: 'lake', path, isRead: true })
  }
  const report = progress('queries', queries.length)
  const engine = await Engine.open(lake, { as_of: new Date(AS_OF), threads: 1 })
  for (const [i, query] of queries.entries()) {
    const id = queryId(query)
    for (const one of requestsOf(query)) {
      if (i === 0) await send(service.port, one.path, one)
      await request(id, one)
    }
    const answer = await engine
      .plan(query, readParams(query, paramsOf(query)))
      .then((plan) => engine.run(plan) as Promise<Record<string, unknown>>)
      .catch((error: unknown) => (error instanceof EngineError ? null : Promise.reject(error)))
    if (answer) {
      for (const width of WIDTHS) {
        let lines: string[] = []
        const ms = timed(() => {
          lines = answerPage(query, answer, width, styleOf({ hasColours: false }))
        })
        note('terminal', id, ms, UNSEEN.test(lines.join('')) && `unseen on the terminal in ${id}`)
      }
      const plots = await plotsOf(query, answer)
      note(
        'svg',
        id,
        timed(() => svgFile(plots)),
        UNSEEN.test(plots.map(({ wide }) => wide).join('')) && `unseen in ${id}`,
      )
    }
    report(i + 1)
  }
  engine.close()
  await service.stop()
  const spread = [...longest].map(([what, { ms, what: id }]) => `${what} ${ms.toFixed(0)} ms (${id})`)
  return tally.measured(
    `longest stops on ${rounds.toLocaleString('en')} listings (requests repeated: ${repeats}): ${spread.join(', ')}`,
  )
}
