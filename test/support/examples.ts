import { beforeAll, test } from 'vitest'
import type { z } from 'zod'
import type { AnyQuery, Engine } from '../../engine/index.ts'
import { ask, type Given } from './ask.ts'
import { givenEngine } from './given.ts'
import { addDays } from './oracle.ts'
import { type Observation, serving } from './rows.ts'

type Answer = z.output<AnyQuery['answer']>
type Example = (name: string, rows: readonly Observation[], check: (answer: Answer) => void, given?: Given) => void

/** Moves rows onto a shelf of their own; what lies below the second name of their shelf stays below it. */
const onto = (shelf: readonly string[], rows: readonly Observation[]): Observation[] =>
  rows.map((row) => ({
    ...row,
    listing: {
      ...row.listing,
      listing_id: `${shelf.at(-1)} ${row.listing.listing_id}`,
      shelf: [...shelf, ...row.listing.shelf.slice(2)],
    },
  }))

const DEPARTMENT = 'Examples'

/** What makes the retailer that is sent serve the department of the examples in windows that end within 80 days of as_of. */
const servingFor = ({ retailer, country = 'us' }: Given, as_of: string): Observation[] => {
  if (retailer === undefined) return []
  const of = { platform: String(retailer).toLowerCase(), country: country === 'ca' ? 'ca' : 'us' } as const
  return serving(of, DEPARTMENT, [addDays(as_of, -81), addDays(as_of, -1)])
}

/**
 * Examples of one query over one lake: each has its own shelf, which its query is about. A retailer that is sent serves: it
 * has enough other listings besides, none of them on the shelf of an example.
 */
export const examplesOf = (id: string, as_of: string): Example => {
  const all: Observation[] = []
  let shelves = 0
  let engine: Engine
  beforeAll(async () => {
    engine = await givenEngine(all, { as_of: new Date(as_of) })
  })
  return (name, rows, check, given = {}) => {
    shelves += 1
    const shelf = [DEPARTMENT, `Shelf ${shelves}`]
    all.push(...onto(shelf, rows), ...onto([DEPARTMENT, `Filler ${shelves}`], servingFor(given, as_of)))
    test(name, async () => check(await ask(engine, id, { category: shelf.join(' > '), ...given })))
  }
}
