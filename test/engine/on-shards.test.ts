import { expect, test } from 'vitest'
import { queries } from '../../engine/queries/index.ts'
import { type AnyQuery, queryId } from '../../engine/query.ts'
import { GENERAL_VARIANTS, withRelations } from '../../engine/relations.ts'

const DIVIDED = /^(?!\s*--).*\b(?:FROM|JOIN) (?:observation|observation_time|listing_month|listing)\b/m

/** Coverage is part of planning, which always reads the snapshot's own files. */
const PLANNED = ['public/coverage']

test('every query over listings or observations can be computed on shards, and no other', () => {
  const reading = queries.filter(({ sql }: AnyQuery) => DIVIDED.test(withRelations(sql, GENERAL_VARIANTS))).map(queryId)
  const sharded = queries.filter(({ onShards }: AnyQuery) => onShards).map(queryId)
  expect(sharded.sort()).toEqual(reading.filter((id) => !PLANNED.includes(id)).sort())
  expect(sharded).toHaveLength(14)
})
