import { describe, expect, test } from 'vitest'
import { createMemory } from '../../../engine/catalog/memory.ts'
import { type Admit, readParams } from '../../../engine/index.ts'
import { ask, queryNamed } from '../../support/ask.ts'
import { givenEngine } from '../../support/given.ts'
import { listing, observed } from '../../support/rows.ts'

describe('a part of the catalog', () => {
  test('is read once, however many need it at the same time', async () => {
    const reads: string[] = []
    const parts = createMemory(async (key: { day: string }) => {
      reads.push(key.day)
      return { of: key.day }
    })
    expect(parts.peek({ day: 'a' })).toBeNull()
    const both = await Promise.all([parts.get({ day: 'a' }), parts.get({ day: 'a' }), parts.get({ day: 'b' })])
    expect(both).toEqual([{ of: 'a' }, { of: 'a' }, { of: 'b' }])
    expect(await parts.get({ day: 'a' })).toBe(both[0])
    expect(reads).toEqual(['a', 'b'])
  })

  test('is read again after a read that failed', async () => {
    let isBroken = true
    const parts = createMemory(async (key: string) => {
      if (isBroken) throw new Error('unreadable')
      return { key }
    })
    await expect(parts.get('a')).rejects.toThrow('unreadable')
    isBroken = false
    expect(await parts.get('a')).toEqual({ key: 'a' })
  })

  test('is read again when it was the least recently used of too many', async () => {
    const reads: string[] = []
    const parts = createMemory(async (key: string) => {
      reads.push(key)
      return { key }
    }, 2)
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await parts.get(key)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
  })
})

const rows = observed(listing('a'), { '2026-08-22': 1000 })

test('a plan waits for admission to load a part, and not for one that is loaded', async () => {
  const engine = await givenEngine([...rows, ...observed(listing('b'), { '2026-11-20': 1000 })])
  const now = new Date('2026-11-21T00:00:00Z')
  let admitted = 0
  const admit: Admit = (load) => {
    admitted += 1
    return load()
  }
  const plan = (category: string) => {
    const query = queryNamed('analyst/price-dispersion')
    return engine.plan(query, readParams(query, { category }), { now, admit })
  }
  await plan('coffee')
  expect(admitted).toBe(1)
  await plan('grocery')
  expect(admitted).toBe(1)
})

test('the coverage at midnight is not that of the day before, although both end there', async () => {
  const engine = await givenEngine(rows)
  const recent = async (as_of: string) => {
    const { items } = await ask(engine, 'public/coverage', {}, as_of)
    return items[0].recent_priced_product_count
  }
  // 90 days before: 2026-08-22 and 2026-08-23.
  expect(await recent('2026-11-20T12:00:00Z')).toBe(1)
  expect(await recent('2026-11-21T00:00:00Z')).toBe(0)
  expect(await recent('2026-11-20T12:00:00Z')).toBe(1)
})
