import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brandNorm, isPlaceholder } from '../../../engine/catalog/brand.ts'

const vectors = new URL('../../../../shared/vectors/brand.json', import.meta.url)

/** `placeholder` is a text that names the country where it is one only there. */
type Vector = { input: string; brand_norm: string | null; placeholder: boolean | string }

it('brands agree with the shared vectors', ({ skip }) => {
  skip(!existsSync(vectors), 'no ../shared/vectors/brand.json beside the repository')
  for (const { input, brand_norm, placeholder } of JSON.parse(readFileSync(vectors, 'utf8')) as Vector[]) {
    const brand = brandNorm(input)
    expect(brand, input).toBe(brand_norm)
    expect(brand === null || isPlaceholder(brand, 'us'), input).toBe(placeholder !== false)
    expect(brand === null || isPlaceholder(brand, 'ca'), input).toBe(placeholder === true)
  }
})

describe('brandNorm', () => {
  it.each([
    ['Acme Co., Ltd.', 'acme'],
    ['Acme L.L.C.', 'acme'],
    ['The Limited', 'thelimited'],
    ['Rag & Co', 'rag'],
    ['Visit the Dead Sea Spa Store', 'deadseaspa'],
    ['Sony(TM)', 'sony'],
    ['Brand : Acme®', 'acme'],
    ['Co', 'co'],
    ['Acme SA', 'acmesa'],
    ['Straße', 'strasse'],
    ['© ™', null],
  ])('normalises %j to %j', (raw, brand_norm) => expect(brandNorm(raw)).toBe(brand_norm))

  it('ignores case, marks and the punctuation between words', () => {
    // `by` before a name is unwrapped, so it is no word of one.
    const word = fc.stringMatching(/^[a-z0-9]{2,6}$/).filter((any) => any !== 'by')
    const words = fc.array(word, { minLength: 1, maxLength: 4 })
    const gap = fc.constantFrom(' ', '-', ' - ', '.', '/')
    fc.assert(
      fc.property(words, gap, (name, between) => {
        expect(brandNorm(name.join(between).toUpperCase())).toBe(brandNorm(name.join(' ')))
      }),
    )
  })

  it('never returns an empty key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (raw) => {
        expect(brandNorm(raw)).not.toBe('')
      }),
    )
  })
})
