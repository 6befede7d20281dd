import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { csv, givenFiles, newFolder, run, runFiles } from './feeds.ts'

const HEADER =
  'platform,country,listing_id,observed_at,price,list_price,promo_flag,in_stock,product_name,brand,category_path'
const ROWS = [
  'acme,us,1,2026-01-05T10:00:00Z,10.00,12.00,true,true,Red Mug,Kiln,Home > Mugs',
  'acme,us,1,2026-02-05T10:00:00Z,10.50,,false,false,Red Mug,Kiln,Home > Mugs',
  'acme,us,2,2026-01-05T11:30:15Z,3.99,,,true,"Blue Mug, large",KILN,Home > Mugs',
  'bolt,ca,x-7,2026-01-06T00:00:00Z,899.99,1099.99,true,true,Lamp,n/a,Home > Lamps & Accessories',
  'bolt,ca,x-7,2026-02-28T23:59:59Z,899.00,1099.99,true,,Lamp,n/a,Home > Lamps & Accessories',
]
const wide = (rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`

const _OBSERVATIONS = [
  'acme us 1 home/mugs kiln 2026-01-05 36000 1000 1200 true true',
  'acme us 1 home/mugs kiln 2026-02-05 36000 1050 - false false',
  'acme us 2 home/mugs kiln 2026-01-05 41415 399 - - true',
  'bolt ca x-7 home/lamps-and-accessories - 2026-01-06 0 89999 109999 true true',
  'bolt ca x-7 home/lamps-and-accessories - 2026-02-28 86399 89900 109999 true -',
]

const _base32 = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .match(/.{5}/g)!
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits, 2)])
    .join('')

describe('a refresh that must not be published', () => {
  const bad = csv(
    ...Array.from({ length: 99 }, (_, i) => `acme,us,${i},2026-01-05,1.00,USD`),
    'acme,us,99,2026-01-05,zero,USD',
  )

  test('publishes nothing where a file has too many refused rows, and names the file', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': bad })
    const within = await run(feeds, { max_quarantine: 0.01 })
    expect(within.status).toBe('published')
    const report = await run(feeds, { max_quarantine: 0.0099 })
    expect(report).toMatchObject({ status: 'refused', snapshot_id: null })
    expect(report.reasons).toEqual([
      'price_observations/a.csv: 1 of 100 rows are refused, 1 %, above the limit of 0.99 % ' +
        '(--max-quarantine, or "max_quarantine" in its mapping); 1 is PRICE_NOT_A_NUMBER: expected a number; "price_text": true reads one amount inside a text, ' +
        'and "decimal_comma": true reads 1,99; if such rows are no offers, raise "max_quarantine" in the mapping',
    ])
    expect(await readdir(report.lake)).toEqual(['lock.duckdb', 'quarantine', 'staging'])
    const [line] = (await readFile(report.quarantine!, 'utf8')).trim().split('\n')
    expect(JSON.parse(line!)).toEqual({
      file: 'price_observations/a.csv',
      line: 101,
      code: 'PRICE_NOT_A_NUMBER',
      field: 'price',
      value: 'zero',
    })
  })

  test('publishes nothing where no row is kept', async () => {
    const report = await runFiles({ 'price_observations/a.csv': csv('acme,us,1,2026-01-05,zero,USD') })
    expect(report).toMatchObject({
      status: 'refused',
      reasons: ['no row is kept: the lake would have neither an observation nor a post'],
    })
    const empty = await runFiles({ 'price_observations/a.csv': csv() })
    expect(empty).toMatchObject({ status: 'refused', files: [{ rows_read: 0, kept: 0 }] })
  })

  test('keeps the snapshot before where too many serving shelves would be lost', async () => {
    const shop = (name: string, day: string) =>
      Array.from({ length: 30 }, (_, i) => `${name},us,${i},2026-${day},1.00,USD`)
    const both = [...shop('acme', '01-05'), ...shop('bolt', '01-05'), ...shop('cord', '01-05')]
    const first = await runFiles({ 'price_observations/a.csv': csv(...both) })
    const next = await givenFiles({ 'price_observations/b.csv': csv(...shop('acme', '06-05')) })
    const refused = await run(next, { lake: first.lake, max_drop: 0.5 })
    expect(refused.status).toBe('refused')
    expect(refused.reasons).toEqual([
      'serving shelves would fall from 3 to 1, by more than 50 %; --max-drop 1 allows it',
    ])
    expect((await run(next, { lake: first.lake, max_drop: 0.5, thin_below: 31 })).status).toBe('published')
    expect((await run(next, { lake: first.lake, thin_below: 31 })).status).toBe('unchanged')
  })

  test('publishes nothing in a dry run and reports what it would publish', async () => {
    const report = await runFiles({ 'price_observations/a.csv': wide(ROWS) }, { dry_run: true })
    expect(report).toMatchObject({ status: 'dry_run', snapshot_id: null, counts: { observations: 5 } })
    expect(await readdir(report.lake)).toEqual(['lock.duckdb', 'staging'])
  })

  test('leaves no files when it is aborted', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': wide(ROWS) })
    const lake = join(await newFolder(), 'lake')
    const controller = new AbortController()
    const ended = run(feeds, {
      lake,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(ended).rejects.toThrow('enough')
    expect(await readdir(join(lake, 'staging'))).toEqual([])
    expect(await readdir(lake)).toEqual(['lock.duckdb', 'staging'])
  })
})
