import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQueryString } from '../../api/http/query-string.ts'

const parse = (text: string) => ({ ...parseQueryString(text) })

test.each([
  ['', {}],
  ['category=coffee&country=us', { category: 'coffee', country: 'us' }],
  ['q=a%20b+c', { q: 'a b c' }],
  ['q=a=b=c', { q: 'a=b=c' }],
  ['q', { q: '' }],
  ['q=', { q: '' }],
  ['=x', { '': 'x' }],
  ['&&q=1&', { q: '1' }],
  ['q=caf%C3%A9', { q: 'café' }],
  ['q=1%0A2', { q: '1\n2' }],
])('the query string %j is parsed into its parameters', (text, given) => {
  expect(parse(text)).toEqual(given)
})

test('a repeated parameter keeps every value, however its name is encoded', () => {
  expect(parse('q=1&%71=2&q=3')).toEqual({ q: ['1', '2', '3'] })
})

test('a parameter may have the name of a property of Object.prototype', () => {
  const given = parseQueryString('__proto__=a&constructor=b&toString=c')
  expect(Object.keys(given)).toEqual(['__proto__', 'constructor', 'toString'])
  expect(Object.getPrototypeOf(given)).toBeNull()
})

test.each(['q=%', 'q=%zz', 'q=%C3', 'q=%FF', '%E0%A4=1', 'q=%ED%A0%80'])('the query string %s is refused', (text) => {
  expect(() => parseQueryString(text)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
})

test('a query string that URLSearchParams writes is read back unchanged', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (pairs) => {
      expect(Object.entries(parseQueryString(`${new URLSearchParams(pairs)}`)).sort()).toEqual(pairs.sort())
    }),
  )
})
