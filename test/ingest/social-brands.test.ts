import { describe, expect, test } from 'vitest'
import { type BrandSpellings, createBrandFinder, readBrandSource } from '../../ingest/social/brands.ts'

const catalogue = [
  { brand_norm: 'fentybeauty', brand: 'Fenty Beauty' },
  { brand_norm: 'cocacola', brand: 'Coca-Cola' },
  { brand_norm: 'benandjerrys', brand: "Ben & Jerry's" },
  { brand_norm: 'target', brand: 'Target' },
]
const named = {
  brands: { Apple: ['iphone', 'apple watch'], Gucci: [], "L'Oréal": [], 'e.l.f.': ['e.l.f. cosmetics'] },
  not_brands: ['gucci mane'],
}
const find = createBrandFinder(catalogue, [named])
const keysIn = (text: string): string[] => find(text).map(({ brand_norm }) => brand_norm)

describe('the brands of a text are found', () => {
  test.each([
    ['FENTY BEAUTY by Rihanna!!', ['fentybeauty']],
    ['makeup|#fentybeauty|review', ['fentybeauty']],
    ['I drank 100 Coca-Colas', ['cocacola']],
    ['ben and jerry’s flavours', ['benandjerrys']],
    ["L'Oreal's new LOREAL", ['loreal', 'loreal']],
    ['iPhone X vs Apple Watch: iPhones!', ['apple', 'apple', 'apple']],
    ['Gucci feat. Gucci Mane', ['gucci']],
    ['e.l.f. Cosmetics haul', ['elf']],
  ])('in "%s"', (text, keys) => {
    expect(keysIn(text)).toEqual(keys)
  })
})

describe('the brands of a text are not found', () => {
  test.each([
    ['in parts of words', 'coca colada, guccione'],
    ['across a break', 'My fenty | beauty | coca - cola'],
    ['in one word of the catalogue, which may mean anything', 'We hit the target at Target'],
    ['by a name for which a mapping has other words', 'an apple a day'],
    ['in a phrase that means something else', 'GUCCI MANE - Curve'],
    ['in nothing', ''],
  ])('%s', (_, text) => {
    expect(keysIn(text)).toEqual([])
  })
})

test('a post has its stated brands and those of its texts, and a brand the spelling that sorts first', () => {
  const spellings: BrandSpellings = new Map()
  const read = readBrandSource(find, spellings)
  const source = `Tarte\u001eN/A\u001eacme\u001fGucci and Fenty Beauty`
  expect(read({ brand_source: source })).toEqual([source, ['acme', 'fentybeauty', 'gucci', 'tarte']])
  read({ brand_source: 'TARTE\u001f' })
  // `acme` is a key already, and the catalogue spells its own.
  expect(Object.fromEntries(spellings)).toEqual({ tarte: 'TARTE', gucci: 'Gucci' })
})
