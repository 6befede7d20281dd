import { describe, expect, test } from 'vitest'
import { languageOfLetters } from '../../../ingest/check/columns/countries.ts'
import { LANGUAGES, nameScore, wordsOf } from '../../../ingest/check/columns/names.ts'
import { COLUMNS } from '../../../ingest/feeds/columns.ts'

const KINDS = [
  ...COLUMNS,
  ...([
    'filler',
    'place',
    'variant',
    'price_decrease',
    'sale',
    'fraction',
    'quantity',
    'dimension',
    'total',
    'text',
    'file',
    'after',
    'net',
  ] as const),
]

const namesOf = (text = ''): string[] => (text === '' ? [] : text.split(', '))

describe('the names of columns', () => {
  test('are of at least twenty languages', () => {
    expect(LANGUAGES.size).toBeGreaterThanOrEqual(20)
  })

  test.each([...LANGUAGES])('of %s are of columns, and each stands once', (_, language) => {
    const entries = Object.entries(language).filter(([column]) => column !== 'compounds')
    for (const [column, { names, maybe }] of entries as [string, { names?: string; maybe?: string }][]) {
      expect(KINDS).toContain(column)
      const joined = [...namesOf(names), ...namesOf(maybe)].map((name) => wordsOf(name).join(''))
      expect(joined).not.toContain('')
      expect(joined.filter((name, index) => joined.indexOf(name) !== index)).toEqual([])
    }
  })

  test('are not repeated between languages', () => {
    const seen = new Map<string, string>()
    const repeated: string[] = []
    for (const [code, language] of LANGUAGES)
      for (const column of ['price', 'product_name', 'platform', 'listing_id', 'observed_at'] as const)
        for (const name of [...namesOf(language[column]?.names), ...namesOf(language[column]?.maybe)]) {
          const key = `${column} ${wordsOf(name).join('')}`
          if (seen.has(key)) repeated.push(`${key} in ${seen.get(key)} and ${code}`)
          seen.set(key, code)
        }
    expect(repeated).toEqual([])
  })

  test.each([
    ['Hinta', 'price'],
    ['Verkaufspreis', 'price'],
    ['商品销售价格', 'price'],
    ['판매가격', 'price'],
    ['Цена, руб.', 'price'],
    ['τιμή', 'price'],
    ['السعر', 'price'],
    ['Ürün Adı', 'product_name'],
    ['商品名', 'product_name'],
    ['Tootenimi', 'product_name'],
    ['Ημερομηνία', 'observed_at'],
    ['Erfassungsdatum', 'observed_at'],
  ] as const)('%s is %s', (name, column) => {
    expect(nameScore(name, column)).toBeGreaterThan(0.6)
  })

  test.each([
    ['Grundpreis', 'price'],
    ['Litrahinta', 'price'],
    ['Jämförpris', 'price'],
    ['station_count', 'pack_count'],
  ] as const)('%s is not %s', (name, column) => {
    expect(nameScore(name, column)).toBeLessThan(0.35)
  })
})

test.each([
  ['Cà chua loại so kg', 'vi'],
  ['Đậu phộng rang muối', 'vi'],
  ['Қазақстан картобы', 'kk'],
  ['Хлеб ржаной', 'ru'],
  ['პური თეთრი', 'ka'],
  ['Pâine albă', 'ro'],
] as const)('the letters of %s are those of %s', (text, language) => {
  expect(languageOfLetters([text])).toBe(language)
})

test.each([
  [['Maple Farm 2% Milk 2 L', 'Big Hill Butter 454 g', 'Oat Rings Cereal 570 g']],
  [['Salted Butter', 'Sweet Cream Butter', 'Whole Milk', 'Rye Bread']],
  [['Bestbuy.com', 'Walmart.com', 'ebay.com']],
  [['El Paso Salsa', 'Tortilla Chips', 'Beans in Water']],
])('English words that another language has too, or one foreign name, show no language: %s', (texts) => {
  expect(languageOfLetters(texts)).toBeNull()
})
