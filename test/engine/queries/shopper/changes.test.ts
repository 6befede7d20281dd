import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { examplesOf } from '../../../support/examples.ts'
import { givenEngine } from '../../../support/given.ts'
import { type NumberedListing, numberedListings } from '../../../support/listings.ts'
import { addDays } from '../../../support/oracle.ts'
import { changesSince } from '../../../support/oracle-changes.ts'
import { listing, observed } from '../../../support/rows.ts'
import { answerOr, type Scope, scopes } from '../../../support/world-queries.ts'
import { worldUnderTest } from '../../../support/world-under-test.ts'
import { worldSeeds } from '../../../support/worlds.ts'

const example = examplesOf('shopper/changes', '2026-11-21T00:00:00Z')

type Change = { date: string; is_flapping: boolean; product_uid: string }

// 10.00 to 12.00 is +20 %, 12.00 to 9.00 is -25 %; the price of 1 November did not change.
example(
  'rises and falls are listed with the price before, oldest first',
  observed(listing('a'), { '2026-10-30': 1000, '2026-11-01': 1000, '2026-11-05': 1200, '2026-11-12': 900 }),
  (answer) => {
    expect(answer).toMatchObject({ change_count: 2, rise_count: 1, fall_count: 1, flapping_count: 0, has_more: false })
    expect(answer.price_changes).toMatchObject([
      { date: '2026-11-05', previous_price: 10, price: 12, change_pct: 20, previous_date: '2026-11-01' },
      { date: '2026-11-12', previous_price: 12, price: 9, change_pct: -25, previous_date: '2026-11-05' },
    ])
  },
  { since: '2026-11-01' },
)

// The first change is taken back on the third day, the second on the fourth.
example(
  'a change that is taken back within three days is flapping, and so is what takes it back',
  [
    ...observed(listing('three'), { '2026-11-02': 1000, '2026-11-04': 800, '2026-11-07': 1000 }),
    ...observed(listing('four'), { '2026-11-02': 1000, '2026-11-05': 800, '2026-11-09': 1000 }),
  ],
  ({ price_changes, flapping_count }) => {
    expect(price_changes.map(({ date, is_flapping }: Change) => [date, is_flapping])).toEqual([
      ['2026-11-04', true],
      ['2026-11-05', false],
      ['2026-11-07', true],
      ['2026-11-09', false],
    ])
    expect(flapping_count).toBe(2)
  },
)

// 1 October is 35 days before 5 November and 36 before the 6th.
example(
  'a price that no longer stood is not compared',
  [
    ...observed(listing('stands'), { '2026-10-01': 1000, '2026-11-05': 1100 }),
    ...observed(listing('stood'), { '2026-10-01': 1000, '2026-11-06': 1100 }),
  ],
  ({ price_changes }) => expect(price_changes).toMatchObject([{ date: '2026-11-05', product_name: 'Coffee stands' }]),
)

