import { describe, expect, test } from 'vitest'
import { nameWords, searchWords, termsFrom } from '../../../engine/search/words.ts'

const words = (text: string): string =>
  searchWords(text)
    .words.map(({ word }) => word)
    .join(' ')

describe('the words of a text', () => {
  test.each([
    ['Organic Bananas', 'organic banana'],
    ['Café Crème Brûlée', 'cafe creme brulee'],
    ['Kellogg’s Corn Flakes', 'kellogg corn flake'],
    ['The Best of Salt and Vinegar', 'best salt vinegar'],
    ['the of', 'the of'],
    ['Sony WH-1000XM4', 'sony wh 1000 xm 4'],
    ['sony wh1000xm4', 'sony wh 1000 xm 4'],
    ['12 Ounces', '12oz'],
    ['12 fl. oz', '12oz'],
    ['12oz.', '12oz'],
    ['2 Pounds', '2lb'],
    ['1.50 Liters', '1.5l'],
    ['1,5 l', '1.5l'],
    ['1,000 ml', '1000ml'],
    ['12-Pack', '12pack'],
    ['Pack of 12', '12pack'],
    ['27" Monitor', '27in monitor'],
    ['27-inch Monitor', '27in monitor'],
    ['iPhone 13 in black', 'iphone 13 black'],
    // A brand, not a unit, and a revision, not a weight.
    ['Gigabyte Z490 G', 'gigabyte z 490 g'],
    ['V7 5N6 V7', 'v 7 5 n 6'],
    ['coffee Coffee COFFEES', 'coffee'],
    ['苹果手机 128GB', '苹果 果手 手机 128gb'],
    ['〡 Coldwood', '〡 coldwood'],
    ['🎉 !!! --', ''],
    ['', ''],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toBe(expected)
  })

  test('have the number of the term that they belong to', () => {
    expect(searchWords('the Sony WH-1000 12 oz').words).toMatchObject([
      { word: 'sony', term: 1 },
      { word: 'wh', term: 2 },
      { word: '1000', term: 2 },
      { word: '12oz', term: 3 },
    ])
    expect(termsFrom(' the  Sony WH-1000 ', 1)).toEqual(['Sony', 'WH-1000'])
    expect(termsFrom('the Sony', 2)).toBeNull()
  })

  test('are limited to 64 terms of 64 letters', () => {
    const text = Array.from({ length: 200 }, (_, i) => `w${String.fromCharCode(97 + (i % 26))}${i}`).join(' ')
    expect(searchWords(text).words.at(-1)?.term).toBe(63)
    expect(words('x'.repeat(10_000))).toBe('x'.repeat(64))
  })
})

describe('a listing is found by', () => {
  test('every word of its name, however it is spelt', () => {
    for (const name of [
      'Wi-Fi Router 2 x 8 GB',
      'T-Shirt 13 in Blue',
      'Gigabyte Z490 G 12 V7',
      '1,000 Piece 8" Puzzle',
    ]) {
      const { query, indexed } = nameWords(name, '')
      expect(query).toEqual(searchWords(name))
      expect([...indexed]).toEqual(expect.arrayContaining(query.words.map(({ word }) => word)))
    }
  })

  test('the parts of its measures, its words joined together, and its other texts', () => {
    const { query, indexed } = nameWords('Wi-Fi Router 8 GB', 'Acme AX-55 2 pack')
    expect(query.title).toBe('wi fi router 8gb')
    expect([...indexed]).toEqual(expect.arrayContaining(['wifi', '8', 'gb', 'acme', 'ax', '55', '2pack']))
  })
})
