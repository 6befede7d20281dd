import { describe, expect, test } from 'vitest'
import { createAdmission, type Lane } from '../../api/http/admission.ts'

const never = new AbortController().signal

/** Work that ends when the test says so, and the order in which it began. */
const scene = (connections: number, queue: number) => {
  const admission = createAdmission({ connections, queue })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const enter = (lane: Lane, name: string, signal = never) =>
    admission.enter(lane, signal, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { admission, begun, enter, end }
}

const busy = { status: 503, code: 'NOT_READY', headers: { 'retry-after': '1' } }

test('admission runs as many queries as there are connections, queues the next ones and refuses the rest', async () => {
  const { admission, begun, enter, end } = scene(1, 2)
  const entered = ['a', 'b', 'c'].map((name) => enter('analyst', name))
  await expect(enter('analyst', 'd')).rejects.toMatchObject(busy)
  expect(() => admission.refuseWhenFull('analyst')).toThrow()
  expect(begun).toEqual(['a'])
  for (const name of ['a', 'b', 'c']) await end(name)
  await Promise.all(entered)
  expect(begun).toEqual(['a', 'b', 'c'])
  expect(admission.counts().running).toBe(0)
})

test('admission leaves half of the connections to other lanes', async () => {
  const { begun, enter } = scene(4, 9)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('analyst', name)
  expect(begun).toEqual(['a1', 'a2'])
  void enter('public', 'p1')
  expect(begun).toEqual(['a1', 'a2', 'p1'])
})

test('admission gives a free connection to the lane with the fewest running queries, then to the one that has waited longest', async () => {
  const { begun, enter, end } = scene(4, 9)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('analyst', name)
  for (const name of ['m1', 'm2', 'm3']) void enter('marketing', name)
  void enter('public', 'p1')
  expect(begun).toEqual(['a1', 'a2', 'm1', 'm2'])
  await end('a1')
  expect(begun.at(-1)).toBe('p1')
  await end('p1')
  expect(begun.at(-1)).toBe('a3')
  await end('m1')
  expect(begun.at(-1)).toBe('m3')
})

test('admission refuses queries of a full lane without refusing those of other lanes', async () => {
  const { admission, begun, enter } = scene(2, 1)
  for (const name of ['a1', 'a2']) void enter('analyst', name)
  await expect(enter('analyst', 'a3')).rejects.toMatchObject(busy)
  admission.refuseWhenFull('social')
  void enter('social', 's1')
  expect(begun).toEqual(['a1', 's1'])
})

test('admission removes a cancelled query from the queue at once and gives its place to another', async () => {
  const { admission, begun, enter, end } = scene(1, 1)
  const client = new AbortController()
  void enter('analyst', 'a')
  const waiting = enter('analyst', 'b', client.signal)
  client.abort()
  await expect(waiting).rejects.toMatchObject({ status: 503 })
  expect(admission.counts().waiting).toEqual([{ lane: 'analyst', waiting: 0 }])
  void enter('analyst', 'c')
  await end('a')
  expect(begun).toEqual(['a', 'c'])
  await expect(enter('social', 'd', client.signal)).rejects.toMatchObject({ status: 503 })
})

describe('a full lane', () => {
  let clock = 0
  const given = () => {
    clock = 0
    const admission = createAdmission({ connections: 1, queue: 3, now: () => clock })
    const ends: (() => void)[] = []
    const enter = () => admission.enter('analyst', never, () => new Promise<void>((resolve) => ends.push(resolve)))
    const end = async (): Promise<void> => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const waiting = () => admission.counts().waiting[0]?.waiting
    return { admission, enter, end, waiting }
  }

  test('refuses queries beyond the queue in a burst, and answers all that it has queued', async () => {
    const { enter, end, waiting } = given()
    const held = Array.from({ length: 4 }, enter)
    for (clock of [0, 50, 100]) await expect(enter()).rejects.toMatchObject(busy)
    expect(waiting()).toBe(3)
    for (let i = 0; i < 4; i++) await end()
    await Promise.all(held)
  })

  test('replaces waiting queries by newer ones in an overload, until no query has been refused for a second', async () => {
    const { enter, end, waiting } = given()
    const first = enter()
    const held = Promise.allSettled(Array.from({ length: 3 }, enter))
    await expect(enter()).rejects.toMatchObject(busy)
    clock = 101
    const newer = enter()
    expect(await held).toMatchObject(Array(3).fill({ status: 'rejected', reason: busy }))
    clock = 1100
    const newest = enter()
    await expect(newer).rejects.toMatchObject(busy)
    expect(waiting()).toBe(1)
    await end()
    await end()
    await Promise.all([first, newest])
    clock = 2100
    const burst = [enter(), enter(), enter()]
    expect(waiting()).toBe(2)
    for (let i = 0; i < 3; i++) await end()
    await Promise.all(burst)
  })

  test('refuses queries before they enter the queue, in an overload too', async () => {
    const { admission, enter, end } = given()
    const held = Promise.allSettled(Array.from({ length: 4 }, enter))
    for (clock of [0, 101]) expect(() => admission.refuseWhenFull('analyst')).toThrow()
    for (let i = 0; i < 4; i++) await end()
    expect(await held).toMatchObject(Array(4).fill({ status: 'fulfilled' }))
  })
})

test('admission frees the connection of a query that fails', async () => {
  const { admission } = scene(1, 0)
  const fail = () => admission.enter('social', never, () => Promise.reject(new Error('no')))
  for (let i = 0; i < 3; i++) await expect(fail()).rejects.toThrow('no')
  await expect(admission.enter('social', never, async () => 'yes')).resolves.toBe('yes')
})
