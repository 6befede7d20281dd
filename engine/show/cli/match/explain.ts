import { EngineError } from '../../../contract/errors.ts'
import { literal } from '../../../duckdb/tables.ts'
import type { SnapshotFiles } from '../../standalone/definitions.ts'
import { SqlSession } from '../../standalone/session.ts'
import { COMPARISONS, sentenceOf } from './levels.ts'

/** Listings are of one likely product from this probability, in thousandths; data/matches.md. */
const LEAST = 900
/** A comparison that divides the odds by seven or more, in thousandths of a natural logarithm. */
const VETO = -2000

type ExplainedListing = {
  product_uid: string
  retailer: string
  country: string
  product_name: string
  entity_uid: string | null
  likely_uid: string | null
  condition: string
}

/** A row of matches with a listing of either product, whose side comes first. */
type Match = { entity_uid: string; other_entity_uid: string; other_shop: string; other_name: string } & Record<
  string,
  number | string
>

/** Why two listings are or are not taken for one product. */
export type MatchExplanation = {
  snapshot_id: string
  listings: ExplainedListing[]
  tier: 'certain' | 'likely' | 'neither'
  reason: string
  /** Null for a pair that is not among the matches. */
  probability: number | null
  /** What each comparison says and adds to the natural logarithm of the odds; the prior is what every pair starts with. */
  prior: number | null
  evidence: { comparison: string; level: number; weight: number; text: string }[]
  /** The comparisons that speak strongly against it. */
  vetoes: string[]
}

const LISTINGS = `SELECT product_uid, platform AS retailer, listing.country, product_name, entity_uid, likely_uid, condition
  FROM listing JOIN retailer USING (retailer_id) WHERE product_uid IN ($uids)`

/** Matches are of the first listing of an entity in a shop. */
const MATCHES = `
  WITH side AS (
    FROM match UNION ALL
    SELECT match.* REPLACE (other_listing_id AS listing_id, listing_id AS other_listing_id) FROM match
  )
  SELECT side.* EXCLUDE (country), a.entity_uid, b.entity_uid AS other_entity_uid, b.product_name AS other_name,
    platform || ' ' || b.country AS other_shop
  FROM side
  JOIN listing AS a ON a.listing_id = side.listing_id
  JOIN listing AS b ON b.listing_id = side.other_listing_id
  JOIN retailer ON retailer.retailer_id = b.retailer_id
  WHERE a.entity_uid IN (SELECT entity_uid FROM listing WHERE product_uid IN ($uids))
  ORDER BY probability DESC, side.listing_id, side.other_listing_id`

const WEIGHTS = 'SELECT comparison, level, weight FROM match_weight'

const shopOf = ({ retailer, country }: ExplainedListing): string => `${retailer} ${country}`
const thousandths = (value: number): string => (value / 1000).toFixed(3)

/** A surer match of a listing in the other's shop, in words. */
const rivalOf = (matches: readonly Match[], listing: ExplainedListing, other: ExplainedListing): string | undefined => {
  const rival = matches.find((match) => match.entity_uid === listing.entity_uid && match.other_shop === shopOf(other))
  return (
    rival &&
    `At ${shopOf(other)} the match of "${listing.product_name}" is "${rival.other_name}", with ${thousandths(Number(rival.probability))}.`
  )
}

const reasonOf = (
  a: ExplainedListing,
  b: ExplainedListing,
  pair: Match | undefined,
  matches: readonly Match[],
): string => {
  const tier = tierOf(a, b)
  if (tier === 'certain')
    return 'They are of one entity: their barcode, part number, model code or whole title is the same.'
  if (tier === 'likely')
    return pair
      ? 'Their comparison makes one product likely, and both belong to it.'
      : 'Both match other listings of one likely product, rather than each other.'
  if (shopOf(a) === shopOf(b))
    return 'They are of one shop, whose listings are different products unless an entity joins them.'
  if (a.condition !== b.condition)
    return `One is ${a.condition}, the other ${b.condition}: they are different products.`
  if (pair && Number(pair.probability) < LEAST) return `Its probability is below ${thousandths(LEAST)}.`
  if (pair) return 'A surer match has joined one of them with another listing of the same shop.'
  return (
    rivalOf(matches, a, b) ??
    rivalOf(matches, b, a) ??
    'They share too few rare words to be compared, or a probability of less than 0.1 came out.'
  )
}

const tierOf = (a: ExplainedListing, b: ExplainedListing): MatchExplanation['tier'] => {
  if (a.entity_uid === b.entity_uid) return 'certain'
  return a.likely_uid !== null && a.likely_uid === b.likely_uid ? 'likely' : 'neither'
}

const explained = (
  a: ExplainedListing,
  b: ExplainedListing,
  matches: readonly Match[],
  weights: ReadonlyMap<string, number>,
): Omit<MatchExplanation, 'snapshot_id'> => {
  const pair = matches.find((match) => match.entity_uid === a.entity_uid && match.other_entity_uid === b.entity_uid)
  const weightOf = (name: string, level: number) => weights.get(`${name} ${level}`) ?? 0
  const evidence = COMPARISONS.flatMap((comparison) => {
    if (!pair) return []
    const level = Number(pair[comparison])
    const weight = weightOf(comparison, level) / 1000
    return [{ comparison, level, weight, text: sentenceOf(comparison, level) }]
  })
  return {
    listings: [a, b],
    tier: tierOf(a, b),
    reason: reasonOf(a, b, pair, matches),
    probability: pair ? Number(pair.probability) / 1000 : null,
    prior: pair ? weightOf('prior', 0) / 1000 : null,
    evidence,
    vetoes: evidence.filter(({ weight }) => 1000 * weight <= VETO).map(({ comparison }) => comparison),
  }
}

/** Explains a pair of listings, named by their product_uids. Throws NOT_FOUND for a uid that the lake does not have. */
export const explainMatch = async (
  files: SnapshotFiles,
  snapshot_id: string,
  uids: readonly [string, string],
): Promise<MatchExplanation> => {
  const session = await SqlSession.open(files)
  const rows = <Row>(sql: string): Promise<Row[]> =>
    session.run(
      sql.replace('$uids', uids.map(literal).join()),
      new AbortController().signal,
      async (result) => (await result!.getRowObjectsJS()) as Row[],
    )
  try {
    const listings = await rows<ExplainedListing>(LISTINGS)
    const [a, b] = uids.map((uid) => {
      const listing = listings.find(({ product_uid }) => product_uid === uid)
      if (!listing) throw new EngineError('NOT_FOUND', `no listing has the product_uid ${uid}`, { product_uid: uid })
      return listing
    }) as [ExplainedListing, ExplainedListing]
    const weights = await rows<{ comparison: string; level: number; weight: number }>(WEIGHTS)
    const byLevel = new Map(weights.map(({ comparison, level, weight }) => [`${comparison} ${level}`, weight]))
    return { snapshot_id, ...explained(a, b, await rows<Match>(MATCHES), byLevel) }
  } finally {
    session.close()
  }
}
