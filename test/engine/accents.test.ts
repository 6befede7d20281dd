import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask, type Given } from '../support/ask.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { sighting } from '../support/posts.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow, type Listing, listing, observed } from '../support/rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'

/** A text in every form that people and programs send it in. */
const formsOf = (text: string): string[] => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  const composed = [text, text.toUpperCase(), text.toLowerCase()].map((form) => form.normalize('NFC'))
  return [...new Set([...composed, ...composed.map((form) => form.normalize('NFD')), plain, plain.toUpperCase()])]
}

const crème = (id: string, of: Partial<Listing> = {}): Listing =>
  listing(id, {
    shelf: ['Épicerie', 'Café Moulu'],
    spelling: 'Brûlerie Été',
    brand: 'brulerieete',
    product_name: 'Café Crème Brûlée 340 g',
    ...of,
  })

// Feeds differ in the form of their letters, too.
const observations = [
  ...observed(crème('É-1001', { url: 'https://alpha.example/cafés/crème' }), { '2026-10-10': 900, '2026-11-10': 899 }),
  ...observed(
    crème('E-1002', {
      platform: 'beta',
      shelf: ['Épicerie'.normalize('NFD'), 'CAFÉ MOULU'],
      spelling: 'BRÛLERIE ÉTÉ'.normalize('NFD'),
      product_name: 'CAFÉ CRÈME BRÛLÉE 340 G'.normalize('NFD'),
    }),
    { '2026-10-10': 950, '2026-11-10': 949 },
  ),
  ...Array.from({ length: 30 }, (_, i) =>
    observed(crème(`f${i}`, { product_name: `Thé ${i}` }), { '2026-11-10': 500 }, { in_stock: true, list_price: 800 }),
  ).flat(),
].map(feedRow)

/** The same shelves of a taxonomy whose paths have accents. */
const taxonomy = [
  { path: 'épicerie', name: 'Épicerie fine' },
  { path: 'épicerie/café-moulu', name: 'Café moulu', parent_path: 'épicerie', aliases: ['Café filtre'] },
]

/** An answer without what repeats the text that was sent. */
const withoutEcho = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) =>
    ['input', 'query', 'phrase', 'detail'].includes(name) ? null : value,
  )

const SHELF = { from: '2026-10-01', to: '2026-11-21' }

const texts: [where: string, id: string, parameter: string, text: string, given?: Given][] = [
  ['a category by its name', 'analyst/category-summary', 'category', 'Café Moulu'],
  ['a category by its path', 'analyst/category-summary', 'category', 'épicerie/café-moulu'],
  ['a category by its breadcrumb', 'analyst/inflation', 'category', 'Épicerie > Café Moulu', SHELF],
  ['a category by part of its path', 'marketing/share-of-shelf', 'category', 'fé-moul'],
  ['a misspelt category', 'analyst/price-dispersion', 'category', 'Caffé Moulu'],
  ['a department', 'analyst/category-summary', 'department', 'épicerie'],
  ['a department of posts', 'social/topic-trends', 'category', 'Épicerie'],
  ['a brand', 'marketing/brand-tracker', 'brand', 'Brûlerie Été', SHELF],
  ['a brand', 'marketing/brand-breakdown', 'brand', 'Brûlerie Été'],
  ['a brand', 'marketing/price-positioning', 'brand', 'Brûlerie-Été'],
  ['a brand that narrows', 'shopper/deal-finder', 'brand', 'Brûlerie Été'],
  ['a brand that narrows', 'marketing/promo-intelligence', 'brand', 'brûlerie été', { category: 'epicerie', ...SHELF }],
  ['the beginning of a brand', 'public/brands', 'q', 'Brûl'],
  ['words of a product', 'shopper/best-price', 'q', 'Café Crème Brûlée'],
  ['a mistyped product', 'shopper/best-price', 'q', 'Café Crèma Brûlée'],
  ['the beginning of a word', 'shopper/best-price', 'q', 'Crème Brûlé'],
  ['words and a brand of a product', 'shopper/price-history', 'q', 'Brûlerie café brûlée 340 g', SHELF],
  ['words of a product', 'shopper/price-drop-alert', 'q', 'Crème Brûlée', SHELF],
  ["a retailer's id", 'shopper/best-price', 'q', 'É-1001'],
  ['a web address', 'shopper/best-price', 'q', 'https://alpha.example/cafés/crème'],
  ['a retailer', 'analyst/category-summary', 'retailer', 'álpha', { category: 'epicerie' }],
  ['a retailer', 'analyst/retailer-index', 'retailer', 'Alphá', SHELF],
  ['the platform of shelves', 'public/coverage', 'platform', 'ÁLPHA'],
  ['the department of shelves', 'public/coverage', 'category_root', 'Épicerie'],
  ['a parent category', 'public/categories', 'parent_path', 'Épicerie'],
  ['a phrase', 'reference/classify', 'q', 'cöffée'],
]

describe.each<[string, Parameters<typeof ensureLake>[0]]>([
  ['without accents', { observations }],
  ['with accents', { observations, taxonomy }],
])('with taxonomy paths %s, accents, Unicode form and case do not matter in', (_, feeds) => {
  let engine: Engine
  beforeAll(async () => {
    const [root = {}] = feeds.taxonomy ?? [{ path: 'epicerie' }]
    const social = ['2026-11-10', '2026-11-12', '2026-10-01'].map((day, i) =>
      sighting(`p${i}`, day, { category_root: String(root.path), theme: 'latte' }),
    )
    const { lake } = await ensureLake({ ...feeds, social, files: referenceFeeds })
    engine = await openEngine(lake, { as_of: new Date(AS_OF) })
  })

  test.each(texts)('%s: %s %s=%s', async (_, id, parameter, text, given = {}) => {
    const [first, ...others] = formsOf(text)
    const expected = withoutEcho(await ask(engine, id, { ...given, [parameter]: first }))
    expect(JSON.stringify(expected)).not.toMatch(/"(items|results)":\[\]/)
    for (const form of others)
      expect(withoutEcho(await ask(engine, id, { ...given, [parameter]: form })), form).toEqual(expected)
  })

  test('the spellings of feeds, which form one shelf, one brand and one product', async () => {
    const { total_products, brands } = await ask(engine, 'marketing/share-of-shelf', { category: 'cafe moulu' })
    expect([total_products, brands.length]).toEqual([32, 1])
    const { retailer_count, prices } = await ask(engine, 'shopper/best-price', { q: 'cafe creme brulee 340 g' })
    expect([retailer_count, prices.length]).toEqual([2, 2])
  })
})
