import { beforeAll, describe, expect, test } from 'vitest'
import type { MatchExplanation } from '../../../../engine/show/cli/match/explain.ts'
import { runCli } from '../../../../engine/show/cli.ts'
import { csv, query, runFiles } from '../../../ingest/feeds.ts'

const header = 'platform,country,listing_id,product_name,brand,condition,category_path'
const products = [
  'acme,us,1,Bodum Chambord French press 8 cup,,new,Kitchen',
  'other,us,1,Bodum Chambord French press 8 cup coffee maker,,new,Kitchen',
  'other,us,2,Moka pot for three,,new,Kitchen',
  'acme,us,3,Zwilling Pro 38401-201 knife,Zwilling,new,Kitchen',
  'other,us,3,Zwilling 38401-201 Pro chef knife,Zwilling,new,Kitchen',
  ...['Stovetop espresso pot', 'Garlic crusher steel', 'Cast iron skillet', 'Paring blade ceramic'].map(
    (title, index) => `${index % 2 ? 'acme' : 'other'},us,${index + 9},${title},,new,Kitchen`,
  ),
  'third,us,1,Bodum Chambord French press 8 cup black,,used,Kitchen',
]

let lake: string
const uids = new Map<string, string>()

beforeAll(async () => {
  const prices = products.map((line) => `${line.split(',').slice(0, 3).join(',')},2026-01-05T10:00:00Z,20.00,USD`)
  const report = await runFiles({
    'product_catalogue/a.csv': [header, ...products].join('\n'),
    'price_observations/a.csv': csv(...prices),
  })
  lake = report.lake
  for (const row of await query(`SELECT platform || product_id AS name, product_uid
    FROM read_parquet('${lake}/snapshots/*/listings/*/*.parquet') JOIN read_parquet('${lake}/snapshots/*/retailers.parquet') USING (retailer_id)`))
    uids.set(String(row.name), String(row.product_uid))
})

const explain = async (argv: readonly string[], isTerminal = false) => {
  let [out, err] = ['', '']
  const sink = (write: (text: string) => void) => ({
    write: (chunk: string | Uint8Array) => write(String(chunk)),
    isTerminal,
    hasColours: false,
    columns: 100,
  })
  const stdout = sink((text) => (out += text))
  const stderr = sink((text) => (err += text))
  const code = await runCli(['explain-match', ...argv.map((name) => uids.get(name) ?? name), '--lake', lake], {
    stdout,
    stderr,
  })
  return { code, out, err }
}

const explained = async (a: string, b: string): Promise<MatchExplanation> => JSON.parse((await explain([a, b])).out)

describe('shelfmark explain-match', () => {
  test('a likely pair has a probability, and the weights of its comparisons add up to its odds', async () => {
    const { tier, probability, prior, evidence, listings } = await explained('acme1', 'other1')
    expect(tier).toBe('likely')
    expect(listings[0]!.likely_uid).toBe(listings[1]!.likely_uid)
    expect(evidence.map(({ comparison }) => comparison)).toContain('words')
    // Without rivals the probability is odds / (1 + odds).
    const odds = Math.exp(evidence.reduce((sum, { weight }) => sum + weight, prior!))
    expect(probability).toBeCloseTo(odds / (1 + odds), 2)
  })

  test('the sides of a pair can be swapped', async () => {
    const [there, back] = [await explained('acme1', 'other1'), await explained('other1', 'acme1')]
    expect({ ...back, listings: back.listings.toReversed() }).toEqual(there)
  })

  test('a pair of one entity is certain', async () => {
    expect(await explained('acme3', 'other3')).toMatchObject({ tier: 'certain', probability: null })
  })

  test.each([
    ['acme1', 'other2', /the match of ".*" is ".*", with 0\.\d{3}/],
    ['acme1', 'third1', /One is new, the other used/],
    ['other1', 'other2', /one shop/],
    ['acme3', 'other2', /share too few rare words/],
  ])('%s and %s are neither, with a reason', async (a, b, reason) => {
    expect(await explained(a, b)).toMatchObject({ tier: 'neither', reason: expect.stringMatching(reason) })
  })

  test('a page has each comparison as a sentence', async () => {
    const { code, out } = await explain(['acme1', 'other1'], true)
    expect(code).toBe(0)
    expect(out).toMatch(/likely, probability 0\.\d{3}/)
    expect(out).toContain('Their prices differ by less than 5 %.')
  })

  test('refuses an unknown uid, a missing one and an unknown option', async () => {
    expect(await explain(['acme1', 'p_none'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no listing has'),
    })
    expect(await explain(['acme1'])).toMatchObject({ code: 2, err: expect.stringContaining('two product_uids') })
    expect(await explain(['acme1', 'other1', '--csv'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--csv'),
    })
  })
})
