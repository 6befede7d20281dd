import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../../../api/contract/openapi-examples.ts'
import { findQuery, queries, queryId } from '../../../../engine/index.ts'
import { shortPage } from '../../../../engine/show/cli/short-page.ts'
import { plain } from '../../../../engine/show/cli/terminal.ts'
import { sentenceOf } from '../../../../engine/show/sentence.ts'

const pageOf = (query: (typeof queries)[number], changes: Record<string, unknown> = {}) =>
  shortPage(query, { ...(exampleOf(query) as Record<string, unknown>), ...changes }, 80, plain)

describe('a page opens with', () => {
  test('the main figure, what it is about, its interval and its population', () => {
    const inflation = findQuery('analyst', 'inflation')!
    const lfl_ci = { low: -1.5, high: 2, level: 0.95 }
    const [sentence, ...details] = pageOf(inflation, { lfl_ci })
    expect(sentence).toBe(
      'Coffee, United States, Aug to 31 Oct 2026: like-for-like change +0.09%'.replace('Aug', '1 Aug'),
    )
    expect(details.slice(0, 3)).toEqual(['95% interval -1.50% to +2.00%.', 'Matched listings: 23.', ''])
  })

  test('a price with its shop and its age', () => {
    expect(pageOf(findQuery('shopper', 'best-price')!).join(' ')).toMatch(
      /: best price \$\d+\.\d\d at \w+, seen 2 days ago/,
    )
  })

  test('why a figure is missing', () => {
    const note = 'Too few listings are matched.'
    const page = pageOf(findQuery('analyst', 'inflation')!, { lfl_change_pct: null, lfl_note: note })
    expect(page[0]).toMatch(/like-for-like change none$/)
    expect(page).toContain(note)
  })
})

test.each(queries.map((query) => [queryId(query), query] as const))(
  'the page of %s is short and names what it leaves out',
  (_, query) => {
    const page = pageOf(query)
    expect(page.length).toBeLessThan(45)
    const heads = page.filter((line) => line.split(/ {2,}/).length > 6)
    expect(heads).toEqual([])
    const sentence = sentenceOf(query, exampleOf(query) as Record<string, unknown>, 'plain')
    expect(sentence?.about ?? '').not.toMatch(/\bnull\b|undefined/)
  },
)
