import { expect, test } from 'vitest'
import { DrawingThread, plotsOf } from '../../../../engine/index.ts'
import { competitiveLandscape } from '../../../../engine/queries/marketing/competitive-landscape.ts'
import { openEngine, sampleLake } from '../../../support/given.ts'

const { lake, as_of } = await sampleLake()
const engine = await openEngine(lake, { as_of })
const answer = await engine.ask(competitiveLandscape, { category: 'coffee' })
const json = JSON.stringify(answer)
/** Longer than any drawing takes. */
const LONG_MS = 120_000

test('a drawing that is not there in time is given up, and the next one is drawn', async () => {
  const faults: unknown[] = []
  const thread = new DrawingThread((fault) => faults.push(fault))
  // The thread takes longer to start, and the second waits for the first.
  const late = await Promise.all([
    thread.draw(competitiveLandscape, json, 0),
    thread.draw(competitiveLandscape, json, 0),
  ])
  expect(late).toEqual([null, null])
  expect(await thread.draw(competitiveLandscape, json, LONG_MS)).toEqual(await plotsOf(competitiveLandscape, answer))
  await thread.close()
  expect(faults).toEqual([])
})

test('a drawing that fails is a fault, and the next one is drawn', async () => {
  const faults: unknown[] = []
  const thread = new DrawingThread((fault) => faults.push(fault))
  expect(await thread.draw(competitiveLandscape, '{}', LONG_MS)).toBeNull()
  expect(faults).toMatchObject([{ name: 'TypeError' }])
  expect(await thread.draw(competitiveLandscape, json, LONG_MS)).toHaveLength(1)
  await thread.close()
})
