import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { addDays } from '../../../support/oracle.ts'
import { listing, observed } from '../../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../../support/vectors.ts'
import { gtin13 } from '../../../support/worlds.ts'

type Prices = [day: number, price: number][]
type Events = [day: number, followed: number, direction: 1 | -1][]
type Case = { name: string; a: Prices; b: Prices; a_leads: Events; b_leads: Events }

const cases = noVectors ? [] : beyondVector<{ cases: Case[] }>('price_leadership').cases
const september = (day: number): string => addDays('2026-08-31', day)

/** A product that alpha and beta sell, on a shelf. */
const product = (shelf: string, n: number, a: Prices, b: Prices) =>
  [a, b].flatMap((prices, i) =>
    observed(
      listing(`${n}`, {
        shelf: ['Leads', shelf],
        platform: ['alpha', 'beta'][i]!,
        gtin: gtin13(n),
        product_name: `Toaster ${n}`,
      }),
      Object.fromEntries(prices.map(([day, price]) => [september(day), price])),
    ),
  )
const thirtyDays = (priceOn: (day: number) => number): Prices =>
  Array.from({ length: 30 }, (_, i) => [i + 1, priceOn(i + 1)])

const shelfOf = (name: string): string => name.replaceAll('_', ' ')
let engine: Engine
beforeAll(async () => {
  // Of 36 products alpha rises on day 10. On day 12 beta rises with 30 of them, falls with three and leaves three.
  const toasters = Array.from({ length: 36 }, (_, i) => {
    const answer = i < 30 ? 1100 : i < 33 ? 900 : 1000
    return product(
      'Toasters',
      i,
      thirtyDays((day) => (day < 10 ? 1000 : 1100)),
      thirtyDays((day) => (day < 12 ? 1000 : answer)),
    )
  })
  // Threefold is kept and a day after the 35th is too late to know when a price changed.
  const stable: Prices = Array.from({ length: 60 }, (_, i) => [i + 1, 1000])
  const kettles = [3000, 3001].map((price, i) =>
    product(
      'Kettles',
      50 + i,
      thirtyDays((day) => (day < 10 ? 1000 : price)),
      stable,
    ),
  )
  const cups = [36, 37].map((day, i) =>
    product(
      'Cups',
      60 + i,
      [
        [1, 1000],
        [day, 1100],
      ],
      stable,
    ),
  )
  const known = cases.map(({ name, a, b }, i) => product(shelfOf(name), 100 + i, a, b))
  engine = await givenEngine([...toasters, ...kettles, ...cups, ...known].flat(), {
    as_of: new Date('2026-12-01T00:00:00Z'),
  })
})

const leadership = (shelf: string, to: number) =>
  ask(engine, 'analyst/price-leadership', { category: `Leads > ${shelf}`, from: september(1), to: september(to) })

test('a retailer leads whose changes another follows, and moves the other way do not follow', async () => {
  const answer = await leadership('Toasters', 31)
  expect(answer).toMatchObject({ joined_pct: 100, change_count: 69, led_count: 30, opposed_count: 3 })
  expect(answer.retailers).toEqual([
    { retailer: 'alpha', lead_share_pct: 100, led_count: 30, following_count: 0, change_count: 36 },
    { retailer: 'beta', lead_share_pct: 0, led_count: 0, following_count: 30, change_count: 33 },
  ])
  const led = {
    change_count: 36,
    led_count: 30,
    led_rise_count: 30,
    opposed_count: 3,
    led_pct: 83.33,
    opposed_pct: 8.33,
  }
  expect(answer.pairs).toEqual([
    { leader: 'alpha', follower: 'beta', ...led },
    expect.objectContaining({ leader: 'beta', follower: 'alpha', led_count: 0, led_pct: 0 }),
  ])
})

test('a change counts from the window in which the followers have all of their days', async () => {
  expect(await leadership('Toasters', 24)).toMatchObject({ joined_pct: 100, change_count: 0, retailers: [] })
  expect(await leadership('Toasters', 25)).toMatchObject({ change_count: 36, led_count: 30 })
})

test('what is implausible, or follows a long gap, is no change', async () => {
  expect(await leadership('Kettles', 60)).toMatchObject({ joined_pct: 100, change_count: 1 })
  expect(await leadership('Cups', 60)).toMatchObject({ joined_pct: 100, change_count: 1 })
})

describe.skipIf(noVectors)(`leaders of known prices${because}`, () => {
  test.each(cases)('$name', async ({ name, a_leads, b_leads }) => {
    const { pairs } = await leadership(shelfOf(name), 60)
    const eventsOf = (of: string) => {
      const { led_count, led_rise_count } = pairs.find(({ leader }: { leader: string }) => leader === of)
      return [led_count, led_rise_count]
    }
    const counted = (events: Events) => [events.length, events.filter(([, , direction]) => direction > 0).length]
    expect([eventsOf('alpha'), eventsOf('beta')]).toEqual([counted(a_leads), counted(b_leads)])
  })
})
