import { expect, test } from 'vitest'
import { killRefreshes } from '../../bench/faults/refresh-kills.ts'

/** `npm run faults -- kills` does so 200 times. */
const KILLS = 4

test(`${KILLS} killed refreshes leave the snapshot before them intact for a reader`, async () => {
  const { landed, reading, orphans } = await killRefreshes(KILLS)
  expect(landed).toBe(KILLS)
  expect(reading.problems).toEqual([])
  expect(reading.snapshots.size).toBeGreaterThan(1)
  expect(orphans).toEqual([])
})
