import { expect, test } from 'vitest'
import { findProduct } from '../../../engine/catalog/product.ts'
import { seededRandom } from '../../ingest/small-lake.ts'
import { ensureLake, openEngine } from '../../support/given.ts'

/** Few words, so that names resemble each other; numbers, units and model numbers, so that they may be misread. */
const WORDS = `milk choco green tea case v7 z490 5n6 wh-1000xm4 g 12 oz 8gb 27" in wi-fi i-7 1,000 1.5 l ml pack of the
  café crème i7-12700k x brush - & 3-pack`
  .trim()
  .split(/\s+/)
const NAMES = 600

const randomNames = (): string[] => {
  const random = seededRandom(7)
  const below = (count: number) => Math.floor(random() * count)
  return Array.from({ length: NAMES }, () =>
    Array.from({ length: 2 + below(6) }, () => WORDS[below(WORDS.length)]).join(' '),
  )
}

/** What is left of a name for people who ask for it: its letters and digits without words that say nothing. */
const spoken = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/"/g, 'in')
    .split(' ')
    .filter((word) => !['of', 'the', 'in'].includes(word))
    .join('')
    .replace(/[^a-z0-9]/g, '')

test('the full name of a listing finds that listing, or one of the same name, first', async () => {
  const names = randomNames()
  const observations = names.map((product_name, index) => ({
    platform: 'alpha',
    country: 'us',
    listing_id: `id-${index}`,
    observed_at: '2026-11-10T12:00:00Z',
    price: '1.00',
    // Few reviews for most, so that others have more.
    review_count: (index * 37) % 101,
    product_name,
  }))
  const { lake } = await ensureLake({ observations })
  const engine = await openEngine(lake, { as_of: new Date('2026-11-20'), warm: true })
  const catalog = await engine.catalog()
  const wrong: string[] = []
  let searched = 0
  for (const q of names) {
    if (spoken(q) === '') continue
    searched += 1
    const { product_name, dropped_terms } = await findProduct({ q, country: 'us' }, catalog)
    if (spoken(product_name ?? '') !== spoken(q) || dropped_terms) wrong.push(`${q}: ${product_name} ${dropped_terms}`)
  }
  expect(wrong).toEqual([])
  expect(searched).toBeGreaterThan(NAMES / 2)
})
