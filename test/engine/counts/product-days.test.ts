import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { randomNumbers } from '../../../bench/random.ts'
import { addDays } from '../../../engine/contract/days.ts'
import { historyLists } from '../../../engine/counts/product-days.ts'
import type { Bindings, Row } from '../../../engine/duckdb/pool.ts'
import { type Engine, snapshotFolder } from '../../../engine/index.ts'
import { daysOfProduct } from '../../../engine/queries/posted-prices.ts'
import { ask } from '../../support/ask.ts'
import { filesInterpreter } from '../../support/files.ts'
import { sized } from '../../support/full-size.ts'
import { ensureLake, openEngine } from '../../support/given.ts'
import { resized } from '../../support/resized.ts'
import { feedRow } from '../../support/rows.ts'
import { WORLD_END, worldOf } from '../../support/worlds.ts'

const QUESTIONS = sized(60, 1000)
const SPAN = `SELECT min(day)::VARCHAR AS first, max(day)::VARCHAR AS last, max(listing_id) AS listings FROM listing_day`

let engine: Engine
let lake: string

beforeAll(async () => {
  ;({ lake } = await ensureLake({ observations: resized(worldOf(7), 7).map(feedRow) }))
  engine = await openEngine(lake, { warm: true, as_of: new Date(WORLD_END) })
})

/** A window, the days before now and some listings, as queries about products bind them. */
const drawBindings = (draw: () => number, { first, last, listings }: Row): Bindings => {
  const days = (Date.parse(String(last)) - Date.parse(String(first))) / 86_400_000
  const some = (below: number): number => Math.floor(below * draw())
  const seen_from = addDays(String(first), some(days) - 5)
  const to = addDays(seen_from, 1 + some(days))
  const before = addDays(String(last), 1 - some(30))
  const since = addDays(before, -some(40))
  const ids = Array.from({ length: 1 + some(6) }, () => 1 + some(Number(listings) + 2))
  return {
    country: draw() < 0.5 ? 'us' : 'ca',
    listing_ids: [...new Set(ids)].join(','),
    ...{ seen_from, to, since, before },
    month_from: (seen_from < since ? seen_from : since).slice(0, 7),
    month_to: (to > before ? to : before).slice(0, 7),
  }
}

test('days of products from histories are those of a statement', async () => {
  const draw = randomNumbers(11)
  const [span] = await engine.rows(SPAN, {})
  const { history } = await engine.catalog()
  const lists = historyLists(history!)
  let listed = 0
  for (let i = 0; i < QUESTIONS; i += 1) {
    const bindings = drawBindings(draw, span!)
    expect(lists.has(daysOfProduct, bindings)).toBe(true)
    const rows = await lists.rows(daysOfProduct, bindings)
    expect(rows, JSON.stringify(bindings)).toEqual(await filesInterpreter(engine).rows(daysOfProduct, bindings, {}))
    listed += rows.length
  }
  expect(listed).toBeGreaterThan(5 * QUESTIONS)
})

test('another order, a limit or a condition is left to statements', () => {
  const lists = historyLists(() => Promise.reject(new Error('not read')))
  expect(lists.has({ ...daysOfProduct, order: ['listing_id', 'day'] }, {})).toBe(false)
  expect(lists.has({ ...daysOfProduct, where: ['is_promoted'] }, {})).toBe(false)
})

test('a damaged file of histories makes the snapshot a damaged one', async () => {
  const open = await openEngine(lake, { warm: true, as_of: new Date(WORLD_END) })
  const [latest] = (await open.rows(
    `SELECT product_uid, listing.country, year FROM listing_day JOIN listing USING (listing_id) ORDER BY day DESC LIMIT 1`,
    {},
  )) as Record<'product_uid' | 'country' | 'year', string>[]
  const { product_uid, country, year } = latest!
  const file = `listing_histories/country=${country}/year=${year}/part-0.arrow`
  const path = join(snapshotFolder(lake, open.manifest.snapshot_id), file)
  // In place of every byte that is not of the end, so that it is opened like before.
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(0xff, 1000, bytes.lastIndexOf('listing_id')))
  await expect(ask(open, 'shopper/price-history', { product_uid, country })).rejects.toMatchObject({
    code: 'NOT_READY',
    details: { file },
  })
})
