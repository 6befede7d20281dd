import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../../../api/contract/openapi-examples.ts'
import { DAY_SECONDS, findQuery, queries } from '../../../../engine/index.ts'
import { answerPage } from '../../../../engine/show/cli/answer-page.ts'
import { cellWidth } from '../../../../engine/show/cli/cells.ts'
import { plain, styleOf } from '../../../../engine/show/cli/terminal.ts'

const resolved = {
  input: 'coffee',
  category_path: 'grocery/coffee',
  department: 'grocery',
  match_source: 'name',
  match_confidence: 0.95,
  alternates: [],
}
const meta = {
  served_from: 'snapshot',
  freshness_seconds: 2 * DAY_SECONDS,
  schema_version: '1.0',
  computed_at: '2026-11-01T00:00:00Z',
  price_observed_at_min: '2026-08-05T00:00:00Z',
  price_observed_at_max: '2026-10-30T00:00:00Z',
  snapshot_id: '000001-aaaaaaaa',
}
const scope = { category: 'grocery/coffee', department: 'grocery', country: 'us', currency: 'USD', retailer: null }

const dispersion = {
  ...scope,
  avg_price: 1234.5,
  min_price: 9,
  max_price: 2000,
  std_dev: null,
  coeff_of_variation: 0.4119,
  percentiles: { p10: 9.5, p25: 10, p50: 12.25, p75: 15, p90: 1999.99 },
  product_count: 1200,
  price_histogram: [
    { bin: '9.00-10.00', count: 900 },
    { bin: '10.00-11.00', count: 0 },
    { bin: '11.00-12.00', count: 300 },
  ],
  outliers_excluded: 3,
  representative_floor: 0.5,
  excluded: { below_floor: 1, refurbished_or_used: 2, accessory_or_parts: 0, price_outliers: 3 },
  resolved,
  meta,
}

const point = (date: string, figures: Record<string, unknown>) => ({
  date,
  period: date.slice(0, 7),
  partial: false,
  avg_price: 10,
  min_price: 9,
  max_price: 11,
  median_price: 10,
  product_count: 40,
  observation_count: 40,
  change_pct: null,
  matched_basket_size: 0,
  method: null,
  in_stock_count: 40,
  stock_known_count: 40,
  promo_count: 0,
  retailer_avg_price: null,
  category_avg_price: null,
  price_index: null,
  stable_avg_price: null,
  insufficient_sample: false,
  sample_threshold: 30,
  ...figures,
})

const inflation = {
  ...scope,
  granularity: 'monthly',
  lfl_change_pct: 2.5,
  lfl_matched: 40,
  lfl_note: null,
  lfl_ci: null,
  overall_change_pct: 3.1,
  naive_overall_change_pct: null,
  window: {
    preset: 'custom',
    from: '2026-08-01',
    to: '2026-11-01',
    comparison_from: '2026-05-01',
    comparison_to: '2026-08-01',
  },
  time_series: [
    point('2026-08-01', { median_price: 10 }),
    point('2026-09-01', { median_price: 10.5, change_pct: 5, matched_basket_size: 38, promo_count: 12 }),
    point('2026-10-01', { median_price: 10.25, change_pct: -2.38, matched_basket_size: 38, promo_count: 3 }),
  ],
  resolved,
  meta,
}

const page = (name: string, answer: Record<string, unknown>, width = 80, style = plain) =>
  answerPage(findQuery('analyst', name)!, answer, width, style)

