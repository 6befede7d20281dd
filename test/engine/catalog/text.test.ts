import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, nameKey, slug } from '../../../engine/contract/text.ts'

describe('fold', () => {
  it.each([
    ['Food, Beverages & Tobacco', 'food beverages and tobacco'],
    ['  Café -- Crème  ', 'cafe creme'],
    ["Men's / Women’s", 'mens womens'],
    ['L´ORÉAL', 'loreal'],
    ['Ŝtraẞe ÅØÆŒ', 'strasse aoaeoe'],
    ['Black+Decker', 'black and decker'],
    ['Johnson Co. & Sons', 'johnson co and sons'],
    ['Disney+', 'disney'],
    ['& Sons', 'sons'],
    ['C++', 'c'],
    ['Ørsted Łódź Straße', 'orsted lodz strasse'],
    ['AM/FM Radios', 'am fm radios'],
    ['资生堂', '资生堂'],
    ['™ ½', 'tm 1 2'],
    ['&', ''],
    ['', ''],
  ])('turns %j into %j', (text, folded) => expect(fold(text)).toBe(folded))

  it.each(['Épicerie', 'CRÈME BRÛLÉE', 'Ñandú', 'Żółć', 'Åland', 'Zoë’s Açaí'])(
    'gives every form of %s the same result',
    (text) => {
      const forms = [text.normalize('NFC'), text.normalize('NFD'), text.toUpperCase(), text.toLowerCase()]
      for (const form of forms) expect(fold(form)).toBe(fold(text.normalize('NFKD').replace(/\p{M}/gu, '')))
    },
  )

  it('leaves folded text unchanged', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(fold(any))).toBe(fold(any))
      }),
    )
  })

  it('returns words of letters, digits and the marks of letters, separated by single spaces', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(any)).toMatch(/^(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*)?$/u)
      }),
    )
  })
})

describe('slug', () => {
  it.each([
    ['Food, Beverages & Tobacco', 'food-beverages-and-tobacco'],
    ['laptops', 'laptops'],
    ['dog-food', 'dog-food'],
    ['!', ''],
  ])('turns %j into %j', (text, part) => expect(slug(text)).toBe(part))
})

describe('nameKey', () => {
  it.each([
    ['Toys & Games', 'toy game'],
    ['The Art of Batteries', 'art battery'],
    ['Boxes, Brushes, Watches and Dresses', 'box brush watch dress'],
    ['Glass Bus Shelves', 'glass bus shelf'],
    ['Gas', 'gas'],
    ['Ties', 'tie'],
    ['of the', ''],
  ])('turns %j into %j', (text, key) => expect(nameKey(text)).toBe(key))
})
