import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drawQueries } from '../../bench/answers/draw.ts'
import { namesOf } from '../../bench/answers/names.ts'
import {
  type Engine,
  EngineError,
  findQuery,
  queries,
  queryId,
  readParams,
  requiredParams,
} from '../../engine/index.ts'
import { runCli } from '../../engine/show/cli.ts'
import { givenFiles, run } from '../ingest/feeds.ts'
import { sized } from '../support/full-size.ts'
import { openEngine } from '../support/given.ts'
import { pathTo, type Service, serveLake } from '../support/http.ts'
import { type Host, httpHost } from '../support/mcp.ts'
import { officialOf } from '../support/reference.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const HEADER =
  'platform,country,listing_id,observed_at,price,list_price,currency,in_stock,product_name,brand,category_path'

type Shop = { country: string; currency: string; unit: number; decimals: number; brands: string[]; kinds: string[] }

const us: Shop = {
  ...{ country: 'us', currency: 'USD', unit: 4, decimals: 2, brands: ['Acme', 'Acme', 'ACME', 'Zelta'] },
  kinds: ['Grocery > Coffee|Ground Coffee # 12 oz', 'Home > Kettles|Steel Kettle K# Black'],
}
const pt: Shop = {
  ...{ country: 'pt', currency: 'EUR', unit: 3, decimals: 2, brands: ['ACME', 'Galo'] },
  kinds: ['Mercearia > Azeite|Azeite Virgem # 750 ml', 'Casa > Chaleiras|Chaleira Inox C#'],
}
const jp: Shop = {
  ...{ country: 'jp', currency: 'JPY', unit: 500, decimals: 0, brands: ['象印', 'ACME'] },
  kinds: ['家電 > 炊飯器|炊飯器 NP-#', '食品 > コーヒー|コーヒー #00 g'],
}

/** Forty listings of two retailers of a country, priced each week from August on; a quarter of them is reduced. */
const rowsOf = ({ country, currency, unit, decimals, brands, kinds }: Shop): string[] =>
  Array.from({ length: 80 }, (_, i) => {
    const [path, title] = kinds[i % kinds.length]!.split('|') as [string, string]
    const brand = brands[i % brands.length]!
    return Array.from({ length: 16 }, (_, week) => {
      const list = unit * (2 + (i % 23))
      const price = (i % 4 === 0 && week > 8 ? 0.75 : 1) * list * (1 + 0.01 * ((week + i) % 5))
      const day = new Date(Date.parse('2026-08-03T10:00:00Z') + week * 7 * 86_400_000).toISOString()
      const amounts = `${price.toFixed(decimals)},${(1.2 * list).toFixed(decimals)},${currency}`
      return `shop-${country}-${i % 2},${country},${i},${day},${amounts},true,${brand} ${title.replace('#', String(i))},${brand},${path}`
    })
  }).flat()

const lakeOf = async (...shops: readonly Shop[]): Promise<string> => {
  const file = [HEADER, ...shops.flatMap(rowsOf)].join('\n')
  const figures = shops.map(({ country }) => `office,food,${country},2026-09,101.5,2026-10-14,,`)
  const files = { 'price_observations/a.csv': `${file}\n`, 'official_series/a.csv': officialOf(...figures) }
  return (await run(await givenFiles(files))).lake
}

let alone: string
let lake: string
let service: Service
let host: Host
beforeAll(async () => {
  ;[alone, lake] = await Promise.all([lakeOf(us), lakeOf(us, pt, jp)])
  service = await serveLake(lake, { SHELFMARK_AS_OF: AS_OF })
  host = await httpHost(service.port)
})

