import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { takeLease } from '../../engine/index.ts'
import { check } from '../../ingest/check/check.ts'
import { renderCheck } from '../../ingest/check/show/render.ts'
import { renderReport } from '../../ingest/cli/render.ts'
import type { RefreshOptions } from '../../ingest/options.ts'
import { withdraw } from '../../ingest/refresh.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { csv, givenFiles, newFolder, run } from '../ingest/feeds.ts'
import { expectMessages, type Line, named } from './expect-messages.ts'

const AS_OF = new Date('2026-11-21T00:00:00Z')
const HEADER = 'platform,country,listing_id,observed_at,price,list_price,product_name,brand,gtin,colour,conditon'

/** Rows of sixty listings of a retailer on a day, at a price in dollars. */
const rowsOf = (retailer: string, day: string, price: number, count = 60): string[] =>
  Array.from({ length: count }, (_, i) => `${retailer},us,${i},${day},${price + i / 100},USD`)

/** A report as a person reads it, without the time that it took. */
const textOf = (report: RefreshReport, lake: string, feeds = ''): string => {
  const files = report.files.map((file) => ({ ...file, seconds: 0 }))
  const names = { LAKE: lake, ...(feeds ? { FEEDS: feeds } : {}) }
  return named(renderReport({ ...report, files }, lake), names)
}

/** Reports of refreshes of one lake, one after the other. */
const reports = async (): Promise<Line[]> => {
  const lake = join(await newFolder(), 'lake')
  const lines: Line[] = []
  const refresh = async (
    what: string,
    files: Readonly<Record<string, string>>,
    options: Partial<RefreshOptions> = {},
  ) => {
    const feeds = await givenFiles(files)
    const report = await run(feeds, { lake, as_of: AS_OF, max_drop: 0.5, ...options })
    lines.push([what, report.status, textOf(report, options.lake ?? lake, feeds)])
    return report
  }
  const mixed = [
    HEADER,
    'acme,us,a,2026-09-05T10:00:00Z,10.00,twelve,Red Mug,Kiln,4006381333931,red,new',
    'acme,us,a,2026-09-05T10:00:00Z,9.00,12.00,Red Mug,Kiln,4006381333932,red,new',
    'acme,us,b,2026-09-05T10:00:00Z,zero,,Blue Mug,Kiln,,blue,new',
    'bolt,us,c,2026-09-05T10:00:00Z,11.00,,Red Mug,Kiln,4006381333931,red,new',
  ]
  const first = await refresh('the first refresh, of rows with faults', {
    'price_observations/mixed.csv': `${mixed.join('\n')}\n`,
    'price_observations/one.csv': csv(...rowsOf('acme', '2026-09-05', 10)),
    'price_observations/notes.txt': 'notes',
    'price_observations/empty.csv': '',
    'price_observations/feed.json': '{"files": {"other*.csv": {}}}',
  })
  const second = { 'price_observations/two.csv': csv(...rowsOf('acme', '2026-10-05', 11)) }
  for (const status of ['dry_run', 'unchanged'] as const)
    lines.push([
      status,
      status,
      textOf({ ...first, files: [], quality: [], status, previous: first.snapshot_id }, lake),
    ])
  await takeLease(lake, first.snapshot_id ?? '')
  await refresh('of which the previous snapshot is open', second, { keep: 1 })
  await refresh('cents instead of dollars', {
    'price_observations/cents.csv': csv(...rowsOf('acme', '2026-11-05', 1100)),
  })
  await refresh('another unit, and too few rows', {
    'price_observations/part.csv': csv(...rowsOf('acme', '2026-11-20', 55, 15)),
  })
  await refresh('less than before', {
    'price_observations/feed.json': '{"replaces": "month"}',
    'price_observations/part.csv': csv(...rowsOf('acme', '2026-09-05', 10, 1), ...rowsOf('acme', '2026-10-05', 11, 1)),
  })
  await refresh(
    'nothing that is kept',
    {
      'price_observations/bad.csv': csv(...rowsOf('acme', 'never', 10, 2)),
    },
    { lake: join(await newFolder(), 'lake') },
  )
  const withdrawn = await withdraw(
    { lake, threads: 1, memory_limit: '512MiB' },
    {
      platform: 'bolt',
      country: undefined,
      from: undefined,
      to: undefined,
    },
  )
  lines.push(['withdraw --platform bolt', withdrawn.status, textOf(withdrawn, lake)])
  return lines
}

/** What `refresh check` prints of files, with a proposed mapping and with a given one. */
const checks = async (): Promise<Line[]> => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `P${i},Mug ${i},${i % 9 === 0 ? 'call' : `${i}.99`},0${(i % 9) + 1}/05/2026,red`,
  )
  const root = await givenFiles({
    'shop.csv': `Item,Title,Price,Date,Colour\n${rows.join('\n')}\n`,
    'readme.md': 'notes',
    'data.csv': '1,2,3\n4,5,6\n',
  })
  const mapping = join(await newFolder(), 'mapping.json')
  const columns = { listing_id: 'Item', product_name: 'Title', price: 'Price', observed_at: 'Date' }
  const constants = { platform: 'shop', country: 'us' }
  await writeFile(
    mapping,
    JSON.stringify({ price_observations: { files: ['shop.csv', 'other*.csv'], columns, constants } }),
  )
  const options = { threads: 1, memory_limit: '512MiB' }
  const proposed = await check({ paths: [root], ...options })
  const given = await check({ paths: [root], mappings: [mapping], ...options })
  const empty = join(root, 'empty')
  await mkdir(empty)
  const refused = await Promise.all(
    [[], [join(root, 'nowhere')], [empty]].map((paths) =>
      check({ paths, ...options }).then(
        () => '',
        (error: Error) => error.message,
      ),
    ),
  )
  const names = { FEEDS: root, MAPPING: mapping }
  return [
    ['check FEEDS', 'checked', named(renderCheck(proposed), names)],
    ['check FEEDS --mapping MAPPING', 'checked', named(renderCheck(given), names)],
    ...refused.map(
      (message, index): Line => [
        ['check', 'check FEEDS/nowhere', 'check FEEDS/empty'][index] ?? '',
        'INVALID_PARAMS',
        named(message, names),
      ],
    ),
  ]
}

test('reports of refreshes and checks', async () => {
  await expectMessages('reports', {
    'shelfmark-refresh: status': await reports(),
    'shelfmark-refresh check': await checks(),
  })
})
