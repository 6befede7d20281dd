import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { snapshotFolder } from '../../engine/index.ts'
import { type EntityOf, retailerIndex } from '../support/oracle-tracker.ts'
import { connectTo } from '../support/prepared.ts'
import { scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { retailers, worldSeeds } from '../support/worlds.ts'

const ENTITIES = `
  SELECT concat_ws('|', platform, country, product_id) AS key, entity_uid
  FROM listing JOIN retailer USING (retailer_id) WHERE entity_uid IS NOT NULL`

const entitiesOf = async (snapshot: string): Promise<EntityOf> => {
  const connection = await connectTo(snapshot)
  const rows = (await connection.runAndReadAll(ENTITIES)).getRowObjectsJS() as { key: string; entity_uid: string }[]
  connection.closeSync()
  const entities = new Map(rows.map(({ key, entity_uid }) => [key, entity_uid]))
  return (key) => entities.get(key) ?? null
}

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerTo, check, lake, engine } = worldUnderTest(seed)
  let entityOf: EntityOf

  beforeAll(async () => {
    entityOf = await entitiesOf(snapshotFolder(lake(), engine().manifest.snapshot_id))
  })

  test('retailer-index equals its definition', () =>
    fc.assert(
      fc.asyncProperty(
        scopes,
        windows,
        fc.constantFrom(...retailers, 'alpha' as const),
        fc.constantFrom('category', 'department', null),
        async ({ shelf: wholeShelf, country, as_of }, window, retailer, scoped) => {
          const shelf = scoped === null ? [] : scoped === 'department' ? wholeShelf.slice(0, 1) : wholeShelf
          const scope = scoped === null ? {} : { [scoped]: shelf.join(' > ') }
          const params = { retailer, country, ...scope, ...window }
          const answer = await answerTo('analyst/retailer-index', params, as_of)
          const where = { shelf, country, retailer, as_of }
          check({ ...where, to: window.to }, answer, retailerIndex(days, { ...where, ...window }, entityOf))
        },
      ),
      { seed, numRuns: 40 },
    ))
})
