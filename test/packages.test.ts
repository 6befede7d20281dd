import { expect, test } from 'vitest'
import { measureSupplyChain } from '../bench/faults/supply-chain.ts'

test('few packages, each by its hash, and a production install under 200 MB', async () => {
  const { held, measured } = await measureSupplyChain()
  expect(held, measured).toBe(true)
})
