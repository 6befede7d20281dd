import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { field } from '../../engine/contract/field.ts'
import { answerFields, findQuery, queries, queryId, withInner } from '../../engine/index.ts'
import { faultsOf } from '../support/definitions.ts'

test.each(queries.map((query) => [queryId(query), query] as const))(
  '%s defines itself, its parameters and its fields',
  (_, query) => {
    expect(faultsOf(query)).toEqual([])
  },
)

describe('the check of definitions rejects a query', () => {
  const { definition, params } = findQuery('analyst', 'inflation')!
  const answerOf = (shape: z.core.$ZodLooseShape) => ({ definition, params, answer: z.object(shape) })

  test('without a definition or a part of it', () => {
    const answer = z.object({})
    expect(faultsOf({ definition: undefined as never, params, answer })).toHaveLength(4)
    expect(faultsOf({ definition: { ...definition, null_rule: '' }, params, answer })).toEqual([
      'definition.null_rule: is missing or no sentence',
    ])
  })

  test('with a parameter that has no description', () => {
    const query = { definition, params: z.object({ category: z.string().optional() }), answer: z.object({}) }
    expect(faultsOf(query)).toEqual(['category: has no description'])
  })

  test('with a field that has no description, however deeply nested', () => {
    const rows = field.list(z.object({ name: z.string() }), 'Every shop of the street.')
    expect(faultsOf(answerOf({ results: rows.optional(), inner: z.object({}).nullable() }))).toEqual([
      'results[].name: has no description',
      'inner: has no description',
    ])
  })

  test('with a field that has no title', () => {
    const price_today = field.money('What it costs today.')
    expect(faultsOf(answerOf({ price_today }))).toEqual(['price_today: has no title: price_today'])
    expect(faultsOf(answerOf({ price_today: field.titled('Price', price_today) }))).toEqual([])
  })

  test('with a number that has no unit', () => {
    const price = z.number().describe('What it costs today.')
    expect(
      faultsOf(answerOf({ price, prices: z.object({ max: price.nullable() }).describe('All of today.') })),
    ).toEqual(['price: has no unit', 'prices.max: has no unit'])
  })

  test('with a description that only repeats the name of its field', () => {
    const shape = { avg_price: field.money('The avg price.'), brand_count: field.count('Brands of the shelf.') }
    expect(faultsOf(answerOf(shape))).toEqual([
      'avg_price: has a description that only repeats its name: The avg price.',
    ])
  })
})

test('every field kept for old clients names the field to use instead', () => {
  const kept = queries.flatMap(answerFields).filter(({ isDeprecated }) => isDeprecated)
  expect(kept.map(({ path }) => path)).toEqual(['overall_change_pct', 'naive_overall_change_pct'])
  for (const { description } of kept) expect(description).toMatch(/^Use lfl_change_pct instead\./)
})

test('the like-for-like change is the headline of inflation', () => {
  const fields = withInner(answerFields(findQuery('analyst', 'inflation')!))
  expect(fields.filter(({ isHeadline }) => isHeadline).map(({ path }) => path)).toEqual(['lfl_change_pct'])
  expect(fields.find(({ path }) => path === 'lfl_ci.low')).toMatchObject({ unit: 'percent', kind: 'number' })
})

test('ids, addresses and normalised names are keys, and how a list was cut is no figure', () => {
  const fields = queries.flatMap((query) => withInner(answerFields(query)))
  const rolesOf = (pattern: RegExp) => new Set(fields.flatMap(({ name, role }) => (pattern.test(name) ? role : [])))
  expect(rolesOf(/(^|[._])(uid|id|url|norm)$/)).toEqual(new Set(['key']))
  expect(rolesOf(/^(limit|offset|\w+_(threshold|cap))$/)).toEqual(new Set(['page']))
  expect(rolesOf(/^(category|department|country|currency|window|resolved|meta|freshness)$/)).toContain('echo')
})
