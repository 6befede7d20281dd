import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brands, categories, coverage, retailers, stats } from '../support/oracle-public.ts'
import { moments } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { WORLD_END, worldSeeds } from '../support/worlds.ts'

const pages = fc.record({ limit: fc.constantFrom(1, 2, 3, 500), offset: fc.constantFrom(0, 0, 1, 5, 900) })
type Page = { limit: number; offset: number }

const pageOf = <T>(rows: readonly T[], { limit, offset }: Page) => ({
  items: rows.slice(offset, offset + limit),
  total: rows.length,
  limit,
  offset,
})

const either = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 })
const anyOr = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerTo } = worldUnderTest(seed)
  const runs = { seed, numRuns: 20 }
  const now = `${WORLD_END}T00:00:00Z`

  test('stats equal their definition', async () => {
    const answer = await answerTo('public/stats', {}, now)
    expect(answer).toMatchObject(stats(days))
    expect(answer.products.unique).toBeLessThanOrEqual(answer.products.listings)
  })

  test('categories equal their definition', () => {
    const nodes = categories(days)
    const parents = either('grocery', 'grocery/coffee', 'GARDEN', 'grocery/coffee/beans')
    return fc.assert(
      fc.asyncProperty(parents, fc.integer({ min: 1, max: 3 }), pages, async (parent_path, depth, page) => {
        const above = parent_path?.toLowerCase()
        const start = above === undefined ? 0 : above.split('/').length
        const below = nodes.filter(
          (node) =>
            (above === undefined || node.path.startsWith(`${above}/`)) &&
            node.depth > start &&
            node.depth <= start + depth,
        )
        expect(await answerTo('public/categories', { parent_path, depth, ...page }, now)).toEqual(pageOf(below, page))
      }),
      runs,
    )
  })

  test('retailers equal their definition', () =>
    fc.assert(
      fc.asyncProperty(pages, async (page) => {
        expect(await answerTo('public/retailers', page, now)).toEqual(pageOf(retailers(days), page))
      }),
      { ...runs, numRuns: 10 },
    ))

  test('brands equal their definition', () =>
    fc.assert(
      fc.asyncProperty(
        either('A', "l'or", 'Black &', 'BLACK+DECKER', 'no', 'n/a', 'ac-me', 'zz'),
        pages,
        async (q, page) => {
          const key =
            q
              ?.toLowerCase()
              .replace(/[+&]/, 'and')
              .replaceAll(/[^a-z]/g, '') ?? ''
          // A sign at the end joins nothing yet.
          const prefix = key === 'blackand' ? 'black' : key
          const rows = brands(days).filter(({ brand_norm }) => brand_norm.startsWith(prefix))
          expect(await answerTo('public/brands', { q, ...page }, now)).toEqual(pageOf(rows, page))
        },
      ),
      runs,
    ))

  test('coverage equals its definition at any moment', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...moments),
        either('us', 'ca'),
        either('alpha', 'BETA', 'nobody'),
        either('grocery', 'Garden'),
        either('serving', 'thin', 'stale'),
        pages,
        async (as_of, country, platform, category_root, quality_status, page) => {
          const cells = coverage(days, as_of).filter(
            (cell) =>
              anyOr(country, cell.country) &&
              anyOr(platform?.toLowerCase(), cell.platform) &&
              anyOr(category_root?.toLowerCase(), cell.category_root) &&
              anyOr(quality_status, cell.quality_status),
          )
          const params = { country, platform, category_root, quality_status, ...page }
          expect(await answerTo('public/coverage', params, as_of)).toEqual(pageOf(cells, page))
        },
      ),
      { ...runs, numRuns: 40 },
    ))
})
