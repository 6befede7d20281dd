import { existsSync, readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONDITION_HINT, condition } from '../../ingest/catalogue/condition.ts'

const vectors = new URL('../../../shared/vectors/condition.json', import.meta.url)

type Vector = ReturnType<typeof condition> & { field: string | null; title: string | null }

it('conditions agree with the shared vectors', ({ skip }) => {
  skip(!existsSync(vectors), 'no ../shared/vectors/condition.json beside the repository')
  for (const { field, title, ...answer } of JSON.parse(readFileSync(vectors, 'utf8')) as Vector[]) {
    expect(condition(field, title), `${field}: ${title}`).toStrictEqual(answer)
  }
})

const titles = [
  ['Canon EOS R (Like New)', 'used'],
  ['Used Textbook', 'used'],
  ['Pre-owned handbag', 'used'],
  ['iPhone 8 - FOR PARTS - cracked', 'for_parts'],
  ['iPad for parts', 'for_parts'],
  ['Drill, sold as is', 'for_parts'],
  ['Remanufactured toner', 'refurbished'],
  ['Certified Pre-Owned watch', 'refurbished'],
  ['TV floor model', 'open_box'],
  ['Fridge, scratch & dent', 'open_box'],
  ['Washer for parts washing', 'new'],
  ['Cleaner restores leather like new again', 'new'],
  ['Wall clock with second hand', 'new'],
  ['Most used spices', 'new'],
  ['Used oil drain pan', 'new'],
  ['Unused notebook', 'new'],
  ['Open wardrobe box', 'new'],
] as const

describe('condition', () => {
  it.each(titles)('of the title "%s" is %s', (title, expected) => {
    expect(condition(null, title)).toStrictEqual({
      condition: expected,
      basis: expected === 'new' ? 'default' : 'title',
    })
  })

  it.each([
    ['Used - Very Good', 'used'],
    ['Certified Refurbished', 'refurbished'],
    ['http://schema.org/DamagedCondition', 'for_parts'],
    ['open_box', 'open_box'],
    ['For parts or not working', 'for_parts'],
  ])('of the field %j is %s, whatever the title', (field, expected) => {
    expect(condition(field, 'refurbished, for parts')).toStrictEqual({ condition: expected, basis: 'field' })
  })

  it('is new by field for new and by default for an unknown field', () => {
    expect(condition('NewCondition', null)).toStrictEqual({ condition: 'new', basis: 'field' })
    expect(condition('???', null)).toStrictEqual({ condition: 'new', basis: 'default' })
  })
})

describe('CONDITION_HINT', () => {
  const hint = new RegExp(CONDITION_HINT, 'i')

  it('matches every title that determines a condition', () => {
    const words =
      'Used used with for parts only or not working non-working as-is sold as is renewed refurb refurbished re certified factory serviced open box open-box damaged new (other) display floor model scratch & n dent pre-owned preowned like condition most - ( ) , x'
    const title = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 8 }).map((chosen) => chosen.join(' '))
    const field = fc.constantFrom(null, 'new', 'used', '2000', '???')
    let missed = 0
    fc.assert(
      fc.property(fc.oneof(title, fc.string()), field, (text, declared) => {
        if (hint.test(text)) return
        missed += 1
        expect(condition(declared, text)).toStrictEqual(condition(declared, ''))
      }),
      { numRuns: 2000 },
    )
    expect(missed).toBeGreaterThan(100)
  })

  it('matches the same titles in DuckDB', async () => {
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    for (const [title] of titles) {
      const rows = await connection.runAndReadAll('SELECT regexp_matches($title, $hint, $flags)', {
        title,
        hint: CONDITION_HINT,
        flags: 'i',
      })
      expect(rows.getRows()[0], title).toStrictEqual([hint.test(title)])
    }
    connection.closeSync()
    instance.closeSync()
  })
})
