import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareBytes } from '../../../engine/catalog/brand-counts.ts'

const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
})

test('texts are compared by their UTF-8 bytes, also beyond the basic plane', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})