describe('answers of us', () => {
  /** An answer, or a refusal, without the snapshot, which each lake has its own of. */
  const answerOf = async (engine: Engine, id: string, params: Record<string, string>): Promise<string> => {
    const query = findQuery(...(id.split('/') as [string, string]))!
    const { snapshot_id } = engine.manifest
    try {
      const answer = await engine.run(await engine.plan(query, readParams(query, params)))
      return JSON.stringify(answer).replaceAll(snapshot_id, '')
    } catch (cause) {
      if (cause instanceof EngineError) return `${cause.code} ${JSON.stringify(cause.details)}`
      throw cause
    }
  }

  test('are the same bytes whatever other countries the lake holds', async () => {
    const [without, with_others] = await Promise.all(
      [alone, lake].map((folder) => openEngine(folder, { as_of: new Date(AS_OF) })),
    )
    const drawn = drawQueries(await namesOf(alone), sized(80, 1500), 7).filter(({ query }) => !/^public/.test(query))
    let answered = 0
    for (const { query, params } of drawn) {
      const given = 'country' in params ? { ...params, country: 'us' } : params
      const expected = await answerOf(without!, query, given)
      expect(await answerOf(with_others!, query, given), `${query} ${JSON.stringify(given)}`).toBe(expected)
      answered += Number(expected.startsWith('{'))
    }
    expect(answered).toBeGreaterThan(drawn.length / 4)
  })
})

type Place = { country: string; currency: string; sign: string; params: Record<string, string> }
/** The parameters of a place: `items`, those of a basket, are one text. */
const places: Place[] = [
  {
    ...{ country: 'pt', currency: 'EUR', sign: '€' },
    params: {
      category: 'azeite',
      brand: 'Galo',
      retailer: 'shop-pt-0',
      q: 'Chaleira Inox C3',
      items: 'Chaleira Inox C3',
      series: 'office:food',
    },
  },
  {
    ...{ country: 'jp', currency: 'JPY', sign: '¥' },
    params: {
      category: '炊飯器',
      brand: '象印',
      retailer: 'shop-jp-0',
      q: '炊飯器 NP-4',
      items: '炊飯器 NP-4',
      series: 'office:food',
    },
  },
]

const inCountry = queries.filter(({ params, group }) => 'country' in params.shape && group !== 'public')
/** By default each query in one of the two places in turn. */
const cases = inCountry.flatMap((query, at) =>
  sized([places[at % 2]!], places).map((place) => [queryId(query), place.country, query, place] as const),
)

type Money = { path: string; value: number }

/** Numbers of an answer that its schema calls amounts of money. */
const moneyIn = (value: unknown, schema: z.core.JSONSchema.BaseSchema, path = ''): Money[] => {
  const variants = schema.anyOf ?? [schema]
  return variants.flatMap((of) => {
    const { unit, properties, items } = of as typeof of & { unit?: string }
    const isUnitPrice = path.includes('unit_price')
    if (typeof value === 'number') return (unit ?? schema.unit) === 'money' && !isUnitPrice ? [{ path, value }] : []
    if (Array.isArray(value)) return value.flatMap((entry) => moneyIn(entry, items as typeof of, `${path}[]`))
    if (value === null || typeof value !== 'object' || !properties) return []
    return Object.entries(value).flatMap(([name, inner]) =>
      properties[name] ? moneyIn(inner, properties[name] as typeof of, `${path}.${name}`) : [],
    )
  })
}

/** What a query needs of the parameters of a place. */
const givenFor = ({ params }: (typeof inCountry)[number], place: Place): Record<string, string> => {
  const required = requiredParams({ params }).map((names) => names.find((name) => name in place.params)!)
  const category = required.length === 0 ? ['category'] : []
  const names = [...required, ...category]
  return { country: place.country, ...Object.fromEntries(names.map((name) => [name, place.params[name]!])) }
}