describe('a cursor', () => {
  const shelf = { category: 'Grocery > Coffee' }
  let engine: Engine
  beforeAll(async () => {
    const rows = ['a', 'b', 'c'].flatMap((id) =>
      observed(listing(id), { '2026-11-01': 1000, '2026-11-08': 1100, '2026-11-15': 1200 }),
    )
    engine = await givenEngine(rows, { as_of: new Date('2026-11-21T00:00:00Z') })
  })
  const pages = async (since: string, limit: number) => {
    const read: Change[][] = []
    for (let next = since; ; ) {
      const { price_changes, has_more, next_since } = await ask(engine, 'shopper/changes', {
        ...shelf,
        since: next,
        limit,
      })
      read.push(price_changes)
      next = next_since
      if (!has_more) return { read, next }
    }
  }

  test('pages have every change once, in the order of a single page', async () => {
    const { read, next } = await pages('2026-11-01', 4)
    const whole = await pages('2026-11-01', 100)
    expect(read.map((page) => page.length)).toEqual([4, 2])
    expect(read.flat()).toEqual(whole.read.flat())
    expect(next).toBe(whole.next)
  })

  test('after the last page the newest day is listed again, as a snapshot may add to it', async () => {
    const { next } = await pages('2026-11-01', 100)
    const { snapshot_id } = await engine.catalog()
    expect(next).toBe(`${snapshot_id}_2026-11-15`)
    const { read } = await pages(next, 100)
    expect(read.flat().map(({ date }) => date)).toEqual(['2026-11-15', '2026-11-15', '2026-11-15'])
  })

  test('a page of another snapshot starts anew', async () => {
    const { read } = await pages('000001-00000000_2026-11-01_4', 100)
    expect(read.flat()).toHaveLength(6)
  })

  test.each([
    ['2026-11-31', 'since: expected next_since of an answer or a UTC day, YYYY-MM-DD, got "2026-11-31"'],
    ['2026-11-01_4', 'since: expected next_since of an answer or a UTC day, YYYY-MM-DD, got "2026-11-01_4"'],
    ['2026-08-22', 'since: 2026-08-22 is over 90 days ago; send a day from 2026-08-23 to 2026-11-20'],
    ['2026-11-21', 'since: 2026-11-21 is in the future; send a day from 2026-08-23 to 2026-11-20'],
  ])('since=%s is refused with the days to send', async (since, message) => {
    await expect(ask(engine, 'shopper/changes', { ...shelf, since })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message,
      details: { parameter: 'since' },
    })
  })

  test.each([
    [{}, 'uids: required; send uids, category or department'],
    [{ uids: 'p_1', ...shelf }, 'uids: excludes category and department; send either'],
    [{ uids: 'a,b' }, 'uids: "a" is neither a product_uid (p_...) nor an entity_uid (e_...)'],
    [{ uids: ' , ' }, 'uids: has 0 ids; send 1 to 100, separated by commas'],
  ])('%j is refused', async (given, message) => {
    await expect(ask(engine, 'shopper/changes', given)).rejects.toMatchObject({ code: 'INVALID_PARAMS', message })
  })
})

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerTo, check, engine } = worldUnderTest(seed)
  let listings: Map<string, NumberedListing>
  beforeAll(async () => {
    listings = await numberedListings(engine())
  })

  const sinceOf = ({ as_of }: Scope, age: number): string => addDays(as_of, -age)
  const ages = fc.constantFrom(90, 30, 5, 1)

  const checkChanges = async (scope: Scope, params: object, isWatched?: (key: string) => boolean, age = 30) => {
    const since = sinceOf(scope, age)
    const found = changesSince(days, { ...scope, since }, isWatched)
    const answer = await answerTo('shopper/changes', { ...params, since, limit: 200 }, scope.as_of)
    check(scope, answer, found?.figures ?? null)
    if (found === null || typeof answer === 'string') return
    const uids = new Map([...listings].map(([key, { product_uid }]) => [key, product_uid]))
    const expected = found.price_changes.map(({ key, ...change }) => ({ ...change, product_uid: uids.get(key)! }))
    const placeOf = ({ date, product_uid }: Change): string => `${date} ${product_uid}`
    expect(answer.price_changes).toMatchObject(
      expected.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).slice(0, 200),
    )
  }

  test('the changes of a scope equal their definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, (scope, age) => {
        const { shelf, country, retailer } = scope
        return checkChanges(scope, { category: shelf.join(' > '), country, retailer }, undefined, age)
      }),
      { seed, numRuns: 30 },
    ))

  test('those of listings and entities equal their definition', async () => {
    const known = [...listings].filter(([key]) => key.includes('|us|'))
    return fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(known.length - 1), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (picked, byEntity) => {
          const uids = picked.map((place) => {
            const { entity_uid, product_uid } = known[place]![1]
            return (byEntity && entity_uid) || product_uid
          })
          const isWatched = (key: string): boolean => {
            const { entity_uid, product_uid } = listings.get(key)!
            return uids.includes(product_uid) || (entity_uid !== null && uids.includes(entity_uid))
          }
          const as_of = days
            .map(({ day }) => day)
            .sort()
            .at(-1)!
          const scope: Scope = { shelf: [], country: 'us', as_of: `${addDays(as_of, 1)}T00:00:00Z` }
          await checkChanges(scope, { uids: uids.join() }, isWatched)
        },
      ),
      { seed, numRuns: 30 },
    )
  })

  test('a listing that is known in another country is refused', async () => {
    const [, { product_uid }] = [...listings].find(([key]) => key.includes('|ca|'))!
    expect(await answerOr(ask(engine(), 'shopper/changes', { uids: product_uid }))).toBe('NO_RESULTS')
  })
})
