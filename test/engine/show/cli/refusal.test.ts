import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../../engine/index.ts'
import { exitCodeOf, refusal, refusalPage } from '../../../../engine/show/cli/refusal.ts'
import { plain } from '../../../../engine/show/cli/terminal.ts'

const page = (error: unknown, width = 80) => refusalPage(error, width, plain)

describe('exitCodeOf', () => {
  it('distinguishes refusals, wrong usage and failures', () => {
    expect(exitCodeOf(new EngineError('INVALID_PARAMS', ''))).toBe(2)
    expect(exitCodeOf(new EngineError('NO_RESULTS', '', { newest_observed_at: null }))).toBe(1)
    expect(exitCodeOf(new EngineError('NOT_READY', ''))).toBe(1)
    expect(exitCodeOf(new Error('bug'))).toBe(3)
    expect(exitCodeOf('bug')).toBe(3)
  })
})

describe('refusal', () => {
  it('has the form of an error on the public endpoints', () => {
    const details = { country: 'us', newest_observed_at: null }
    const error = new EngineError('NO_RESULTS', 'Nothing.', details)
    expect(refusal(error)).toEqual({ error: { code: 'NO_RESULTS', message: 'Nothing.', details } })
    expect(refusal(new Error('bug'))).toMatchObject({ error: { code: 'INTERNAL_ERROR', details: {} } })
  })
})

describe('refusalPage', () => {
  it('lists the alternates of an uncertain category', () => {
    const matched = { department: 'x', match_source: 'fuzzy' }
    const alternates = [
      { category_path: 'grocery/coffee', name: 'Coffee', ...matched, match_confidence: 0.55, product_count: 120 },
      { category_path: 'x/coffee-makers', name: 'Coffee makers', ...matched, match_confidence: 0.4, product_count: 7 },
    ]
    const details = { parameter: 'category', input: 'cofee', alternates }
    expect(page(new EngineError('INVALID_PARAMS', 'category: no category matches "cofee"', details))).toEqual([
      'shelfmark: --category: no category matches "cofee"',
      'did you mean:',
      '                                            match        match  product',
      'category path    name           department  source  confidence    count',
      'grocery/coffee   Coffee         x           fuzzy         0.55      120',
      'x/coffee-makers  Coffee makers  x           fuzzy          0.4        7',
    ])
  })

  it('lists names on one line and further issues one per line', () => {
    const serving_eligible_retailers = ['a', 'b']
    const unknown = new EngineError('RETAILER_NOT_SERVING_ELIGIBLE', 'retailer: "x" is unknown', {
      retailer: 'x',
      quality_status: null,
      serving_eligible_retailers,
      newest_observed_at: null,
    })
    expect(page(unknown)).toEqual(['shelfmark: retailer: "x" is unknown', 'serving eligible retailers: a, b'])
    const issues = [
      { parameter: 'country', message: 'is no country' },
      { parameter: 'days', message: 'is too few' },
    ]
    const invalid = new EngineError('INVALID_PARAMS', 'country: is no country', { parameter: 'country', issues })
    expect(page(invalid)).toEqual(['shelfmark: --country: is no country', '--days: is too few'])
  })

  it('prints the hint after the message and keeps an option on the same line as its value', () => {
    const details = { closest_brands: ['Acme'], newest_observed_at: '2024-05-14T12:00:00Z' }
    const error = new EngineError('NO_RESULTS', 'No price was observed.', details)
    const hint = [...'To query the data as of then, add'.split(' '), '--as-of 2024-05-15.']
    expect(refusalPage(error, 45, plain, hint)).toEqual([
      'shelfmark: No price was observed.',
      'To query the data as of then, add',
      '--as-of 2024-05-15.',
      'closest brands: Acme',
    ])
    expect(refusal(error, hint)).toEqual({
      error: { code: 'NO_RESULTS', message: 'No price was observed.', details },
      hint: 'To query the data as of then, add --as-of 2024-05-15.',
    })
  })

  it('stays within the width and names commands rather than endpoints', () => {
    const message = 'category: no category matches "x"; the query public/categories lists them'
    expect(page(new EngineError('INVALID_PARAMS', message), 40)).toEqual([
      'shelfmark: category: no category matches',
      '"x"; `npm run -s shelfmark -- public',
      'categories` lists them',
    ])
  })

  it('prints the stack of an internal failure', () => {
    const [title, stack] = page(new TypeError('bug'))
    expect(title).toBe('shelfmark: internal failure')
    expect(stack).toMatch(/^TypeError: bug\n.* at /)
    expect(page('bug')).toEqual(['shelfmark: internal failure', 'bug'])
  })
})