describe.each(cases)('%s of %s', (id, _, query, place) => {
  const given = givenFor(query, place)
  const path = `${pathTo(query)}?${new URLSearchParams(given)}`
  const decimals = place.currency === 'JPY' ? 0 : 2

  test('is in its currency and decimals over HTTP, as tables, on its page, from MCP and on the terminal', async () => {
    const reply = await service.get(path)
    expect(reply.status, reply.body).toBe(200)
    const answer = JSON.parse(reply.body)
    expect(answer).toMatchObject({ country: place.country, currency: place.currency })
    const schema = z.toJSONSchema(query.answer, { io: 'output', reused: 'inline' })
    const amounts = moneyIn(answer, schema)
    for (const { value, path: where } of amounts) expect(Number(value.toFixed(decimals)), where).toBe(value)

    const { answer: overMcp } = (await host.ask(id, given, { fields: ['all'], limit: 1000 })) as { answer: unknown }
    expect(overMcp).toEqual(answer)

    const page = await service.get(`/queries/${id}?${new URLSearchParams(given)}`)
    expect(page.status).toBe(200)
    const foreign = place.sign === '€' ? /¥|\$\d/ : /€|\$\d/
    expect(page.body.replace(/<pre[\s\S]*?<\/pre>/g, '')).not.toMatch(foreign)
    if (amounts.length > 0) expect(page.body).toContain(place.sign)

    const chunks: string[] = []
    const sink = {
      write: (text: string | Uint8Array) => chunks.push(String(text)),
      isTerminal: true,
      hasColours: false,
      columns: 100,
    }
    const argv = [...id.split('/'), '--all', ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])]
    expect(await runCli(argv, { stdout: sink, stderr: sink }, { lake, as_of: AS_OF })).toBe(0)
    expect(chunks.join('')).toContain(place.currency)
    expect(chunks.join('')).not.toMatch(foreign)
  })
})

describe('tables of jp', () => {
  const path = '/v1/marketing/competitive-landscape?category=炊飯器&country=jp&limit=20'
  const bytesOf = async (accept: string) => {
    const reply = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { accept } })
    return reply.arrayBuffer()
  }
  const prices = async (): Promise<number[]> =>
    JSON.parse((await service.get(encodeURI(path))).body).products.map(({ price }: { price: number }) => price)

  test('have whole yen in CSV', async () => {
    const [head, ...lines] = (await service.get(encodeURI(path), { accept: 'text/csv' })).body.trim().split('\r\n')
    const at = head!.split(',').indexOf('price')
    expect(lines.map((line) => line.split(',')[at])).toEqual((await prices()).map(String))
  })

  test('have the same prices in Arrow and Parquet', async () => {
    const expected = await prices()
    expect(expected).toHaveLength(20)
    const arrow = tableFromIPC(await bytesOf('application/vnd.apache.arrow.stream'))
    expect(arrow.toArray().map((row) => row.price)).toEqual(expected)
    const file = await bytesOf('application/vnd.apache.parquet')
    expect((await parquetReadObjects({ file, compressors })).map(({ price }) => price)).toEqual(expected)
  })
})

describe('the contract of a lake', () => {
  test.each(['/openapi.json', '/openapi.full.json'])(
    '%s names the countries and currencies that it holds',
    async (path) => {
      const text = (await service.get(path)).body
      const enums = [...text.matchAll(/"enum":\["us",[^\]]*\]/g)].map(([found]) => found)
      expect(new Set(enums)).toEqual(new Set(['"enum":["us","ca","jp","pt"]']))
      const currencies = [...text.matchAll(/"enum":\["USD",[^\]]*\]/g)].map(([found]) => found)
      expect(new Set(currencies)).toEqual(new Set(['"enum":["USD","CAD","JPY","EUR"]']))
    },
  )

  test.each(['/openapi.full.json', '/llms.txt', '/'])('%s speaks of no country that a lake may lack', async (path) => {
    const { body } = await service.get(path, { accept: 'text/html' })
    expect(body).not.toMatch(/US and Canada|United States and Canada|USD for us/)
  })

  test('a quote is in dollars, whatever the currency of the answer', async () => {
    const path = '/v1/analyst/inflation?category=azeite&country=pt'
    const { body } = await service.get(`/v1/quote?path=${encodeURIComponent(path)}`)
    expect(JSON.parse(body)).toMatchObject({ path, currency: 'USD' })
  })
})
