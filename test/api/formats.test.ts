import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { beforeAll, describe, expect, test } from 'vitest'
import { queries, queryId, tableNames } from '../../engine/index.ts'
import { runCli } from '../../engine/show/cli.ts'
import { sized } from '../support/full-size.ts'
import { temporaryFolder } from '../support/given.ts'
import { pathTo, type Service, samplePaths, send, serveSample } from '../support/http.ts'
import { expectPromisedRefusal, expectRefusal } from '../support/refusals.ts'

const CSV = 'text/csv'
const ARROW = 'application/vnd.apache.arrow.stream'
const PARQUET = 'application/vnd.apache.parquet'
const formats = [
  ['csv', CSV, 'csv'],
  ['arrow', ARROW, 'arrows'],
  ['parquet', PARQUET, 'parquet'],
] as const

const inflation = '/v1/analyst/inflation?category=coffee&days=120'
const paths = samplePaths()

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

/** The response with its body as bytes. */
const fetchBytes = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const sent = request({ port: service.port, host: '127.0.0.1', path, method, agent: false, headers }).end()
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

/** What the command line writes for a path. */
const commandLineBytes = async (path: string, format: string): Promise<Buffer> => {
  const [where = '', text] = path.split('?')
  const given = [...new URLSearchParams(text)].flatMap(([name, value]) => [`--${name}`, value])
  const chunks: Buffer[] = []
  const sink = (kept: Buffer[]) => ({
    write: (chunk: string | Uint8Array) => kept.push(Buffer.from(chunk as string)),
    isTerminal: false,
    hasColours: false,
    columns: 80,
  })
  const file = join(await temporaryFolder(), 'answer.parquet')
  const option = format === 'parquet' ? ['--parquet', file] : [`--${format}`]
  const { lake, as_of } = service.config
  const settings = { lake, as_of: as_of?.toISOString() }
  const terminal = { stdout: sink(chunks), stderr: sink([]) }
  expect(await runCli([...where.split('/').slice(2), ...given, ...option], terminal, settings)).toBe(0)
  return format === 'parquet' ? readFile(file) : Buffer.concat(chunks)
}

/** Records of CSV, read without the code that writes it. */
const recordsOf = (text: string): string[][] => {
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') break
    records.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') records.push([])
  }
  return records.filter((record) => record.length > 0)
}

const parquetRows = (bytes: Buffer) =>
  parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    compressors,
  })

/** Of two lists of an answer, that which is absent from the example. */
const absentLists = new Set(['marketing/promo-intelligence retailers', 'marketing/promotion-reality brands'])

/** The formats that the command line writes a query in: one of them in turn, at full size all. */
const writtenOf = (place: number) => sized([formats[place % formats.length]!], [...formats])

describe.each(paths.map(({ query, path }, place) => [queryId(query), query, path, place] as const))(
  '%s',
  (id, query, path, place) => {
    test.each(writtenOf(place))('as %s has the bytes of the command line', async (format, type, extension) => {
      const { status, headers, body } = await fetchBytes(path, { accept: type })
      expect(status).toBe(200)
      expect(headers['content-type']).toBe(format === 'csv' ? 'text/csv; charset=utf-8' : type)
      expect(headers['content-disposition']).toBe(`attachment; filename="${id.replace('/', '-')}.${extension}"`)
      expect(headers.vary).toMatch(/\bAccept\b(?!-)/)
      expect(body.equals(await commandLineBytes(path, format))).toBe(true)
    })

    test('has each of its tables in every format, with the same columns and number of rows', async () => {
      for (const table of tableNames(query)) {
        if (absentLists.has(`${id} ${table}`)) continue
        const where = `${path}&table=${table}`
        const [header = [], ...records] = recordsOf((await fetchBytes(where, { accept: CSV })).body.toString())
        const arrow = tableFromIPC((await fetchBytes(where, { accept: ARROW })).body)
        expect(arrow.schema.fields.map(({ name }) => name)).toEqual(header)
        expect(arrow.numRows).toBe(records.length)
        const rows = await parquetRows((await fetchBytes(where, { accept: PARQUET })).body)
        expect(rows.length).toBe(records.length)
        if (rows[0]) expect(Object.keys(rows[0])).toEqual(header)
        for (const record of records) expect(record.length).toBe(header.length)
      }
    })
  },
)

