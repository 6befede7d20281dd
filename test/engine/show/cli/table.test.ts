import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findQuery } from '../../../../engine/index.ts'
import { mainTable } from '../../../../engine/show/cli/table.ts'
import { arrowStream } from '../../../../engine/show/formats/arrow.ts'
import { csv } from '../../../../engine/show/formats/csv.ts'

const gpc = z.object({ code: z.string(), level: z.int() }).meta({ id: 'GpcUnderTest' })
const query = {
  ...findQuery('analyst', 'inflation')!,
  name: 'sales',
  answer: z.object({
    country: z.string(),
    summary: z.object({ mean: z.number().nullable() }),
    sales: z
      .array(
        z.object({
          date: z.iso.date(),
          name: z.string().nullable(),
          price: z.number().nullable(),
          count: z.int().min(0).nullable(),
          promo: z.boolean(),
          tags: z.array(z.string()),
          observed_at: z.iso.datetime(),
          gpc: gpc.nullable(),
        }),
      )
      .optional(),
    others: z.array(z.object({ name: z.string() })).optional(),
  }),
}
const sale = {
  date: '2026-10-01',
  name: 'Beans, "dark"\nroast',
  price: 9.5,
  count: 3,
  promo: false,
  tags: ['a', 'b'],
  observed_at: '2026-10-01T12:30:00Z',
  gpc: { code: '10000115', level: 4 },
}
const empty = { ...sale, date: '2026-10-02', name: null, price: null, count: null, tags: [], gpc: null }
const answer = { country: 'us', summary: { mean: 9.5 }, sales: [sale, empty], others: [{ name: 'x' }] }

describe('mainTable', () => {
  it('is the first list of records, with nested values under dotted names', () => {
    const { name, columns, rows } = mainTable(query, answer)
    expect(name).toBe('sales')
    expect(columns.map(({ name }) => name)).toEqual([
      ...['date', 'name', 'price', 'count', 'promo', 'tags', 'observed_at'],
      ...['gpc.code', 'gpc.level'],
    ])
    expect(rows[1]).toEqual(['2026-10-02', null, null, null, false, [], '2026-10-01T12:30:00Z', null, null])
  })

  it('is the list that the answer contains where the schema has several', () => {
    const { sales: _, ...without } = answer
    expect(mainTable(query, without)).toMatchObject({ name: 'others', rows: [['x']] })
  })

  it('is a single row of all values where there is no list', () => {
    const { columns, rows } = mainTable(findQuery('public', 'stats')!, { retailers: { total: 3 }, last_updated: null })
    const total = columns.findIndex(({ name }) => name === 'retailers.total')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.[total]).toBe(3)
  })
})

describe('csv', () => {
  it('follows RFC 4180', async () => {
    expect(await csv(mainTable(query, answer))).toBe(
      'date,name,price,count,promo,tags,observed_at,gpc.code,gpc.level\r\n' +
        '2026-10-01,"Beans, ""dark""\nroast",9.5,3,false,"[""a"",""b""]",2026-10-01T12:30:00Z,10000115,4\r\n' +
        '2026-10-02,,,,false,[],2026-10-01T12:30:00Z,,\r\n',
    )
  })

  it('has a header even without rows', async () => {
    expect(await csv(mainTable(query, { ...answer, sales: [] }))).toMatch(/^date,name,[a-z_.,]+\r\n$/)
  })
})

describe('arrowStream', () => {
  it('has the same values with the types of the schema', async () => {
    const table = tableFromIPC(await arrowStream(mainTable(query, answer)))
    expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['date Date32<DAY>', 'name Utf8', 'price Float64', 'count Int64', 'promo Bool', 'tags Utf8'],
      ...['observed_at Timestamp<MILLISECOND, UTC>', 'gpc.code Utf8', 'gpc.level Int64'],
    ])
    const [first, second] = table.toArray().map((row) => row.toJSON())
    expect(first).toMatchObject({ name: sale.name, price: 9.5, count: 3n, promo: false, 'gpc.level': 4n })
    expect(new Date(first?.date)).toEqual(new Date('2026-10-01'))
    expect(new Date(first?.observed_at)).toEqual(new Date(sale.observed_at))
    expect(second).toMatchObject({ name: null, price: null, count: null, promo: false, 'gpc.code': null })
  })

  it('keeps the types where there are no rows', async () => {
    const table = tableFromIPC(await arrowStream(mainTable(query, { ...answer, sales: [] })))
    expect(table.numRows).toBe(0)
    expect(String(table.schema.fields[2]?.type)).toBe('Float64')
  })
})
