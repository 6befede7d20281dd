import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { givenFiles, newFolder, run } from '../feeds.ts'

test('a given retailer and country are read where no column has them, and noted where one has', async () => {
  const feeds = await givenFiles({
    'a.csv': 'sku,date,price\nA1,2024-01-02,"1,50"\n',
    'b.csv': 'sku,date,price,store\nB1,2024-01-02,"2,50",Larder\n',
  })
  const { mapping, questions, notes, rows } = await check({ paths: [feeds], platform: 'fern-mart', country: 'de' })
  expect(questions).toEqual([])
  expect(notes).toContainEqual(expect.stringContaining('platform: read from "store", not from --platform.'))
  expect(rows.map(({ values }) => values)).toEqual([
    expect.objectContaining({ platform: 'fern-mart', country: 'de', price: '1.50' }),
    expect.objectContaining({ platform: 'larder', country: 'de', price: '2.50' }),
  ])
  const path = join(await newFolder(), 'mapping.json')
  await writeFile(path, JSON.stringify(mapping))
  expect(await run(feeds, { mappings: [path] })).toMatchObject({ status: 'published', counts: { observations: 2 } })
})
