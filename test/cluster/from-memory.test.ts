import { describe, expect, test } from 'vitest'
import { drawQueries } from '../../bench/answers/draw.ts'
import { namesOf } from '../../bench/answers/names.ts'
import { openBoth, planOf } from '../../bench/cluster/compare.ts'
import { Engine } from '../../engine/index.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'
import { answerOr } from '../support/world-queries.ts'
import { addressOf, loadNodes, startNodes } from './nodes.ts'

/** Queries whose relations are made in memory from listing-months and from the products of current prices. */
const ids = ['analyst/price-setting', 'analyst/retailer-levels', 'marketing/assortment', 'analyst/inflation']
const DRAWN = sized(200, 400)

/** Whole months, over which prices without sales are in memory, too. */
const months = (drawn: Record<string, string>, i: number): Record<string, string> => {
  const { time_window: _, days: __, ...params } = drawn
  const [from, to] = [`2026-0${1 + (i % 6)}-01`, `2026-${String(8 + (i % 4)).padStart(2, '0')}-01`]
  return i % 3 === 0 ? drawn : { ...params, from, to, granularity: 'monthly', regular: 'true' }
}

describe.each(sized([2], [1, 2, 7]))('from memory, from files and from %i shards', (shards) => {
  test('random queries over prices without sales and shared products have the same bytes', async () => {
    const nodes = await startNodes(shards)
    try {
      const { lake } = await sampleLake()
      await loadNodes(lake, nodes)
      const { engines, close } = await openBoth(lake, addressOf(nodes))
      const memory = await Engine.open(lake, { as_of: engines[0].now(), warm: true })
      let answered = 0
      const drawn = drawQueries(await namesOf(lake), DRAWN, 38).filter(({ query }) => ids.includes(query))
      for (const [i, { query, params }] of drawn.entries()) {
        const text = { query, params: query === 'analyst/inflation' ? months(params, i) : params }
        const plan = await planOf(engines[0], text)
        if (!plan) continue
        const answers = await Promise.all(
          [engines[0], memory, engines[1]].map(async (engine) => JSON.stringify(await answerOr(engine.run(plan)))),
        )
        expect(answers, JSON.stringify(text)).toEqual(Array(3).fill(answers[0]))
        if (answers[0]!.length > 50) answered += 1
      }
      memory.close()
      close()
      expect(answered).toBeGreaterThan(drawn.length / 3)
    } finally {
      await Promise.all(nodes.map((node) => node.remove()))
    }
  })
})
