import { ensureLake } from '../support/given.ts'
import { referenceFeeds } from '../support/reference.ts'
import { feedRow, priced } from '../support/rows.ts'

/** A moment after the last observation of the lake. */
export const AS_OF = '2026-11-21T00:00:00Z'
const brand = { spelling: 'Acme' }
const observations = [
  ...Array.from({ length: 25 }, (_, i) => priced(`serving ${i}`, 100 + i, brand)).flat(),
  ...priced('thin', 100, { ...brand, platform: 'beta' }),
].map(feedRow)

/** A lake with a serving shelf of one retailer and a thin one of another. */
export const givenLake = () => ensureLake({ observations, files: referenceFeeds })