test('a series has the same figures in every format', async () => {
  const { time_series } = JSON.parse((await service.get(inflation)).body)
  const [header = [], ...records] = recordsOf((await fetchBytes(inflation, { accept: CSV })).body.toString())
  const prices = time_series.map(({ median_price }: { median_price: number }) => median_price)
  expect(prices.length).toBeGreaterThan(2)
  expect(records.map((record) => Number(record[header.indexOf('median_price')]))).toEqual(prices)
  const arrow = tableFromIPC((await fetchBytes(inflation, { accept: ARROW })).body)
  expect([...arrow.getChild('median_price')!]).toEqual(prices)
  const rows = await parquetRows((await fetchBytes(inflation, { accept: PARQUET })).body)
  expect(rows.map(({ median_price }) => median_price)).toEqual(prices)
})

test('the values of an answer that are not in lists are a table of their own', async () => {
  const where = '/v1/analyst/category-summary?category=coffee'
  const { pricing, product_count } = JSON.parse((await service.get(where)).body)
  const { headers, body } = await fetchBytes(`${where}&table=category-summary`, { accept: CSV })
  expect(headers['content-disposition']).toBe('attachment; filename="analyst-category-summary.csv"')
  const [header = [], record = [], ...others] = recordsOf(body.toString())
  expect(others).toEqual([])
  expect(record[header.indexOf('pricing.median')]).toBe(String(pricing.median))
  expect(record[header.indexOf('product_count')]).toBe(String(product_count))
})

describe('Accept', () => {
  const browser =
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['APPLICATION/JSON', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/json, application/problem+json', 'json'],
    ['application/*', 'json'],
    ['*', 406],
    [browser, 'json'],
    ['text/*', CSV],
    [CSV, CSV],
    ['text/csv; charset=utf-8', CSV],
    ['application/json, text/csv', 'json'],
    ['text/csv, application/json', CSV],
    ['text/csv, application/json;q=0.9', CSV],
    ['text/csv;q=0.5, */*;q=0.1', CSV],
    ['application/json;q=0, */*', CSV],
    [`${ARROW};q=0.2, ${PARQUET}`, PARQUET],
    [`text/html, ${ARROW};q=0.1`, ARROW],
    ['text/html', 406],
    ['application/vnd.ms-excel, image/*', 406],
    ['text/csv;q=0', 406],
    ['nonsense', 406],
    [';;,=', 406],
  ])('of %j is answered with %s', async (accept, expected) => {
    const { status, headers, body } = await fetchBytes(inflation, accept === undefined ? {} : { accept })
    if (expected === 406) {
      expectPromisedRefusal(inflation, { status: status!, headers, body: body.toString() }, 406, 'NOT_ACCEPTABLE')
      const { details } = JSON.parse(body.toString()).error
      expect(details.available).toEqual(['application/json', CSV, ARROW, PARQUET])
    } else {
      expect(status).toBe(200)
      expect(headers['content-type']?.split(';')[0]).toBe(expected === 'json' ? 'application/json' : expected)
    }
  })

  test('of a refused request has no influence: refusals are JSON', async () => {
    for (const accept of [CSV, ARROW, PARQUET, `${CSV}, */*;q=0.1`]) {
      const path = '/v1/analyst/inflation?category=nothing-like-it'
      const reply = await service.get(path, { accept })
      expectRefusal(path, reply, 400, 'INVALID_PARAMS')
      expect(reply.headers['content-disposition']).toBeUndefined()
    }
  })
})