describe('answerPage', () => {
  it('aligns figures with their titles and draws a histogram', () => {
    expect(page('price-dispersion', dispersion)).toEqual([
      'analyst price-dispersion  Spread of current prices in a category, with histogram',
      'grocery/coffee · us · USD',
      '',
      'Coefficient of variation  0.4119',
      'Average price             $1,234.50',
      'Lowest price              $9.00',
      'Highest price             $2,000.00',
      'Standard deviation        –',
      'Percentiles               10th percentile $9.50 · 25th percentile $10.00 ·',
      '                          median $12.25 · 75th percentile $15.00 ·',
      '                          90th percentile $1,999.99',
      'Listings                  1,200',
      'Outliers left out         3',
      'Representative from       $0.50',
      'Left out                  below the floor 1 · refurbished or used 2 ·',
      '                          accessories or parts 0 · price outliers 3',
      '',
      'Listings by price',
      'Price from',
      'and to       Listings',
      '9.00-10.00        900  ████████████████████████████████████████',
      '10.00-11.00         0',
      '11.00-12.00       300  █████████████▍',
      '',
      '"coffee" was read as grocery/coffee (name, confidence 0.95).',
      'Prices observed 2026-08-05 to 2026-10-30, the latest 2 days ago. Snapshot',
      '000001-aaaaaaaa.',
    ])
  })

  it('draws a series as lines and names the columns that are constant or do not fit', () => {
    expect(page('inflation', inflation)).toEqual([
      'analyst inflation  Like-for-like price trend of a category',
      'grocery/coffee · us · USD',
      '2026-08-01 until 2026-11-01 (custom)',
      '',
      'Like-for-like change    +2.50%',
      'Period length           monthly',
      'Matched listings        40',
      'Like-for-like interval  –',
      'Chained change          +3.10% (deprecated)',
      'Naive change in all     – (deprecated)',
      '',
      'Time series',
      'Median price  $10.00 → $10.25 · low $10.00 · high $10.50',
      `${'▁'.repeat(27)}${'█'.repeat(27)}${'▅'.repeat(26)}`,
      `2026-08-01${' '.repeat(60)}2026-10-01`,
      'Change  +5.00% → -2.38% · low -2.38% · high +5.00%',
      `${' '.repeat(27)}${'█'.repeat(27)}`,
      `${' '.repeat(27)}${'─'.repeat(53)}`,
      `${' '.repeat(54)}${'▀'.repeat(26)}`,
      `2026-08-01${' '.repeat(60)}2026-10-01`,
      '',
      '         Median',
      '          price  Change   Matched         On',
      'Period        $       %  listings  promotion',
      '2026-08   10.00       –         0          0',
      '2026-09   10.50   +5.00        38         12',
      '2026-10   10.25   -2.38        38          3',
      'In every row: average price $10.00 · lowest price $9.00 · highest price $11.00 ·',
      'listings 40 · observations 40 · in stock 40 · stock known 40 · small sample no ·',
      'small sample below 30',
      'Without a value: method, average price at retailer, average price of category,',
      'price index, stable average price, like-for-like.',
      '',
      '"coffee" was read as grocery/coffee (name, confidence 0.95).',
      'Prices observed 2026-08-05 to 2026-10-30, the latest 2 days ago. Snapshot',
      '000001-aaaaaaaa.',
    ])
  })

  it('omits the least informative columns first where the page is narrow', () => {
    const moving = inflation.time_series.map((row, i) => ({
      ...row,
      avg_price: 10 + i,
      min_price: i,
      max_price: 11 + i,
    }))
    const lines = page('inflation', { ...inflation, time_series: moving }, 40)
    expect(lines).toContain('Period         $       $       $       %')
    expect(lines.join(' ')).toContain('No room for: highest price, matched listings, on promotion; --csv has all.')
  })

  it('omits ids and addresses before the figures that people compare', () => {
    const offer = (id: number) => ({
      product_uid: `p_${'A'.repeat(15)}${id}`,
      entity_uid: `e_${'B'.repeat(15)}${id}`,
      product_name: `Laptop ${id}`,
      retailer: `shop ${id}`,
      price: id,
      url: `https://shop.example/${id}`,
    })
    const answer = { country: 'us', currency: 'USD', prices: [offer(1), offer(2)] }
    const lines = answerPage(findQuery('shopper', 'best-price')!, answer, 40, plain)
    expect(lines).toContain('Laptop 1  shop 1     1.00')
    expect(lines.join(' ')).toContain('No room for: product uid, entity uid, address; --csv has all.')
  })

  it.each([40, 60, 80, 120, 200])('is at most %i columns wide, whatever the query', (width) => {
    const examples = queries.map((query) =>
      answerPage(query, exampleOf(query) as Record<string, unknown>, width, plain),
    )
    for (const lines of [page('inflation', inflation, width), page('price-dispersion', dispersion, width), ...examples])
      expect(lines.filter((line) => cellWidth(line) > width)).toEqual([])
  })

  it('prints the last rows of a long series and the first rows of a ranking', () => {
    const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 7, 1 + i)).toISOString().slice(0, 10))
    const long = page('inflation', {
      ...inflation,
      time_series: days.map((day, i) => point(day, { period: day, median_price: i })),
    })
    expect(long.filter((line) => /^2026-\d\d-\d\d {2}/.test(line) && !/ 2026/.test(line))).toHaveLength(31)
    expect(long.some((line) => line.startsWith('2026-09-09'))).toBe(true)
    expect(long).toContainEqual(expect.stringContaining('9 earlier rows: --csv has all.'))
    const bins = Array.from({ length: 40 }, (_, i) => ({ bin: `bin ${i}`, count: i + 1 }))
    const ranking = page('price-dispersion', { ...dispersion, price_histogram: bins })
    expect(ranking).toContainEqual(expect.stringMatching(/^bin 30 +31 /))
    expect(ranking).toContainEqual(expect.stringContaining('9 further rows: --csv has all.'))
  })

  it('lists the alternates of the category', () => {
    const alternates = [{ category_path: 'kitchen/coffee makers' }, { category_path: 'kitchen/coffee grinders' }]
    const text = page('price-dispersion', { ...dispersion, resolved: { ...resolved, alternates } }).join(' ')
    expect(text).toContain('It may also mean kitchen/coffee makers, kitchen/coffee grinders: send one as --category.')
  })

  it('says that no price is current where the answer is based on none', () => {
    const none = { freshness_seconds: null, price_observed_at_min: null, price_observed_at_max: null }
    const lines = page('price-dispersion', { ...dispersion, meta: { ...meta, ...none } })
    expect(lines.at(-1)).toBe('No price is current. Snapshot 000001-aaaaaaaa.')
  })

  it('prints none for an empty list', () => {
    const lines = page('price-dispersion', { ...dispersion, price_histogram: [] })
    expect(lines[lines.indexOf('Listings by price') + 1]).toBe('none')
  })

  it('prints notes and removes control characters from feed texts', () => {
    const lines = page('inflation', { ...inflation, lfl_note: 'Only 3\x1b[2J products.' })
    expect(lines).toContain('Note on like-for-like   Only 3\\u001b[2J products.')
  })

  it('keeps the headline of a table before other figures', () => {
    const row = (brand: string, promo_frequency_pct: number) => ({
      brand,
      retailer: `one of the retailers, ${brand}`,
      total_observations: promo_frequency_pct * 1000,
      promo_observations: promo_frequency_pct * 100,
      promo_frequency_pct,
      avg_promo_depth_pct: promo_frequency_pct + 1,
      max_promo_depth_pct: promo_frequency_pct + 2,
    })
    const answer = { ...scope, brands: [row('Acme', 50), row('Bolt', 25)] }
    const lines = answerPage(findQuery('marketing', 'promo-intelligence')!, answer, 40, plain)
    expect(lines.join(' ')).toMatch(/Acme .*50\.00.*No room for: observations, promoted observations/)
  })

  it('emphasises the headline and dims deprecated fields, where colours are available', () => {
    const lines = page('inflation', inflation, 80, styleOf({ hasColours: true }))
    expect(lines).toContain('\x1b[1mLike-for-like change\x1b[22m    +2.50%')
    expect(lines).toContain('\x1b[2mChained change          +3.10% (deprecated)\x1b[22m')
  })

  it('prints the same text with and without colours', () => {
    const coloured = page('inflation', inflation, 80, styleOf({ hasColours: true }))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out
    expect(coloured.map((line) => line.replace(/\x1b\[\d+m/g, ''))).toEqual(page('inflation', inflation))
    expect(coloured.join('')).toContain(`\x1b[36m${'▁'.repeat(27)}`)
  })
})
