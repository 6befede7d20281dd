import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { beforeAll, describe, expect, test } from 'vitest'
import { Engine, findQuery, readParams, valueAt } from '../../../../engine/index.ts'
import { runCli, type Sink } from '../../../../engine/show/cli.ts'
import { sized } from '../../../support/full-size.ts'
import { sampleLake, temporaryFolder } from '../../../support/given.ts'
import { withoutNotice } from '../../../support/notices.ts'

let sample: Awaited<ReturnType<typeof sampleLake>>
beforeAll(async () => {
  sample = await sampleLake()
})

/** Collects what is written; `onWrite` sees each chunk. */
const collect = (isTerminal: boolean, columns = 100, onWrite = (_: string) => {}) => {
  const chunks: Buffer[] = []
  const write = (chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk))
    onWrite(String(chunk))
  }
  const sink: Sink = { write, isTerminal, hasColours: false, columns }
  return { sink, text: () => Buffer.concat(chunks).toString(), bytes: () => Buffer.concat(chunks) }
}

const settings = () => ({ lake: sample.lake, as_of: sample.as_of.toISOString() })

const run = async (line: string, isTerminal = false, columns?: number) => {
  const [out, err] = [collect(isTerminal, columns), collect(isTerminal, columns)]
  const code = await runCli(line.split(' '), { stdout: out.sink, stderr: err.sink }, settings())
  return { code, out: out.text(), err: withoutNotice(err.text()), bytes: out.bytes() }
}

/** Erases the line of progress. */
const ERASE = '\r\x1b[K'

const summary = 'analyst category-summary --each category=grocery/beverages'
type Row = { category: string; answer?: Record<string, unknown>; error?: { code: string } }
const rowsOf = (text: string): Row[] => JSON.parse(text)

const answersOneByOne = async (rows: readonly Row[]) => {
  const engine = await Engine.open(sample.lake, { as_of: sample.as_of })
  const query = findQuery('analyst', 'category-summary')!
  try {
    return await Promise.all(
      rows.map(async ({ category }) =>
        engine.run(await engine.plan(query, readParams(query, { category }))).then(
          (answer) => ({ category, answer }),
          ({ code, message, details }) => ({ category, error: { code, message, details } }),
        ),
      ),
    )
  } finally {
    engine.close()
  }
}

describe('--each category=PATH', () => {
  test('returns in JSON for the path and each category below it what the query returns for it', async () => {
    const { code, out, err } = await run(summary)
    const rows = rowsOf(out)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(rows.map(({ category }) => category)).toEqual(
      expect.arrayContaining(['grocery/beverages', 'grocery/beverages/coffee']),
    )
    expect(rows.every(({ category }) => `${category}/`.startsWith('grocery/beverages/'))).toBe(true)
    expect(rows).toEqual(await answersOneByOne(rows))
  })

  test('returns a row of the same figures in CSV, Arrow and Parquet', async () => {
    const rows = rowsOf((await run(summary)).out)
    const { out } = await run(`${summary} --csv`)
    const [head = '', ...lines] = out.trimEnd().split('\r\n')
    const names = head.split(',')
    expect(names[0]).toBe('category')
    expect(names.slice(-2)).toEqual(['refusal', 'message'])
    expect(lines.map((line) => line.split(',')[0])).toEqual(rows.map(({ category }) => category))

    const arrow = tableFromIPC((await run(`${summary} --arrow`)).bytes)
    expect(arrow.schema.fields.map(({ name }) => name)).toEqual(names)
    const file = join(await temporaryFolder(), 'summaries.parquet')
    const written = await run(`${summary} --parquet ${file}`)
    expect(written).toMatchObject({ code: 0, out: '', err: `${file}: ${rows.length} rows\n` })
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors })
    expect(Object.keys(read[0]!)).toEqual(names)
    const figures = names.slice(1, -2)
    expect(figures).toContain('pricing.median')
    for (const [position, { category, answer }] of rows.entries()) {
      const expected = figures.map((name) => valueAt(answer, { name }))
      for (const row of [arrow.get(position)!.toJSON(), read[position]!]) {
        const values = figures.map((name) => (typeof row[name] === 'bigint' ? Number(row[name]) : row[name]))
        expect([row.category, ...values]).toEqual([category, ...expected])
      }
    }
  })

  test.each(sized([60, 200], [60, 80, 120, 200]))(
    'is a table on a terminal of %i columns, with progress that is erased',
    async (width) => {
      const { code, out, err } = await run(summary, true, width)
      expect(code).toBe(0)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(out).toMatch(/^By category$/m)
      expect(out).toMatch(/^grocery\/beverages\/coffee /m)
      expect(err).toContain(`${ERASE}1 of `)
      expect(err.endsWith(ERASE)).toBe(true)
    },
  )
})

