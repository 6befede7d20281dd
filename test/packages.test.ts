import { expect, test } from 'vitest'
import { measureSupplyChain } from '../bench/faults/supply-chain.ts'

test('the dependencies are few, pinned by hash and under 210 MB when installed', async () => {
  const { held, measured } = await measureSupplyChain()
  expect(held, measured).toBe(true)
})