describe('the parameter table', () => {
  const refused = async (path: string, headers: Record<string, string>): Promise<string> => {
    const reply = await service.get(path, headers)
    expectPromisedRefusal(path, reply, 400, 'INVALID_PARAMS')
    return JSON.parse(reply.body).error.message
  }

  test('of a table that the query does not have is refused with its tables', async () => {
    expect(await refused(`${inflation}&table=products`, { accept: CSV })).toBe(
      'table: the answer has no table "products"; it has time_series, lfl_distribution, lfl_contributions, lfl_categories, lfl_brands, inflation',
    )
    for (const name of ['__proto__', 'meta', 'constructor', '..%2F..%2Fetc', 'x'.repeat(4000)])
      expect(await refused(`${inflation}&table=${name}`, { accept: CSV })).toMatch(
        /it has time_series, lfl_distribution, lfl_contributions, lfl_categories, lfl_brands, inflation$/,
      )
  })

  test('of a table that this answer does not have is refused with the ones it has', async () => {
    const path = '/v1/marketing/promo-intelligence?category=coffee'
    expect(await refused(`${path}&table=retailers`, { accept: CSV })).toBe(
      'table: the answer has no table "retailers"; it has brands, promo-intelligence',
    )
    const { body } = await fetchBytes(`${path}&aggregate_by=retailer&table=retailers`, { accept: CSV })
    expect(body.equals((await fetchBytes(`${path}&aggregate_by=retailer`, { accept: CSV })).body)).toBe(true)
  })

  test('with JSON, which has all tables, is refused; twice, too', async () => {
    expect(await refused(`${inflation}&table=time_series`, {})).toMatch(/^table: JSON has all tables; omit it/)
    expect(await refused(`${inflation}&table=a&table=b`, { accept: CSV })).toMatch(/more than once/)
  })

  test('that is empty counts as absent', async () => {
    const plain = await fetchBytes(inflation, { accept: CSV })
    expect((await fetchBytes(`${inflation}&table=`, { accept: CSV })).body.equals(plain.body)).toBe(true)
    expect((await service.get(`${inflation}&table=`)).status).toBe(200)
  })
})

test('the formats of an answer have different ETags, each of which is 304 for itself alone', async () => {
  const where: [string, Record<string, string>][] = [
    [inflation, {}],
    ...formats.map(([, accept]): [string, Record<string, string>] => [inflation, { accept }]),
    [`${inflation}&table=inflation`, { accept: CSV }],
  ]
  const tags = new Map<string, [string, Record<string, string>]>()
  for (const one of where) tags.set(String((await fetchBytes(...one)).headers.etag), one)
  expect(tags.size).toBe(where.length)
  for (const [tag, one] of tags)
    for (const [path, headers] of where) {
      const { status, body, headers: got } = await fetchBytes(path, { ...headers, 'if-none-match': tag })
      const isSame = path === one[0] && headers === one[1]
      expect(status).toBe(isSame ? 304 : 200)
      expect(body.length > 0).toBe(!isSame)
      expect(got.vary).toMatch(/\bAccept\b(?!-)/)
    }
})

test('HEAD of a free query has the headers of its format', async () => {
  const path = '/v1/public/brands?limit=20'
  for (const [, accept] of formats) {
    const { headers } = await fetchBytes(path, { accept })
    const head = await fetchBytes(path, { accept }, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.body.length).toBe(0)
    for (const name of ['content-type', 'content-disposition', 'content-length', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(headers[name])
  }
})

test('CSV and Arrow are compressed, Parquet is not', async () => {
  for (const [format, accept] of formats) {
    const plain = await fetchBytes(`${inflation}&granularity=daily`, { accept })
    const { headers, body } = await fetchBytes(`${inflation}&granularity=daily`, { accept, 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe(format === 'parquet' ? undefined : 'gzip')
    expect((format === 'parquet' ? body : gunzipSync(body)).equals(plain.body)).toBe(true)
  }
})

test('every query refuses an unacceptable type, before its parameters are read', async () => {
  for (const query of queries) {
    const reply = await send(service.port, pathTo(query), { headers: { accept: 'image/png' } })
    expectRefusal(pathTo(query), reply, 406, 'NOT_ACCEPTABLE')
  }
})
