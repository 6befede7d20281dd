import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphemes, readable, readableLine, shortened } from '../../../engine/show/readable.ts'

describe('a readable text', () => {
  test('has escapes for what nobody sees, and keeps what words and pictures are joined by', () => {
    expect(readable('a\x1b[2J\u009b\u0000\u202eb')).toBe('a\\u001b[2J\\u009b\\u0000\\u202eb')
    expect(readable('\u200b\ufeff\u00ad\u2028\ud800')).toBe('\\u200b\\ufeff\\u00ad\\u2028\\ud800')
    expect(readable('\u{e0041}')).toBe('\\udb40\\udc41')
    for (const text of ['👩‍👩‍👧‍👦', 'می\u200cخواهم', 'שלום', 'e\u0301', 'a\tb\nc']) expect(readable(text)).toBe(text)
  })

  test('of one line has no breaks', () => {
    expect(readableLine('a\r\nb\tc\u2028d\x1b')).toBe('a b c d\\u001b')
  })
})

describe('graphemes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 1500 })

  test('join to the text, and are those of the segmenter', () => {
    fc.assert(
      fc.property(text, (text) => {
        const read = [...graphemes(text)]
        const whole = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
        expect(read.map(({ grapheme }) => grapheme)).toEqual(whole)
        expect(read.at(-1)?.end ?? 0).toBe(text.length)
      }),
    )
  })

  test('with marks without end are their letters', () => {
    const marked = `a${'\u0301'.repeat(100)}b`
    expect([...graphemes(marked)].map(({ grapheme }) => grapheme)).toEqual(['a', 'b'])
  })
})

test('a long text is cut between graphemes', () => {
  expect(shortened('Coffee', 6)).toBe('Coffee')
  expect(shortened('Coffee beans', 8)).toBe('Coffee…')
  expect(shortened('👩‍👩‍👧‍👦'.repeat(3), 20)).toBe('👩‍👩‍👧‍👦…')
  expect(shortened('e\u0301'.repeat(3), 5)).toBe('e\u0301e\u0301…')
  expect(shortened(`e${'\u0301'.repeat(5000)}`)).toBe('e…')
})
