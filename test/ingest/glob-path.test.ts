import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { transfer } from '../../ingest/snapshot/transfer.ts'
import { ask } from '../support/ask.ts'
import { openEngine, refreshed, temporaryFolder } from '../support/given.ts'
import { postsOn } from '../support/posts.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow, listing, observed, pairs, unchanged } from '../support/rows.ts'

const as_of = new Date('2026-11-11')
const later = [1, 2, 3].flatMap((i) => observed(listing(`later${i}`), { '2026-10-11': 900 }))
const queries = [
  ['public/stats', {}],
  ['analyst/inflation', { department: 'Grocery', from: '2026-09-01', to: '2026-11-01' }],
  ['analyst/category-summary', { department: 'Grocery' }],
] as const

test('the path of a lake may contain glob characters, quotes and spaces', async () => {
  const observations = pairs(unchanged(30)).map(feedRow)
  const feeds = { observations, social: postsOn('2026-10-01', 3), files: referenceFeeds }
  const folder = await temporaryFolder()
  const answers = []
  for (const name of ['plain', "prices [us] {ca}? *new* it's"]) {
    const lake = join(folder, name, 'lake')
    await mkdir(join(folder, name))
    await refreshed(lake, feeds)
    await refreshed(lake, { observations: later.map(feedRow) })
    expect((await verifyLake(lake)).flatMap(({ problems }) => problems)).toEqual([])
    expect((await transfer(lake, join(folder, name, 'backup [1]'))).refused).toEqual([])
    const engine = await openEngine(lake, { as_of })
    const received = await Promise.all(queries.map(([id, given]) => ask(engine, id, given)))
    answers.push(received.map((answer) => ({ ...(answer as object), last_updated: null })))
  }
  expect(answers[0]).toMatchObject([{ products: { listings: 33 } }, { lfl_matched: 30 }, {}])
  expect(answers[1]).toEqual(answers[0])
})