describe('--each retailer', () => {
  test('has the code and message of a refusal in the row of a retailer, and goes on', async () => {
    const { code, out } = await run('analyst inflation --category laptops --each retailer')
    const rows = JSON.parse(out) as { retailer: string; answer?: object; error?: { code: string } }[]
    expect(code).toBe(0)
    expect(new Set(rows.map(({ error }) => error?.code))).toEqual(new Set([undefined, 'RETAILER_NOT_SERVING_ELIGIBLE']))
    const { out: csv } = await run('analyst inflation --category laptops --each retailer --csv')
    for (const { retailer, error } of rows)
      if (error) expect(csv).toMatch(new RegExp(`^${retailer},.*${error.code},`, 'm'))
  })

  test('exits 1 where every retailer is refused', async () => {
    expect((await run('analyst inflation --category toys --country ca --each retailer --as-of 2015-01-01')).code).toBe(
      1,
    )
  })
})

test('--each brand has a row for each brand, those with most listings first', async () => {
  const { out } = await run('marketing brand-breakdown --each brand')
  const { out: listed } = await run('public brands --limit 500')
  const { items } = JSON.parse(listed) as { items: { brand: string }[] }
  expect(JSON.parse(out).map(({ brand }: { brand: string }) => brand)).toEqual(items.map(({ brand }) => brand))
})

test.each([
  ['analyst inflation --each week', 'each: expected category or retailer for analyst/inflation, got "week"'],
  ['public stats --each category', 'each: public/stats has no parameter category, retailer or brand'],
  [
    'analyst inflation --each category --category coffee',
    '--each category and --category cannot be combined; send one',
  ],
  ['analyst inflation --each retailer=acme --category coffee', 'each: retailer takes no value; send --each retailer'],
  ['analyst inflation --each category=', 'each: category= is empty; send a path, or --each category for all'],
  [
    'analyst inflation --each category=qqq',
    'each: no category "qqq" has listings; the query public/categories lists paths',
  ],
  ['analyst inflation --each category --explain', '--each and --explain cannot be combined; send one'],
  ['analyst inflation --each category --days many', 'days: expected a whole number, at least 1, got "many"'],
  ['analyst inflation --each category --csv --parquet x', '--csv and --parquet cannot be combined; send one'],
  ['sql analyst inflation --each category', '--each cannot be combined with a script, which is printed as SQL'],
])('%s is refused as wrong usage', async (line, message) => {
  const { code, err } = await run(line)
  expect({ code, message: JSON.parse(err).error.message }).toEqual({ code: 2, message })
})

test('--parquet refuses a file in the lake and a folder that does not exist', async () => {
  const inLake = await run(`analyst inflation --category coffee --parquet ${sample.lake}/x.parquet`)
  expect(inLake.code).toBe(2)
  expect(existsSync(`${sample.lake}/x.parquet`)).toBe(false)
  const { err } = await run('analyst inflation --category coffee --parquet /nowhere/x.parquet')
  expect(JSON.parse(err).error.message).toBe('parquet: folder /nowhere does not exist')
})

test('a refusal is printed once: as text where a terminal shows it, else as JSON', async () => {
  for (const [isOutTerminal, isErrTerminal, option, expected] of [
    [false, false, '', 'json'],
    [true, true, '', 'text'],
    [false, true, '', 'text'],
    [false, true, ' --json', 'json'],
  ] as const) {
    const [out, err] = [collect(isOutTerminal), collect(isErrTerminal)]
    const line = `analyst inflation --category qqq${option}`
    await runCli(line.split(' '), { stdout: out.sink, stderr: err.sink }, settings())
    const text = withoutNotice(err.text())
    expect(text.startsWith('{') ? 'json' : 'text').toBe(expected)
    expect(text.match(/no category matches/g)).toHaveLength(1)
  }
})
