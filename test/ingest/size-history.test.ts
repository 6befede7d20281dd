import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withdraw } from '../../ingest/refresh.ts'
import { csv, givenFiles, HEADER, type Lake, newFolder, query, run, runFiles, single } from './feeds.ts'

type Seen = readonly [day: string, text: string]

const HEADED = `${HEADER},product_name`
const rowOf = (id: string, [day, text]: Seen) => `acme,us,${id},${day}T10:00:00Z,10.00,USD,${text}`
const feedOf = (...rows: readonly string[]) => ({ 'price_observations/a.csv': csv(...rows).replace(HEADER, HEADED) })

/** The sizes of each listing as `id first_day last_day size dimension title`. */
const sizesOf = async (report: Lake): Promise<string[]> => {
  const rows = await query(`
    SELECT concat_ws(' ', product_id, first_day, last_day, size, dimension, title) AS line
    FROM ${single(report, 'listing_sizes')} AS size JOIN ${single(report, 'listing_attributes')} AS attribute USING (listing_id)
    ORDER BY listing_id, first_day`)
  return rows.map(({ line }) => String(line))
}

const CHANGED: readonly Seen[] = [
  ['2026-01-05', 'Coffee 340 g'],
  ['2026-01-09', 'Coffee 340 g'],
  ['2026-01-12', 'Coffee 300 g'],
  ['2026-01-20', 'New: Coffee 300 g'],
]

type StatedDay = { text: string; day: string; batch: number }

/** What a listing states on the days of each of up to four batches. */
const batchesOfTexts = fc.array(
  fc.array(fc.constantFrom('340 g', '300 g', '0.3 kg', '250 g', 'tin'), { minLength: 1, maxLength: 4 }),
  { minLength: 2, maxLength: 4 },
)

const daysOf = (batches: string[][]): StatedDay[] =>
  batches.flatMap((texts, batch) => texts.map((text, i) => ({ text, day: `2026-0${batch + 1}-0${i + 1}`, batch })))

const gramsOf = (text: string): number | null =>
  text === 'tin' ? null : text === '0.3 kg' ? 300 : Number(text.split(' ')[0])

/** The sizes of a listing by their definition, as `first_day last_day size`; none where it never changes. */
const sizeRunsOf = (days: StatedDay[]): string[] => {
  const runs: { from: string; to: string; grams: number }[] = []
  for (const { text, day } of days) {
    const grams = gramsOf(text)
    const open = runs.at(-1)
    if (grams === null) continue
    if (open?.grams === grams) open.to = day
    else runs.push({ from: runs.length === 0 ? days[0]!.day : day, to: day, grams })
  }
  const isVaried = new Set(days.map(({ text }) => gramsOf(text))).size > 1
  return isVaried ? runs.map(({ from, to, grams }) => `${from} ${to} ${grams * 1000}`) : []
}

describe('the sizes of a listing', () => {
  test('are listed where its texts state several, each with its days', async () => {
    const same: Seen[] = [
      ['2026-01-05', 'Tea 500 g'],
      ['2026-01-12', 'Tea, 0.5 kg'],
    ]
    const rows = [...CHANGED.map((seen) => rowOf('1', seen)), ...same.map((seen) => rowOf('2', seen))]
    expect(await sizesOf(await runFiles(feedOf(...rows)))).toEqual([
      '1 2026-01-05 2026-01-09 340000 mass Coffee 340 g',
      '1 2026-01-12 2026-01-20 300000 mass Coffee 300 g',
    ])
  })

  test.each([
    ['Cola 6 x 355 ml', 'Cola 6 x 330 ml', '2130000 volume', '1980000 volume'],
    ['Napkins 40 ct', 'Napkins 36 ct', '40 count', '36 count'],
    ['Juice 500 ml', 'Juice 500 g', '500000 volume', '500000 mass'],
  ])('are of all that it contains: %s, then %s', async (before, after, first, second) => {
    const rows = [rowOf('1', ['2026-01-05', before]), rowOf('1', ['2026-01-12', after])]
    expect(await sizesOf(await runFiles(feedOf(...rows)))).toEqual([
      `1 2026-01-05 2026-01-05 ${first} ${before}`,
      `1 2026-01-12 2026-01-12 ${second} ${after}`,
    ])
  })

  test('are those of columns too, where the catalogue has the title', async () => {
    const lines = ['1,2026-01-05T10:00:00Z,10.00,340,g', '1,2026-02-05T10:00:00Z,10.00,300,g'].map(
      (line) => `acme,us,${line}`,
    )
    const report = await runFiles({
      'price_observations/a.csv': `platform,country,listing_id,observed_at,price,size_value,size_unit\n${lines.join('\n')}\n`,
      'product_catalogue/a.csv': 'platform,country,listing_id,product_name\nacme,us,1,Coffee\n',
    })
    expect(await sizesOf(report)).toEqual([
      '1 2026-01-05 2026-01-05 340000 mass Coffee',
      '1 2026-02-05 2026-02-05 300000 mass Coffee',
    ])
  })

  test('are dated by a catalogue that has several rows of a listing, the first from its first price on', async () => {
    const report = await runFiles({
      'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD'),
      'product_catalogue/a.csv': [
        'platform,country,listing_id,last_seen_at,product_name',
        'acme,us,1,2026-02-01,Coffee 340 g',
        'acme,us,1,2026-03-01,Coffee 300 g\n',
      ].join('\n'),
    })
    expect(await sizesOf(report)).toEqual([
      '1 2026-01-05 2026-02-01 340000 mass Coffee 340 g',
      '1 2026-03-01 2026-03-01 300000 mass Coffee 300 g',
    ])
  })

  test('are the same from refreshes of a few days each as from one, whatever was stated when', async () => {
    const listings = fc.sample(batchesOfTexts, { seed: 38, numRuns: 300 }).map(daysOf)
    const feedWhere = (isIn: (day: StatedDay) => boolean) =>
      feedOf(
        ...listings.flatMap((days, id) =>
          days.filter(isIn).map(({ day, text }) => rowOf(String(id), [day, `Coffee ${text}`])),
        ),
      )
    const lake = join(await newFolder(), 'lake')
    let last: Lake | undefined
    for (const batch of [0, 1, 2, 3])
      last = await run(await givenFiles(feedWhere((day) => day.batch === batch)), { lake })
    const expected = listings.flatMap((days, id) => sizeRunsOf(days).map((line) => `${id} ${line}`)).sort()
    const lines = (of: string[]) => of.map((line) => line.split(' ').slice(0, 4).join(' ')).sort()
    expect(expected.length).toBeGreaterThan(listings.length)
    expect(lines(await sizesOf(await runFiles(feedWhere(() => true))))).toEqual(expected)
    expect(lines(await sizesOf(last!))).toEqual(expected)
  })
})

