import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Database, query, step } from '../database.ts'
import { clusters } from './clusters.ts'
import { type Levels, learnt, USUAL, type Weights } from './weights.ts'

const SHOPS = query(import.meta.url, 'candidates#shops', z.object({ shops: z.int() }))
const OFFERS = step(import.meta.url, 'offers')
const WORDS = query(import.meta.url, 'words', z.object({ offers: z.int() }))
const NEAR = step(import.meta.url, 'candidates#near')
const CANDIDATES = step(import.meta.url, 'candidates#candidates')
const PAIRS = query(import.meta.url, 'candidates#pairs', z.object({ pairs: z.int() }))
const COMPARE = step(import.meta.url, 'compare')
const SAMPLE = step(import.meta.url, 'learn#sample')
const GUESS = query(
  import.meta.url,
  'learn#guess',
  z.object({ name: z.string(), level: z.int(), alike: z.number(), unlike: z.number() }),
)
const FOUND = query(
  import.meta.url,
  'learn#found',
  z.object({ pairs: z.number(), found: z.number(), l_offers: z.number(), r_offers: z.number() }),
)
const ODDS = step(import.meta.url, 'learn#odds')
const SCORE = query(
  import.meta.url,
  'score',
  z.object({
    l: z.int(),
    r: z.int(),
    l_entity: z.int(),
    r_entity: z.int(),
    l_shops: z.array(z.int()),
    r_shops: z.array(z.int()),
  }),
)
const LIKELY = step(import.meta.url, 'tables#likely')
const COUNTS = query(import.meta.url, 'tables#counts', z.object({ likely: z.int(), pairs: z.int() }))

/** Offers worked on at a time, so that memory does not grow with the catalogue. */
const PART = 100_000
/** Pairs that weights are learnt from, besides their rivals. */
const LEARNT_PAIRS = 200_000
const ITERATIONS = 8

const inParts = async (
  offers: number,
  run: (part: { first: number; last: number }) => Promise<void>,
): Promise<void> => {
  for (let first = 1; first <= offers; first += PART) await run({ first, last: first + PART - 1 })
}

/** Weights as SQL has them: in thousandths. */
const inThousandths = (weights: Weights): Weights =>
  Object.fromEntries(
    Object.entries(weights).map(([name, list]) => [name, list.map((weight) => Math.round(weight * 1000))]),
  )

const setWeights = (database: Database, weights: Weights): Promise<void> =>
  database.set({ weights: inThousandths(weights) })

/** The rows of the table of weights. */
const weightRows = (weights: Weights) =>
  Object.entries(inThousandths(weights)).flatMap(([name, list]) =>
    list.map((weight, level) => [name, level, weight] as const),
  )

/** Learns what each level is worth from the pairs themselves, without labels, by expectation maximization. */
const learn = async (database: Database, pairs: number): Promise<Weights> => {
  await setWeights(database, USUAL)
  await database.run(ODDS)
  await database.run(SAMPLE, { shares: Math.ceil(pairs / LEARNT_PAIRS) })
  let weights = USUAL
  for (let turn = 0; turn < ITERATIONS; turn++) {
    const levels: Levels = await database.rows(GUESS)
    const before = weights
    weights = learnt(levels, await database.row(FOUND))
    // Every further turn would end with the same.
    if (isDeepStrictEqual(inThousandths(weights), inThousandths(before))) break
    await setWeights(database, weights)
  }
  return weights
}

/** The report of a refresh on likely matches. */
export type MatchReport = {
  /** Listings with a likely product, but those whose entity two or more retailers offer already. */
  likely: number
  /** Pairs of listings in the table of matches. */
  pairs: number
  seconds: number
}

/**
 * Finds the listings that are likely one product, in the tables `likely_match` and `likely_listing`: offers that share rare
 * words are compared, with weights learnt from a sample of these pairs, and each offer matches at most one at any other
 * shop. A refresh computes all matches again, because the rarity of a word depends on all listings.
 */
export const matchListings = async (database: Database): Promise<MatchReport> => {
  const start = performance.now()
  const { shops } = await database.row(SHOPS)
  const counts = shops > 1 ? await matchShops(database) : await withoutMatches(database)
  return { ...counts, seconds: Math.round(performance.now() - start) / 1000 }
}

type LikelyCounts = Omit<MatchReport, 'seconds'>

const withoutMatches = async (database: Database): Promise<LikelyCounts> => {
  await database.append('match_weight', weightRows(USUAL))
  return { likely: 0, pairs: 0 }
}

const matchShops = async (database: Database): Promise<LikelyCounts> => {
  await database.run(OFFERS)
  const { offers } = await database.row(WORDS)
  await inParts(offers, (part) => database.run(NEAR, part))
  await inParts(offers, (part) => database.run(CANDIDATES, part))
  const { pairs } = await database.row(PAIRS)
  if (pairs > 0) await matchPairs(database, offers, pairs)
  else await withoutMatches(database)
  return database.row(COUNTS)
}

const matchPairs = async (database: Database, offers: number, pairs: number): Promise<void> => {
  await inParts(offers, (part) => database.run(COMPARE, part))
  const weights = await learn(database, pairs)
  await database.append('match_weight', weightRows(weights))
  const { join, members } = clusters()
  await database.mapRows(SCORE, 'likely_link', (link) => [link.l, link.r, join(link)])
  await database.append('likely_member', members())
  await database.run(LIKELY)
}
