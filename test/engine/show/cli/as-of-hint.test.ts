import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../../../../engine/show/cli.ts'
import { sized } from '../../../support/full-size.ts'
import { ensureLake } from '../../../support/given.ts'
import { withoutNotice } from '../../../support/notices.ts'
import { postsOn } from '../../../support/posts.ts'
import { feedRow, type Listing, listing, observed } from '../../../support/rows.ts'

const CLOCK = '2026-11-21T00:00:00Z'

const seen = (id: string, days: readonly string[], of: Partial<Listing>) =>
  observed(listing(id, of), Object.fromEntries(days.map((day) => [day, 1000])))

const coffee = ['2024-04-30', '2024-05-14']
const rows = [
  ...Array.from({ length: 25 }, (_, i) => seen(`${i}`, coffee, { spelling: 'Acme' })).flat(),
  ...seen('tea', ['2024-03-31'], { spelling: 'Bolt', shelf: ['Grocery', 'Tea'] }),
]
const posts = [...postsOn('2024-03-01', 1, {}), ...postsOn('2024-05-13', 3, { brand_norms: ['acme'], theme: 'latte' })]

let lake: string
beforeAll(async () => {
  ;({ lake } = await ensureLake({ observations: rows.map(feedRow), social: posts }))
})

const run = async (line: string, { isTerminal = true, as_of = CLOCK } = {}) => {
  const chunks = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => ({
    write: (chunk: string | Uint8Array) => {
      chunks[name] += chunk
    },
    isTerminal,
    hasColours: false,
    columns: 100,
  })
  const terminal = { stdout: sink('out'), stderr: sink('err') }
  const code = await runCli(line.split(' '), terminal, { lake, as_of })
  return { code, out: chunks.out, err: withoutNotice(chunks.err) }
}

const hint = (newest: string, date: string): string =>
  `The newest observation here is of ${newest}. To query the data as of then, add --as-of ${date}.`

describe('a query whose window starts after the newest observation', () => {
  type Case = [line: string, newest: string, as_of: string]
  /** Windows of every kind: of a category, a retailer, a brand, a product, posts and calendar months. */
  const ofEveryKind: Case[] = [
    ['analyst inflation --category coffee', '2024-05-14', '2024-05-15'],
    ['analyst retailer-index --retailer alpha', '2024-05-14', '2024-05-15'],
    ['marketing brand-tracker --brand bolt', '2024-03-31', '2024-04-01'],
    ['shopper best-price --q tea', '2024-03-31', '2024-04-01'],
    ['social brand-momentum --category grocery', '2024-05-13', '2024-05-14'],
    // The month before the newest observation of tea has none.
    ['analyst inflation --category tea --time_window month_over_month', '2024-03-31', '2024-04-01'],
  ]
  const others: Case[] = [
    ['analyst price-dispersion --category coffee', '2024-05-14', '2024-05-15'],
    ['analyst category-summary --category grocery --days 30', '2024-05-14', '2024-05-15'],
    ['marketing share-of-shelf --category tea', '2024-03-31', '2024-04-01'],
    ['marketing competitive-landscape --category coffee --retailer alpha', '2024-05-14', '2024-05-15'],
    ['marketing promo-intelligence --category coffee --brand acme', '2024-05-14', '2024-05-15'],
    ['marketing price-positioning --brand acme', '2024-05-14', '2024-05-15'],
    ['shopper price-history --q tea', '2024-03-31', '2024-04-01'],
    ['shopper price-drop-alert --q tea --days 60', '2024-03-31', '2024-04-01'],
    ['social topic-trends --category grocery --window 7d', '2024-05-13', '2024-05-14'],
    // The month before the newest observation has an observation too.
    ['analyst inflation --category coffee --time_window previous_month', '2024-05-14', '2024-05-15'],
    ['analyst inflation --category coffee --explain', '2024-05-14', '2024-05-15'],
  ]
  test.each(sized(ofEveryKind, [...ofEveryKind, ...others]))(
    'suggests an --as-of with which it is answered: %s',
    async (line, newest, date) => {
      const refused = await run(line)
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.err.split('\n')).toContain(hint(newest, date))
      expect(await run(`${line} --as-of ${date}`)).toMatchObject({ code: 0, err: '' })
    },
  )

  test('suggests the first day of the next month for a window of whole months', async () => {
    const line = 'analyst inflation --category garden --time_window previous_month'
    const { lake: garden } = await ensureLake({
      observations: seen('hose', ['2024-05-14'], { shelf: ['Garden'] }).map(feedRow),
    })
    const { code, err } = await run(`${line} --lake ${garden}`)
    expect(code).toBe(1)
    expect(err.split('\n')).toContain(hint('2024-05-14', '2024-06-01'))
    expect(await run(`${line} --lake ${garden} --as-of 2024-06-01`)).toMatchObject({ code: 0 })
  })

  test('suggests a different --as-of where one was given', async () => {
    const { err } = await run('analyst inflation --category coffee --as-of 2025-01-01')
    expect(err.replaceAll('\n', ' ')).toContain('as of then, send --as-of 2024-05-15 instead.')
  })

  test('has the suggestion beside the error in JSON output', async () => {
    const { err } = await run('analyst inflation --category coffee', { isTerminal: false })
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'NO_RESULTS', details: { newest_observed_at: '2024-05-14T12:00:00Z' } },
      hint: hint('2024-05-14', '2024-05-15'),
    })
  })
})

describe('no --as-of is suggested', () => {
  test.each([
    ['for an explicit window after the data', 'analyst inflation --category coffee --from 2026-01-01 --to 2026-02-01'],
    ['for an explicit window before the data', 'analyst inflation --category coffee --from 2001-01-01 --to 2001-02-01'],
    ['where none helps', 'shopper deal-finder'],
    [
      'for a retailer that was stale at the end of an explicit window',
      'analyst inflation --category coffee --retailer alpha --from 2026-01-01 --to 2026-02-01',
    ],
  ])('%s, only the newest observation is named', async (_, line) => {
    const { code, err } = await run(line)
    expect(code).toBe(1)
    expect(err.split('\n')).toContain('The newest observation here is of 2024-05-14.')
    expect(err).not.toContain('as-of')
  })

  test.each([
    'marketing brand-tracker --brand zzxxqq',
    'shopper best-price --q zzxxqq',
    'analyst inflation --category coffee --retailer nobody',
    'analyst inflation --category coffee --country ca',
    'analyst inflation --category zzxxqq',
  ])('nor the newest observation named where dates are not the reason: %s', async (line) => {
    const { err } = await run(line)
    expect(err).not.toContain('newest observation')
    expect(JSON.parse((await run(line, { isTerminal: false })).err)).not.toHaveProperty('hint')
  })

  test('where the newest observation is current', async () => {
    const { err } = await run('shopper deal-finder', { as_of: '2024-05-15T00:00:00Z' })
    expect(err).toContain('10 % or more off')
    expect(err).not.toContain('newest observation')
  })
})
