import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isStatement, type Reads } from '../../engine/counts/count.ts'
import { relations } from '../../engine/counts/relations.ts'
import { isSharded } from '../../engine/counts/shards.ts'
import { queries } from '../../engine/queries/index.ts'
import { queryId } from '../../engine/queries/query.ts'

const textsIn = (folder: string): string[] =>
  readdirSync(new URL(`../../engine/${folder}/`, import.meta.url)).map((file) =>
    file.replace('.sql', '').replaceAll('-', '_'),
  )

test('every relation that a query reads has a text for ClickHouse, unless the query says that it runs on the snapshot', () => {
  const texts = textsIn('counts/cluster/relations')
  for (const query of queries)
    for (const read of Object.values(query.reads as Reads))
      if (isSharded(query) && !isStatement(read)) expect(texts, queryId(query)).toContain(read.from)
  expect(queries.filter(isSharded)).toHaveLength(15)
})

test('every relation is one of DuckDB, but the periods that shards share', () => {
  const texts = textsIn('counts/relations')
  expect(Object.keys(relations).filter((name) => !texts.includes(name))).toEqual(['series_period'])
})
