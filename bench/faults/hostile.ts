import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { serveSample } from '../../test/support/http.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { type Measured, progress, Tally } from './figure.ts'

const CANARY = 'canary-7f3a91'
const RETAILER = 'kettlecart'

/** Values that would take effect if they were interpreted as SQL. */
const templates = (file: string) => [
  `coffee' OR 1=1 --`,
  `coffee'; COPY (SELECT 1) TO '${file}.out'; --`,
  `coffee' UNION SELECT * FROM read_csv('${file}') --`,
  `'||(SELECT content FROM read_text('${file}'))||'`,
  `coffee') OR retailer <> '${RETAILER}' --`,
  `$category`,
  `getvariable('snapshot')`,
  `ATTACH '${file}.db'`,
  `${file}`,
  `%' ESCAPE '%`,
  `"; DROP TABLE listing; --`,
  `coffee\u0000 OR true`,
]

const words = ['coffee', 'laptops', 'oakverly', 'grocery', 'tv']

const values = (file: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...templates(file)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...words),
          fc.string({ unit: fc.constantFrom(...'\'";%_\\()[]{}*?$#-+/ '), maxLength: 30 }),
        )
        .map(([word, suffix]) => word + suffix),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )

/** Queries for one retailer in one country: no row of another may be returned. */
const shapes = [
  (value: string) => `/v1/shopper/best-price?country=us&retailer=${RETAILER}&q=${value}`,
  (value: string) => `/v1/shopper/deal-finder?country=us&retailer=${RETAILER}&min_discount_pct=1&brand=${value}`,
  (value: string) => `/v1/shopper/deal-finder?country=us&retailer=${RETAILER}&min_discount_pct=1&category=${value}`,
  (value: string) => `/v1/marketing/competitive-landscape?country=us&retailer=${RETAILER}&category=${value}`,
]

type AnswerRow = { retailer?: string }
type ParsedAnswer = { prices?: AnswerRow[]; deals?: AnswerRow[]; products?: AnswerRow[]; currency?: string }

const filesBelow = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true })
  const lines = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    }),
  )
  return lines.sort()
}

/** Hostile values of q, category and brand: no row of another retailer, no file read, written or changed. */
export const measureHostile = async (rounds: number): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-hostile-'))
  const file = join(folder, 'secret.csv')
  await writeFile(file, `${CANARY}\n`)
  const { lake } = await sampleLake()
  const before = [await filesBelow(lake), await filesBelow(folder)]
  const service = await serveSample()
  const tally = new Tally()
  let rows = 0
  const report = progress('values', rounds)
  const requests = fc.sample(fc.tuple(fc.constantFrom(...shapes), values(file)), rounds)
  for (const [i, [shape, value]] of requests.entries()) {
    const { status, body } = await service.get(shape(encodeURIComponent(value)))
    const {
      prices = [],
      deals = [],
      products = [],
      currency,
    } = (status === 200 ? JSON.parse(body) : {}) as ParsedAnswer
    const listings = [...prices, ...deals, ...products]
    rows += listings.length
    tally.count(
      ![200, 400, 404].includes(status) && `${status} for ${JSON.stringify(value).slice(0, 60)}`,
      listings.some(({ retailer }) => retailer !== RETAILER) && `rows of another retailer for ${JSON.stringify(value)}`,
      listings.length > 0 && currency !== 'USD' && 'rows of another country',
      body.includes(CANARY) && 'the content of a file',
    )
    report(i + 1)
  }
  const after = [await filesBelow(lake), await filesBelow(folder)]
  const isUntouched = JSON.stringify(after) === JSON.stringify(before)
  return tally.measured(
    `${rows.toLocaleString('en')} rows, files ${isUntouched ? 'untouched' : 'TOUCHED'}`,
    isUntouched,
  )
}
