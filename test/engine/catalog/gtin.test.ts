import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Gtin, gtin } from '../../../engine/search/gtin.ts'

const vectors = new URL('../../../../shared/vectors/gtin.json', import.meta.url)

it('barcodes agree with the shared vectors', ({ skip }) => {
  skip(!existsSync(vectors), 'no ../shared/vectors/gtin.json beside the repository')
  for (const { input, ...answer } of JSON.parse(readFileSync(vectors, 'utf8')) as (Gtin & { input: string })[]) {
    expect(gtin(input), input).toStrictEqual(answer)
  }
})

describe('gtin', () => {
  it.each([
    ['12345670', 'placeholder'],
    ['00111111111117', 'placeholder'],
    ['0000000000', 'placeholder'],
    ['0201234567899', 'restricted_in_store'],
    ['20123451', 'restricted_in_store'],
    ['9780000000002', null],
    ['40063813339310', 'bad_check_digit'],
    ['97712345670030', 'bad_check_digit'],
    ['90012345678908', 'variable_measure'],
    ['0306406153', 'bad_check_digit'],
    ['36000291453', 'bad_length'],
    ['036000291452.0', 'not_digits'],
    ['٠٣٦٠٠٠٢٩١٤٥٢', 'not_digits'],
    ['123456789012345', 'bad_length'],
  ])('gives %s the reason %s', (raw, reason) => expect(gtin(raw).reason).toBe(reason))

  const body = fc.stringMatching(/^\d{11}$/)
  const checkOf = (digits: string): string =>
    [...'0123456789'].find((check) => gtin(`${digits}${check}`).reason !== 'bad_check_digit')!

  it('accepts exactly one check digit', () => {
    fc.assert(
      fc.property(body, (digits) => {
        expect([...'0123456789'].filter((check) => gtin(digits + check).valid)).toHaveLength(1)
      }),
    )
  })

  it('reads a number alike at every length, with or without spaces', () => {
    fc.assert(
      fc.property(body, (digits) => {
        const upc = digits + checkOf(digits)
        const { format, ...answer } = gtin(upc)
        expect(gtin(`0${upc}`)).toStrictEqual({ ...answer, format: 'GTIN-13' })
        expect(gtin(`00${upc}`)).toStrictEqual({ ...answer, format: 'GTIN-14' })
        expect(gtin(` ${upc.slice(0, 6)}-${upc.slice(6)} `)).toStrictEqual({ ...answer, format })
      }),
    )
  })

  it('never throws, and accepts only valid numbers as anchors', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{0,15}$/)), (raw) => {
        const { valid, gtin14, anchor, reason } = gtin(raw)
        expect(valid).toBe(gtin14 !== null)
        expect(anchor).toBe(reason === null)
        expect(valid || !anchor).toBe(true)
      }),
    )
  })
})