describe('a refresh', () => {
  test('leaves the sizes of listings that do not arrive, and compares the others with the newest text of the lake', async () => {
    const { lake } = await runFiles(
      feedOf(...CHANGED.map((seen) => rowOf('1', seen)), rowOf('2', ['2026-01-05', 'Tea 90 g'])),
    )
    const next = await run(await givenFiles(feedOf(rowOf('2', ['2026-02-05', 'Tea 80 g']))), { lake })
    expect(await sizesOf(next)).toEqual([
      '1 2026-01-05 2026-01-09 340000 mass Coffee 340 g',
      '1 2026-01-12 2026-01-20 300000 mass Coffee 300 g',
      '2 2026-01-05 2026-01-05 90000 mass Tea 90 g',
      '2 2026-02-05 2026-02-05 80000 mass Tea 80 g',
    ])
    const third = await run(await givenFiles(feedOf(rowOf('1', ['2026-03-05', 'Coffee 300 g']))), { lake })
    expect((await sizesOf(third))[1]).toBe('1 2026-01-12 2026-03-05 300000 mass Coffee 300 g')
  })

  test('drops the sizes of withdrawn days and listings', async () => {
    const feed = feedOf(
      ...CHANGED.map((seen) => rowOf('1', seen)),
      'other,us,9,2026-01-05T10:00:00Z,10.00,USD,Tea 90 g',
    )
    const part = await runFiles(feed)
    const days = { platform: 'acme', from: '2026-01-10', to: '2026-01-15' }
    expect(await sizesOf({ ...(await withdraw({ lake: part.lake }, days)), lake: part.lake })).toEqual([
      '1 2026-01-05 2026-01-09 340000 mass Coffee 340 g',
      '1 2026-01-20 2026-01-20 300000 mass Coffee 300 g',
    ])
    const whole = await runFiles(feed)
    expect(
      await sizesOf({ ...(await withdraw({ lake: whole.lake }, { platform: 'acme' })), lake: whole.lake }),
    ).toEqual([])
  })

  test('of a lake without sizes starts with its newest texts', async () => {
    const { lake, snapshot_id } = await runFiles(feedOf(rowOf('1', ['2026-01-05', 'Coffee 340 g'])))
    const folder = join(lake, 'snapshots', String(snapshot_id))
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { files: { path: string }[] }
    const files = manifest.files.filter(({ path }) => path !== 'listing_sizes.parquet')
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }))
    // Such a snapshot may be older than the hashes of manifests.
    await rm(join(folder, 'manifest.sha256'))
    await writeFile(join(lake, 'current'), `${snapshot_id}\n`)
    await rm(join(folder, 'listing_sizes.parquet'))
    const next = await run(await givenFiles(feedOf(rowOf('1', ['2026-02-05', 'Coffee 300 g']))), { lake })
    expect(await sizesOf(next)).toHaveLength(2)
  })
})
